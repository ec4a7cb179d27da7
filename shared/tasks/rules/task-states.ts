import { ServiceError } from '../../platform/rules/errors.ts';

export const status = {
  draft: 0,
  running: 1,
  paused: 2,
  stopped: 3,
  completed: 4,
  failed: 5,
  closed: 6,
} as const;

export const statusNames = Object.keys(status) as (keyof typeof status)[];
export type TaskStatus = (typeof status)[keyof typeof status];

const { draft, running, paused, stopped, completed, failed, closed } = status;

/** The states in which each operation is allowed, and the next state. `null`: it stays. */
const moves = {
  update: { from: [draft], to: null },
  adjust: { from: [draft, running, paused], to: null },
  publish: { from: [draft], to: running },
  pause: { from: [running], to: paused },
  resume: { from: [paused], to: running },
  stop: { from: [running, paused], to: stopped },
  /** From RUNNING and PAUSED the state stays; see `statusAfter`. */
  recall: { from: [running, paused, completed, failed], to: null },
  complete: { from: [running], to: completed },
  fail: { from: [running, paused], to: failed },
  close: { from: [stopped, completed, failed], to: closed },
} as const satisfies Record<string, { from: readonly TaskStatus[]; to: TaskStatus | null }>;

export type Operation = keyof typeof moves;
export const operations = Object.keys(moves) as Operation[];

export const allowedFrom = (operation: Operation): readonly TaskStatus[] => moves[operation].from;

/** Whether the data source of a task in this state may be deleted. */
export const mayOutliveSource = (state: TaskStatus): boolean => state === status.closed;

/** RUNNING or PAUSED. */
export const isLive = (state: TaskStatus): boolean => state === status.running || state === status.paused;

export const hasEnded = (state: TaskStatus): boolean => state >= status.stopped;

export const statusAfter = (operation: Operation, before: TaskStatus): TaskStatus => {
  if (operation === 'recall') return hasEnded(before) ? status.running : before;
  return moves[operation].to ?? before;
};

const described = (state: TaskStatus) => {
  const name = Object.entries(status).find(([, code]) => code === state)?.[0] ?? '';
  return `${name.toUpperCase()} (${state})`;
};

const assertIn = (operation: string, from: readonly TaskStatus[], state: TaskStatus): void => {
  if (from.includes(state)) return;
  throw new ServiceError(
    'TASK_STATE',
    `${operation} is not allowed: the task is ${described(state)}; ${operation} is allowed in ${from.map(described).join(', ')}`,
  );
};

/** @throws ServiceError notAllowed, naming the current state and the allowed ones */
export const assertAllowed = (operation: Operation, state: TaskStatus): void =>
  assertIn(operation, allowedFrom(operation), state);

/** A task that never ran, or whose figures are final. Deleting is no move to a state. */
const deletableIn: readonly TaskStatus[] = [status.draft, status.closed];

export const isDeletable = (state: TaskStatus): boolean => deletableIn.includes(state);

/** Like `assertAllowed`, for deleting the task. */
export const assertDeletable = (state: TaskStatus): void => assertIn('delete', deletableIn, state);
