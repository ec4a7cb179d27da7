import { priorities } from '../../domain/dialing/dialing.ts';
import { endOf } from '../../domain/schedule.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { haveHoursChanged } from '../../domain/tasks/task-adjustments.ts';
import { isLive, type Operation, status } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import {
  type Agenda,
  callbacksOf,
  callsOf,
  deferredOf,
  earliestZone,
  endOfTask,
  quietMs,
  removalWork,
} from '../agenda/index.ts';
import type { TransactItem } from '../table/index.ts';

/** The most urgent priority. */
const [highest] = priorities;

/** What a change of a task adds to its transaction, so that the agenda always knows the work of the task. */
export class TaskWork {
  readonly #agenda: Agenda;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  /** `callsAt`: the most urgent priority of the task's contacts, if it is not the task's own. */
  async steps(operation: Operation, before: Task, after: Task, callsAt?: number): Promise<TransactItem[]> {
    return [
      ...(await this.#callSteps(operation, before, after, callsAt)),
      ...this.#endSteps(before, after),
      ...this.#deferredSteps(before, after),
    ];
  }

  /** No function that began before the deletion is at work when the removal is due. */
  removal({ id, dataSourceId }: Task, now: Instant): TransactItem[] {
    return [this.#agenda.scheduleOf(removalWork('task', id), now + quietMs, { dataSourceId })];
  }

  /**
   * A task that runs again may have recalled contacts of any priority: it is checked with the most urgent tasks. So is a
   * task that was adjusted: it may have contacts to call at once.
   */
  async #callSteps(operation: Operation, before: Task, after: Task, callsAt?: number) {
    const calls = callsOf(after);
    if (after.status === status.running) {
      if (before.status === status.running && operation !== 'adjust') return [];
      const isFirstStart = before.startTime === null;
      const level = isFirstStart ? after.priority : (callsAt ?? highest);
      // No contact has waited longer than since the start of the task.
      const entry = this.#agenda.scheduleOf({ ...calls, level }, after.startTime ?? 0);
      return isFirstStart ? [entry] : [entry, ...(await this.#callbackSteps(after))];
    }
    if (before.status === after.status) return [];
    if (after.status === status.paused) return [this.#agenda.parkOf(calls)];
    return isLive(before.status) ? [this.#agenda.doneOf(calls)] : [];
  }

  async #callbackSteps(task: Task): Promise<TransactItem[]> {
    const callbacks = callbacksOf(task);
    return (await this.#agenda.find(callbacks)) === undefined ? [] : [this.#agenda.scheduleOf(callbacks, 0)];
  }

  /** Where the task names no zone, the worker knows the service's and postpones the entry. */
  #endSteps(before: Task, after: Task): TransactItem[] {
    const [known, until] = [before, after].map((task) => (isLive(task.status) ? task.callUntil : undefined));
    if ((known ?? null) === (until ?? null)) return [];
    const work = endOfTask(after);
    return [until ? this.#agenda.scheduleOf(work, endOf(after, earliestZone)) : this.#agenda.doneOf(work)];
  }

  #deferredSteps(before: Task, after: Task): TransactItem[] {
    if (!isLive(before.status) || !isLive(after.status) || !haveHoursChanged(before, after)) return [];
    const time = after.updateTime ?? 0;
    return [this.#agenda.scheduleOf(deferredOf(after.id), time, { time })];
  }
}
