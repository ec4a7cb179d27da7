import type { DialState, RecallOfFailed } from '../../../domain/dialing/dial-state.ts';
import { callReasons, type Outcome } from '../../../domain/dialing/dialing.ts';
import type { Channels } from '../../../domain/dialing/pace.ts';
import {
  deferralOf,
  type EndedCallTime,
  type Lease,
  type ReportedCall,
  type TaskContact,
} from '../../../domain/dialing/task-contact.ts';
import { type Instant, secondMs } from '../../../domain/time.ts';
import type { Condition, Database, Item, Update } from '../../table/index.ts';
import { ifUnchanged, keys, setIfUnchanged } from '../../table/index.ts';
import { indexKeys } from './index-places.ts';

const short = { success: 's', failed: 'f', noAnswer: 'n' } as const satisfies Record<Outcome, string>;
const long: Record<string, Outcome> = { s: 'success', f: 'failed', n: 'noAnswer' };
/** With ten attempts an allowance, the results of the last two allowances; keeps the item below 1 KB, one write unit. */
const resultsKept = 20;
const base = 36;

/** No reason; instead of the time of a callback, that no calls are wished. */
const [none, noCalls] = ['-', '!'];

const packTime = (time: Instant) => Math.floor(time / secondMs).toString(base);
const unpackTime = (text: string): Instant => Number.parseInt(text, base) * secondMs;

/** A capital letter is a final outcome; times to the second, and a reason by its index in the list. */
const packResult = ({ nonce, outcome, duration, final, time, reason, ...rest }: ReportedCall) => {
  const wish = rest.doNotCall ? noCalls : rest.callbackTime && packTime(rest.callbackTime);
  return [
    nonce,
    final ? short[outcome].toUpperCase() : short[outcome],
    duration,
    packTime(time),
    ...(reason === null && wish === undefined ? [] : [reason === null ? none : callReasons.indexOf(reason)]),
    ...(wish === undefined ? [] : [wish]),
  ].join(' ');
};

const packCallTime = ({ nonce, time }: EndedCallTime) => `${nonce} ${packTime(time)}`;
const unpackCallTime = (text: string): EndedCallTime => {
  const [nonce = '', time = ''] = text.split(' ');
  return { nonce, time: unpackTime(time) };
};

/** The latest results in full. Of earlier ones the time, by which their records are found. */
const callAttributes = ({ results, earlier }: TaskContact) => {
  const older = [...earlier, ...results.slice(0, -resultsKept)];
  return {
    log: results.slice(-resultsKept).map(packResult),
    ...(older.length > 0 && { older: older.map(packCallTime) }),
  };
};

const unpackResult = (text: string): ReportedCall => {
  const [nonce = '', letter = '', duration = '', time = '', reason, wish] = text.split(' ');
  return {
    nonce,
    outcome: long[letter.toLowerCase()] ?? 'failed',
    duration: Number(duration),
    final: letter !== letter.toLowerCase(),
    time: unpackTime(time),
    reason: callReasons[Number(reason ?? -1)] ?? null,
    ...(wish === noCalls && { doNotCall: true as const }),
    ...(wish !== undefined && wish !== noCalls && { callbackTime: unpackTime(wish) }),
  };
};

const stateAttributes = (contact: TaskContact) => {
  if (contact.state === 'final') return { recallNumber: contact.recallNumber };
  if (contact.state !== 'waiting' && contact.state !== 'leased') return {};
  const deferral = deferralOf(contact);
  return {
    due: contact.due,
    ...(contact.isCallback && { callback: true }),
    ...(deferral && { from: deferral.from, deferred: deferral.time }),
  };
};

const channelAttributes = ({ task, service, isTaskWide, isServiceWide }: Channels = {}) => ({
  ...(task !== undefined && { channel: task / secondMs }),
  ...(service !== undefined && { serviceChannel: service / secondMs }),
  ...(isTaskWide && { wide: true }),
  ...(isServiceWide && { serviceWide: true }),
});

const channelsIn = ({ channel, serviceChannel, wide, serviceWide }: Item): Channels | undefined =>
  channel === undefined && serviceChannel === undefined
    ? undefined
    : {
        ...(channel !== undefined && { task: (channel as number) * secondMs }),
        ...(serviceChannel !== undefined && { service: (serviceChannel as number) * secondMs }),
        ...(wide === true && { isTaskWide: true }),
        ...(serviceWide === true && { isServiceWide: true }),
      };

/** What every lease says of itself. */
const termsOf = ({ nonce, until, time, callerNumber, channels }: Lease) => ({
  nonce,
  until,
  ...(time !== undefined && { leasedAt: time }),
  ...(callerNumber !== undefined && { caller: callerNumber }),
  ...channelAttributes(channels),
});

