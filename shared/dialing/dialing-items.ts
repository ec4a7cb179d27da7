import type { Database } from '../platform/table/database.ts';
import { setIfUnchanged, type Update } from '../platform/table/expressions.ts';
import { type Item, keys, timeKey } from '../platform/table/keys.ts';
import { tableDefinition } from '../platform/table/table.ts';
import { type Instant, secondMs } from '../platform/time/time.ts';
import type { Channels } from '../tasks/rules/limits.ts';
import type { Outcome } from '../tasks/rules/task-settings.ts';
import { callAttributes, unpackCallTime, unpackResult } from './packed-calls.ts';
import { callbackLevel } from './rules/dial-state.ts';
import type { Lease, TaskContact } from './rules/task-contact.ts';
import { type Place, type WaitReason, waitTable } from './rules/waits.ts';

/** How the last call of a contact in line ended. `recalled`: it had none, and a recall named it. */
export type LastCall = Outcome | 'recalled' | 'none';

/**
 * The place of a task contact in the index. A leased contact keeps its place in line. `reason` and
 * `lastCall` are missing in places of 0.5, and if the contact does not wait.
 */
export type IndexPlace = Omit<Place, 'reason'> & {
  reason?: WaitReason | undefined;
  lastCall?: LastCall | undefined;
  seq: number;
  version: number;
  /** When the contact came due, or when its lease ends. */
  since: number;
  isLeased: boolean;
};

const reasonByLetter = new Map(
  Object.entries(waitTable).map(([reason, { letter }]) => [letter as string, reason as WaitReason]),
);
const lastCallLetters: Readonly<Record<LastCall, string>> = {
  success: 's',
  failed: 'f',
  noAnswer: 'n',
  recalled: 'q',
  none: '-',
};
const lastCallByLetter = new Map(
  Object.entries(lastCallLetters).map(([lastCall, letter]) => [letter, lastCall as LastCall]),
);

/**
 * The end of the sort key of a place in line: why the contact waits, how its last call ended, and
 * by which clock it is due.
 */
const markOf = (
  { outcome, isRecalled }: Pick<TaskContact, 'outcome' | 'isRecalled'>,
  { reason, zone }: Place,
): string => {
  const last = lastCallLetters[outcome ?? (isRecalled ? 'recalled' : 'none')];
  const mark = `#${waitTable[reason].letter}${last}`;
  return zone === undefined ? mark : `${mark}#${zone}`;
};

const markIn = (sort: string): Pick<IndexPlace, 'reason' | 'lastCall' | 'zone'> => {
  const [, , letters = '', zone] = sort.split('#');
  const reason = reasonByLetter.get(letters[0] ?? '');
  const lastCall = lastCallByLetter.get(letters[1] ?? '');
  return lastCall === undefined ? {} : { reason, lastCall, zone };
};

const placeOf = ({ sk, gsi1sk, state, until, v }: Item): IndexPlace => {
  const isLeased = state === 'leased';
  const due = Number.parseInt(gsi1sk as string, 10);
  const since = isLeased ? (until as number) : due;
  return { ...markIn(gsi1sk as string), seq: Number(sk), version: v as number, due, since, isLeased };
};

/** The index partition of a contact that needs no further call. */
const endedPartition = (contact: TaskContact): string | undefined => {
  const { taskId } = contact;
  if (contact.state === 'blocked') return keys.blocked(taskId);
  if (contact.state !== 'final') return undefined;
  if (contact.outcome === 'success') return keys.reached(taskId);
  return contact.outcome === 'failed'
    ? keys.failed(taskId, contact.recallNumber)
    : keys.unanswered(taskId, contact.recallNumber);
};

/** A contact that waits or is called again is in line. A settled one is listed by its outcome. */
const indexKeys = (contact: TaskContact) => {
  const { taskId, seq, priority } = contact;
  if (contact.state === 'waiting' || (contact.state === 'leased' && contact.isInLine))
    return {
      gsi1pk: keys.line(taskId, contact.isCallback ? callbackLevel : priority),
      gsi1sk: `${keys.indexSort(contact.due, seq)}${markOf(contact, contact)}`,
    };
  const gsi1pk = endedPartition(contact);
  return gsi1pk === undefined ? {} : { gsi1pk, gsi1sk: keys.indexSort(contact.lastCallTime ?? 0, seq) };
};

/** The sort key without its mark. Release 0.2 put phone numbers there: no client may see them. */
const sortOf = ({ gsi1sk }: Item) => (gsi1sk as string).split('#').slice(0, 2).join('#');

type PageRange = {
  /** What places behind that `sort`. */
  after?: string | undefined;
  /** Places up to that time. Not with `isNewestFirst`. */
  until?: Instant | undefined;
  limit: number;
  isNewestFirst?: boolean;
};

