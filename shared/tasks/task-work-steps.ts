import type { Agenda } from '../platform/agenda/agenda.ts';
import type { TransactItem } from '../platform/table/database.ts';
import { endOf } from '../platform/time/schedule.ts';
import type { Task } from './rules/task.ts';
import { haveHoursChanged, haveLimitsChanged } from './rules/task-changes.ts';
import { priorities } from './rules/task-settings.ts';
import { isLive, type Operation, status } from './rules/task-states.ts';
import { callbacksOf, callsOf, deferredOf, earliestZone, endOfTask } from './task-work.ts';

/** The most urgent priority. */
const [highest] = priorities;

/**
 * What a change of a task adds to its transaction, so that the agenda always has the work of the
 * task. `callsAt`: the most urgent priority of the task's contacts, if it is not the task's own.
 */
export const workSteps = async (
  agenda: Agenda,
  operation: Operation,
  before: Task,
  after: Task,
  callsAt?: number,
): Promise<TransactItem[]> => [
  ...(await callSteps(agenda, operation, before, after, callsAt)),
  ...endSteps(agenda, before, after),
  ...deferredSteps(agenda, before, after),
];

/**
 * A task that runs again may have recalled contacts of any priority, so it is checked with the most
 * urgent tasks. So is a task that was adjusted, because it may have contacts to call at once.
 */
const callSteps = async (
  agenda: Agenda,
  operation: Operation,
  before: Task,
  after: Task,
  callsAt?: number,
): Promise<TransactItem[]> => {
  const calls = callsOf(after);
  if (after.status === status.running) {
    if (before.status === status.running && operation !== 'adjust') return [];
    const isFirstStart = before.startTime === null;
    const level = isFirstStart ? after.priority : (callsAt ?? highest);
    // No contact has waited longer than since the start of the task.
    const entry = agenda.scheduleOf({ ...calls, level }, after.startTime ?? 0);
    if (isFirstStart) return [entry];
    const callbacks = callbacksOf(after);
    return (await agenda.find(callbacks)) === undefined ? [entry] : [entry, agenda.scheduleOf(callbacks, 0)];
  }
  if (before.status === after.status) return [];
  if (after.status === status.paused) return [agenda.parkOf(calls)];
  return isLive(before.status) ? [agenda.doneOf(calls)] : [];
};

/** If the task names no zone, the worker knows the service's and postpones the entry. */
const endSteps = (agenda: Agenda, before: Task, after: Task): TransactItem[] => {
  const [known, until] = [before, after].map((task) => (isLive(task.status) ? task.callUntil : undefined));
  if ((known ?? null) === (until ?? null)) return [];
  const work = endOfTask(after);
  return [until ? agenda.scheduleOf(work, endOf(after, earliestZone)) : agenda.doneOf(work)];
};

const deferredSteps = (agenda: Agenda, before: Task, after: Task): TransactItem[] => {
  if (!isLive(before.status) || !isLive(after.status)) return [];
  const isAll = haveLimitsChanged(before, after);
  if (!isAll && !haveHoursChanged(before, after)) return [];
  const time = after.updateTime ?? 0;
  return [agenda.scheduleOf(deferredOf(after.id), time, { time, ...(isAll && { isAll }) })];
};