const leaseAttributes = ({ lease }: TaskContact) => {
  if (lease === null) return {};
  const { isBeforeRecall, calledNumber, isErased } = lease;
  return {
    ...termsOf(lease),
    ...(isBeforeRecall && { recalled: true }),
    ...(calledNumber !== undefined && { called: calledNumber }),
    ...(isErased && { erased: true }),
  };
};

const leaseOf = (item: Item): TaskContact['lease'] => {
  if (item.nonce === undefined) return null;
  const channels = channelsIn(item);
  return {
    nonce: item.nonce as string,
    until: item.until as Instant,
    isBeforeRecall: item.recalled === true,
    ...(item.leasedAt !== undefined && { time: item.leasedAt as Instant }),
    ...(item.caller !== undefined && { callerNumber: item.caller as string }),
    ...(item.called !== undefined && { calledNumber: item.called as string }),
    ...(item.erased === true && { isErased: true as const }),
    ...(channels && { channels }),
  };
};

/** The item that follows the version that was read. */
export const itemOf = (contact: TaskContact): Item => ({
  ...keys.taskContact(contact.taskId, contact.seq),
  ...indexKeys(contact),
  task: contact.taskId,
  ds: contact.dataSourceId,
  state: contact.state,
  ...stateAttributes(contact),
  prio: contact.priority,
  tries: contact.attempts,
  ...leaseAttributes(contact),
  last: contact.outcome,
  lastAt: contact.lastCallTime,
  calls: contact.callCount,
  secs: contact.duration,
  ...(contact.callbacks > 0 && { callbacks: contact.callbacks }),
  ...callAttributes(contact),
  v: (contact.version ?? 0) + 1,
});

export const taskContactOf = (item: Item): TaskContact => {
  const state = item.state as TaskContact['state'];
  return {
    taskId: item.task as string,
    dataSourceId: item.ds as string,
    seq: Number(item.sk),
    priority: item.prio as number,
    attempts: item.tries as number,
    lease: leaseOf(item),
    outcome: item.last as Outcome | null,
    lastCallTime: item.lastAt as number | null,
    callCount: item.calls as number,
    duration: item.secs as number,
    callbacks: Number(item.callbacks ?? 0),
    results: (item.log as string[]).map(unpackResult),
    earlier: ((item.older ?? []) as string[]).map(unpackCallTime),
    version: item.v as number,
    state,
    ...(state === 'waiting' || state === 'leased'
      ? { due: item.due, isCallback: item.callback === true }
      : {}),
    ...(state === 'waiting' && item.from !== undefined
      ? { deferral: { from: item.from, time: Number(item.deferred ?? 0) } }
      : {}),
    ...(state === 'leased' ? { isInLine: item.gsi1pk !== undefined } : {}),
    ...(state === 'final' ? { recallNumber: item.recallNumber } : {}),
  } as TaskContact;
};

/** What `leaseContact` does, for a contact of which only the version is known. It keeps its place in line. */
export const leaseUpdate = (lease: Lease, version: number): Update => {
  const terms = termsOf(lease);
  const removed = [
    ...['recalled', 'called', 'erased', 'from', 'deferred'],
    ...['caller', 'channel', 'serviceChannel', 'wide', 'serviceWide'].filter((name) => !(name in terms)),
  ];
  return setIfUnchanged(version, { state: 'leased', ...terms }, removed);
};

export const readDialState = async (database: Database, taskId: string): Promise<DialState> =>
  dialStateOf(taskId, await database.get(keys.dialState(taskId)));

export const dialStateOf = (taskId: string, item: Item | undefined): DialState => ({
  taskId,
  cursor: Number(item?.cursor ?? 0),
  visibleTo: Number(item?.visibleTo ?? 0),
  claimed: Number(item?.claimed ?? 0),
  ahead: Number(item?.ahead ?? 0),
  passed: Number(item?.passed ?? 0),
  review: item?.review as DialState['review'],
  filteredSince: item?.filteredSince as Instant | undefined,
  stretch: item?.stretch as DialState['stretch'],
  recallPriorities: (item?.prios ?? []) as number[],
  recallNumber: Number(item?.recallNumber ?? 0),
  recalls: (item?.recalls ?? []) as RecallOfFailed[],
  isClosed: item?.isClosed as true | undefined,
  version: item?.v as number | undefined,
});

/** The item that follows the version that was read, and the condition that it was not written since. */
export const nextDialState = ({
  taskId,
  recallPriorities,
  version,
  ...state
}: DialState): [item: Item, condition: Condition] => [
  { ...keys.dialState(taskId), ...state, prios: recallPriorities, v: (version ?? 0) + 1 },
  ifUnchanged(version),
];
