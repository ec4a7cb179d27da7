import type { Kind } from '../table/keys.ts';
import { minuteMs } from '../time/time.ts';

/**
 * What has to be done, each with the id of what it concerns. All rooms name their kinds here, so
 * that each kind has a worker and a metric of its age. The entries themselves are made in the room
 * whose work it is.
 */
export const workKinds = [
  /** The calls of a RUNNING task, checked by lease requests; parked while the task is PAUSED. */
  'calls',
  /** The agreed callbacks of a task, checked by lease requests before all other calls. */
  'callbacks',
  /** A task is stopped when its `callUntil` has come. */
  'end',
  /** Deferred contacts of a task are considered again after a change of hours or zones. */
  'deferred',
  /** An import whose file has not arrived, or whose runner may have died. */
  'import',
  /** An erasure whose request may have died. */
  'erasure',
  /** What a deleted task or data source has left is removed. */
  'removal',
  /** Records of calls that are older than the service keeps them are removed, once a day. */
  'oldCalls',
  /** One attempt to send an event to a webhook. Each webhook has its own line. */
  'delivery',
  /** A period of the list of events that is sent to a webhook again; always parked. */
  'stretch',
] as const;

export type WorkKind = (typeof workKinds)[number];
/** The kinds that a scheduled function does. Lease requests and deliveries do the others. */
export type WorkerKind = Exclude<WorkKind, 'calls' | 'callbacks' | 'delivery' | 'stretch'>;

/** `group`: entries of a kind that are listed together. */
export type Work = { kind: WorkKind; group?: string; id: string };

/** The entries of a kind, of a level of it, or of a group of deliveries, by due time. */
export type Line = { kind: WorkKind; level?: number | undefined; group?: string | undefined };

/** Whether each group of the kind has a line of its own. */
export const isLinedByGroup = (kind: WorkKind): boolean => kind === 'delivery';

/** Longer than any function may run: an older function cannot write work after this time. */
export const quietMs = 10 * minuteMs;
/** What a deleted task or data source has left. */
export const removalWork = (kind: Kind, id: string): Work => ({ kind: 'removal', id: `${kind}#${id}` });
