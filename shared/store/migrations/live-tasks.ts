import { priorities } from '../../domain/dialing/dialing.ts';
import { endOf } from '../../domain/schedule.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { status } from '../../domain/tasks/task-states.ts';
import { type Agenda, callbacksOf, callsOf, earliestZone, endOfTask, parked } from '../agenda/index.ts';
import { concurrently, type Database, keys } from '../table/index.ts';
import { Tasks } from '../tasks/index.ts';

const tasksAtOnce = 8;
const [highest] = priorities;
/** Lists of 0.3 that this version does not read. */
export const oldCallbacks = (taskId: string) => ({ pk: keys.task(taskId).pk, sk: 'CALLBACKS' });

/**
 * Puts the work of RUNNING and PAUSED tasks on the agenda where functions of 0.3 started, resumed or paused them: those
 * functions keep lists of their own. Work that is on the agenda already stays as it is.
 */
export const adoptLiveTasks = async (database: Database, agenda: Agenda): Promise<void> => {
  const live = await new Tasks(database, agenda).active();
  const callbacks = await database.batchGet(live.map(({ id }) => oldCallbacks(id)));
  await concurrently([...live.keys()], tasksAtOnce, (at) =>
    adopt(agenda, live[at]!, callbacks[at] !== undefined),
  );
};

const adopt = async (agenda: Agenda, task: Task, hasCallbacks: boolean): Promise<void> => {
  const isRunning = task.status === status.running;
  const due = isRunning ? 0 : parked;
  const found = await agenda.find(callsOf(task));
  if (found === undefined) await agenda.add({ ...callsOf(task), level: highest }, due);
  if (hasCallbacks) await agenda.add(callbacksOf(task), due);
  if (task.callUntil) await agenda.add(endOfTask(task), endOf(task, earliestZone));
  if (!isRunning || found?.due !== parked) return;
  await agenda.schedule(callsOf(task), due, { level: highest });
  if (hasCallbacks) await agenda.schedule(callbacksOf(task), due);
};
