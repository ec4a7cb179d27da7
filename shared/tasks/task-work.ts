import type { Work } from '../platform/agenda/work.ts';

type TaskIds = { id: string; dataSourceId: string };

/** Grouped by data source, whose changes concern all its tasks. The level is the priority. */
export const callsOf = ({ id, dataSourceId }: TaskIds): Work => ({
  kind: 'calls',
  group: dataSourceId,
  id,
});
/** Each task has a key of its own, because results and lease requests read it. */
export const callbacksOf = ({ id }: Pick<TaskIds, 'id'>): Work => ({ kind: 'callbacks', group: id, id });
export const endOfTask = ({ id }: Pick<TaskIds, 'id'>): Work => ({ kind: 'end', id });
export const deferredOf = (taskId: string): Work => ({ kind: 'deferred', id: taskId });
/**
 * No clock is further ahead of UTC. Until a worker knows the zone of a task's end, the end is due
 * by this clock.
 */
export const earliestZone = 'Etc/GMT-14';