/** Sorts before every sort key. */
const first = '0';
/** Sorts after every sort key. */
const last = '~';
/** Sorts after every sort key with the same beginning. */
const behind = '#~';

/**
 * Places of one partition of the index, in its order. The index may lag a moment behind the table.
 * Clients get `sort` in page tokens.
 */
export const readPlaces = async (
  database: Database,
  partition: string,
  { after, until, limit, isNewestFirst = false }: PageRange,
): Promise<(IndexPlace & { sort: string })[]> => {
  const oldestFirst = {
    ':from': after === undefined ? first : `${after}${behind}`,
    ':to': until === undefined ? last : `${timeKey(until)}${behind}`,
  };
  const items = await database.queryAll({
    IndexName: tableDefinition.index.name,
    KeyConditionExpression: `gsi1pk = :pk AND gsi1sk ${isNewestFirst ? '< :to' : 'BETWEEN :from AND :to'}`,
    ExpressionAttributeValues: {
      ':pk': partition,
      ...(isNewestFirst ? { ':to': after ?? last } : oldestFirst),
    },
    ScanIndexForward: !isNewestFirst,
    Limit: limit,
  });
  return items.map((item) => ({ ...placeOf(item), sort: sortOf(item) }));
};

const stateAttributes = (contact: TaskContact) => {
  if (contact.state === 'final') return { recallNumber: contact.recallNumber };
  if (contact.state === 'blocked') return { block: contact.blockReason };
  if (contact.state !== 'waiting' && contact.state !== 'leased') return {};
  const { due, isCallback } = contact;
  const inLine = { due, ...(isCallback && { callback: true }) };
  if (contact.state === 'leased') return inLine;
  const { own, deferTime } = contact;
  return {
    ...inLine,
    ...(own.until !== due && { from: own.until }),
    ...(deferTime !== undefined && { deferred: deferTime }),
    ...(own.reason !== levelReason(isCallback) && { why: waitTable[own.reason].letter }),
  };
};

/** What a contact in line waits for, unless its item has another reason. */
const levelReason = (isCallback: boolean): WaitReason => (isCallback ? 'CALLBACK' : 'RETRY');

/** A place of 0.5 says only that the contact was deferred: for its hours, or a daily limit. */
const inLineOf = (item: Item) => {
  const isCallback = item.callback === true;
  const due = item.due as Instant;
  const { reason = item.from === undefined ? levelReason(isCallback) : 'HOURS', zone } = markIn(
    String(item.gsi1sk ?? ''),
  );
  return { due, isCallback, reason, zone };
};

/** What the task itself waits for. */
const ownOf = (item: Item) => ({
  own: {
    reason: reasonByLetter.get(item.why as string) ?? levelReason(item.callback === true),
    until: (item.from ?? item.due) as Instant,
  },
  deferTime: item.deferred as Instant | undefined,
});

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

/** The attributes of every lease. */
const termsOf = ({ nonce, until, time, isOfAny, isCounted, callerNumber, channels }: Lease) => ({
  nonce,
  until,
  ...(time !== undefined && { leasedAt: time }),
  ...(isOfAny && { any: true }),
  ...(isCounted && { counted: true }),
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
    ...(item.any === true && { isOfAny: true as const }),
    ...(item.counted === true && { isCounted: true as const }),
    ...(item.caller !== undefined && { callerNumber: item.caller as string }),
    ...(item.called !== undefined && { calledNumber: item.called as string }),
    ...(item.erased === true && { isErased: true as const }),
    ...(channels && { channels }),
  };
};

/** The item for the next version after the one that was read. */
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
  ...(contact.isRecalled && { queued: true }),
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
    isRecalled: item.queued as true | undefined,
    ...(state === 'waiting' || state === 'leased' ? inLineOf(item) : {}),
    ...(state === 'waiting' ? ownOf(item) : {}),
    ...(state === 'leased' ? { isInLine: item.gsi1pk !== undefined } : {}),
    ...(state === 'final' ? { recallNumber: item.recallNumber } : {}),
    // Contacts that 0.5 has blocked are on a list.
    ...(state === 'blocked' ? { blockReason: item.block ?? 'LIST' } : {}),
  } as TaskContact;
};

/**
 * Does what `leaseContact` does, for a contact of which only the version is known. The contact
 * keeps its place in line.
 */
export const leaseUpdate = (lease: Lease, version: number): Update => {
  const terms = termsOf(lease);
  const removed = [
    'recalled',
    'called',
    'erased',
    'from',
    'deferred',
    'why',
    ...['any', 'counted', 'caller', 'channel', 'serviceChannel', 'wide', 'serviceWide'].filter(
      (name) => !(name in terms),
    ),
  ];
  return setIfUnchanged(version, { state: 'leased', ...terms }, removed);
};
