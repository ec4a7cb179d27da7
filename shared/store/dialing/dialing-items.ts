import type { DialState, RecallOfFailed } from '../../domain/dialing/dial-state.ts';
import type { Outcome } from '../../domain/dialing/dialing.ts';
import type { Lease, TaskContact } from '../../domain/dialing/task-contact.ts';
import type { Condition, Database, Item, Update } from '../table/index.ts';
import { ifUnchanged, keys, setIfUnchanged } from '../table/index.ts';
import { indexKeys } from './index-places.ts';
import { packedReports, reportOf } from './packed-reports.ts';

const stateAttributes = (contact: TaskContact) => {
  if (contact.state === 'final') return { recallNumber: contact.recallNumber };
  if (contact.state !== 'waiting' && contact.state !== 'leased') return {};
  const { due, phoneNumber } = contact;
  return { due, ...(phoneNumber !== undefined && { phone: phoneNumber }) };
};

const leaseAttributes = ({ lease }: TaskContact) => {
  if (lease === null) return {};
  const { isBeforeRecall, ...given } = lease;
  return { ...given, ...(isBeforeRecall && { recalled: true }) };
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
  log: packedReports(contact.results),
  v: (contact.version ?? 0) + 1,
});

export const taskContactOf = (item: Item): TaskContact => {
  const state = item.state as TaskContact['state'];
  const { nonce, until, notBefore = 0, recalled, phone } = item;
  return {
    taskId: item.task as string,
    dataSourceId: item.ds as string,
    seq: Number(item.sk),
    priority: item.prio as number,
    attempts: item.tries as number,
    lease: nonce === undefined ? null : { nonce, until, notBefore, isBeforeRecall: recalled === true },
    outcome: item.last as Outcome | null,
    lastCallTime: item.lastAt as number | null,
    callCount: item.calls as number,
    duration: item.secs as number,
    results: (item.log as string[]).map(reportOf),
    version: item.v as number,
    ...(phone !== undefined && { phoneNumber: phone }),
    state,
    ...(state === 'waiting' || state === 'leased' ? { due: item.due } : {}),
    ...(state === 'leased' ? { isInLine: item.gsi1pk !== undefined } : {}),
    ...(state === 'final' ? { recallNumber: item.recallNumber } : {}),
  } as TaskContact;
};

/** What `leased` decides, for a contact of which only the version is known. It keeps its place in line. */
export const leaseUpdate = ({ nonce, until, notBefore = 0 }: Lease, version: number): Update => {
  const update = setIfUnchanged(version, {
    UpdateExpression: 'SET #state = :leased, nonce = :nonce, #until = :until, notBefore = :notBefore',
    ExpressionAttributeNames: { '#state': 'state', '#until': 'until' },
    ExpressionAttributeValues: {
      ':leased': 'leased',
      ':nonce': nonce,
      ':until': until,
      ':notBefore': notBefore,
    },
  });
  return { ...update, UpdateExpression: `${update.UpdateExpression} REMOVE recalled` };
};

export const readDialState = async (database: Database, taskId: string): Promise<DialState> =>
  dialStateOf(taskId, await database.get(keys.dialState(taskId)));

export const dialStateOf = (taskId: string, item: Item | undefined): DialState => ({
  taskId,
  cursor: Number(item?.cursor ?? 0),
  visibleTo: Number(item?.visibleTo ?? 0),
  claimed: Number(item?.claimed ?? 0),
  ahead: Number(item?.ahead ?? 0),
  recallPriorities: (item?.prios ?? []) as number[],
  recallNumber: Number(item?.recallNumber ?? 0),
  recalls: (item?.recalls ?? []) as RecallOfFailed[],
  version: item?.v as number | undefined,
});

/** The item that follows the version that was read, and the condition that nobody wrote it since. */
export const nextDialState = ({
  taskId,
  recallPriorities,
  version,
  ...state
}: DialState): [item: Item, condition: Condition] => [
  { ...keys.dialState(taskId), ...state, prios: recallPriorities, v: (version ?? 0) + 1 },
  ifUnchanged(version),
];
