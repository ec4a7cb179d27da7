import type { Outcome } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Condition, Item, Update } from '../database.ts';
import { keys } from '../keys.ts';

/**
 * waiting: to be called when due; leased: handed to a dialer; final: needs no further call unless
 * recalled; gone: its contact was deleted before it had a final outcome.
 */
export type TaskContactState = 'waiting' | 'leased' | 'final' | 'gone';

/** What a dialer was given: the lease's id, and when it runs out. */
export type Lease = { nonce: string; until: Instant };

/** One reported call, kept so that the same report sent again is recognised. */
export type Reported = { nonce: string; outcome: Outcome; duration: number; final: boolean };

/** A contact with the eyes of one task: written when it is first taken up for dialing. */
export type TaskContact = {
  taskId: string;
  dataSourceId: string;
  seq: number;
  state: TaskContactState;
  priority: number;
  /** Calls of this round; a recall begins a new one. */
  attempts: number;
  /** waiting: when it may be called. */
  due: Instant;
  /** The latest lease, and when it runs out; 0 once a recall has begun another round. */
  nonce: string | null;
  leaseUntil: Instant;
  outcome: Outcome | null;
  lastCallTime: Instant | null;
  callCount: number;
  /** Seconds. */
  duration: number;
  /** final, without success: how many recalls of all failed contacts the task had seen. */
  epoch: number;
  /** Oldest first. */
  reports: Reported[];
  /** Whether the index shows it, as it was read. */
  isIndexed: boolean;
  version: number;
};

/** With ten attempts a round, the reports of the last two rounds; keeps the item below 1 KB, one write unit. */
const reportsKept = 20;

const short = { success: 's', failed: 'f', noAnswer: 'n' } as const satisfies Record<Outcome, string>;
const long: Record<string, Outcome> = { s: 'success', f: 'failed', n: 'noAnswer' };

const packed = ({ nonce, outcome, duration, final }: Reported) =>
  [nonce, short[outcome], duration, final ? 1 : 0].join(' ');

const unpacked = (text: string): Reported => {
  const [nonce = '', outcome = '', duration = '', final = ''] = text.split(' ');
  return { nonce, outcome: long[outcome] ?? 'failed', duration: Number(duration), final: final === '1' };
};

/** In its first call: the index has no place for it yet, which would show when the lease ends. */
export const isOutOfLine = ({ state, isIndexed }: TaskContact) => state === 'leased' && !isIndexed;

export const isFailed = ({ state, outcome }: TaskContact) => state === 'final' && outcome !== 'success';

/** Queued again by a recall, with a fresh allowance of calls. */
export const beginRound = (contact: TaskContact, priority: number, due: Instant): TaskContact => ({
  ...contact,
  state: 'waiting',
  priority,
  attempts: 0,
  due,
  leaseUntil: 0,
});

/** The latest lease ran out before a recall: a late result of it takes nothing from the new allowance. */
export const isOfEarlierRound = ({ leaseUntil }: TaskContact) => leaseUntil === 0;

/** The place of a contact in line, as the index shows it. A contact that was leased keeps its place. */
export type Place = {
  seq: number;
  version: number;
  /** When it came due, or when its lease ends. */
  since: Instant;
  isLeased: boolean;
};

export const placeOf = ({ sk, gsi1sk, state, until, v }: Item): Place => {
  const isLeased = state === 'leased';
  const since = isLeased ? (until as number) : Number.parseInt(gsi1sk as string, 10);
  return { seq: Number(sk), version: v as number, since, isLeased };
};

const indexKeys = (contact: TaskContact) => {
  const { taskId, seq, priority, due, epoch, lastCallTime } = contact;
  if (contact.state === 'waiting')
    return { gsi1pk: keys.line(taskId, priority), gsi1sk: keys.indexSort(due, seq) };
  if (!isFailed(contact)) return {};
  return { gsi1pk: keys.failed(taskId, epoch), gsi1sk: keys.indexSort(lastCallTime ?? 0, seq) };
};

/** The item that follows the version that was read; put it with `whileUnchanged`. */
export const itemOf = (contact: TaskContact): Item => ({
  ...keys.taskContact(contact.taskId, contact.seq),
  ...indexKeys(contact),
  task: contact.taskId,
  ds: contact.dataSourceId,
  state: contact.state,
  prio: contact.priority,
  tries: contact.attempts,
  due: contact.due,
  nonce: contact.nonce,
  until: contact.leaseUntil,
  last: contact.outcome,
  lastAt: contact.lastCallTime,
  calls: contact.callCount,
  secs: contact.duration,
  epoch: contact.epoch,
  log: contact.reports.slice(-reportsKept).map(packed),
  v: contact.version + 1,
});

export const taskContactOf = (item: Item): TaskContact => ({
  taskId: item.task as string,
  dataSourceId: item.ds as string,
  seq: Number(item.sk),
  state: item.state as TaskContactState,
  priority: item.prio as number,
  attempts: item.tries as number,
  due: item.due as number,
  nonce: item.nonce as string | null,
  leaseUntil: item.until as number,
  outcome: item.last as Outcome | null,
  lastCallTime: item.lastAt as number | null,
  callCount: item.calls as number,
  duration: item.secs as number,
  epoch: item.epoch as number,
  reports: (item.log as string[]).map(unpacked),
  isIndexed: item.gsi1pk !== undefined,
  version: item.v as number,
});

/** Hands a contact in line to a dialer. It keeps its place there: when the lease ends, it is found again. */
export const leaseUpdate = ({ nonce, until }: Lease, version: number): Update => ({
  UpdateExpression: 'SET #state = :leased, nonce = :nonce, #until = :until, v = :next',
  ConditionExpression: 'v = :read',
  ExpressionAttributeNames: { '#state': 'state', '#until': 'until' },
  ExpressionAttributeValues: {
    ':leased': 'leased',
    ':nonce': nonce,
    ':until': until,
    ':read': version,
    ':next': version + 1,
  },
});

/** The condition that nobody wrote the task contact since it was read, or that there is none yet. */
export const whileUnchanged = ({ version }: TaskContact): Condition =>
  version === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'v = :read', ExpressionAttributeValues: { ':read': version } };

/** A contact that the task has not taken up before, waiting since `due`. */
export const newTaskContact = (
  task: Pick<Task, 'id' | 'dataSourceId' | 'priority'>,
  seq: number,
  due: Instant,
): TaskContact => ({
  taskId: task.id,
  dataSourceId: task.dataSourceId,
  seq,
  state: 'waiting',
  priority: task.priority,
  attempts: 0,
  due,
  nonce: null,
  leaseUntil: 0,
  outcome: null,
  lastCallTime: null,
  callCount: 0,
  duration: 0,
  epoch: 0,
  reports: [],
  isIndexed: false,
  version: 0,
});
