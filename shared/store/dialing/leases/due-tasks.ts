import { callbackLevel } from '../../../domain/dialing/dial-state.ts';
import { priorities } from '../../../domain/dialing/dialing.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Agenda, callbacksOf, callsOf, type Entry } from '../../agenda/index.ts';
import { concurrently } from '../../table/index.ts';

/** `areAll`: no other task is due. `next`: the first due time after that. */
type Due = { entries: Entry[]; areAll: boolean; next: Instant };

const levels = [callbackLevel, ...priorities];

/** Read at a time of each level. */
const usuallyListed = 100;

/** The line of the agenda with the tasks that have calls of that level. */
const lineOf = (level: number) =>
  level === callbackLevel ? { kind: 'callbacks' as const } : { kind: 'calls' as const, level };

/** The tasks whose calls or callbacks a lease request should check by now. */
export class DueTasks {
  readonly #agenda: Agenda;
  readonly #listedAtOnce: number;
  /** The last entry that was read at a level, if more may be due there: the next reading goes on behind it. */
  readonly #readTo = new Map<number, string>();

  constructor(agenda: Agenda, listedAtOnce = usuallyListed) {
    this.#agenda = agenda;
    this.#listedAtOnce = listedAtOnce;
  }

  /** The most urgent first, and the first due time after that, up to `until`. On AWS the answer may lag a moment. */
  async read(now: Instant, until: Instant): Promise<Due> {
    const due = await concurrently(levels, levels.length, (level) => this.#readLevel(level, now, until));
    return {
      entries: due.flatMap(({ entries }) => entries),
      areAll: due.every(({ areAll }) => areAll),
      next: Math.min(...due.map(({ next }) => next)),
    };
  }

  /** Where more tasks are due than one reading gives, readings take turns, so that every task is checked. */
  async #readLevel(level: number, now: Instant, until: Instant): Promise<Due> {
    const after = this.#readTo.get(level) ?? '';
    const read = await this.#agenda.due(lineOf(level), until, this.#listedAtOnce, after);
    const entries = read.filter(({ due }) => due <= now);
    // In the order of their due times: behind a task that is not due there is none that is.
    const isFull = entries.length === this.#listedAtOnce;
    this.#readTo.set(level, isFull ? read.at(-1)!.sort : '');
    return {
      entries,
      areAll: after === '' && !isFull,
      next: Math.min(until, ...read.slice(entries.length).map(({ due }) => due)),
    };
  }
}

/** At most `limit` tasks to check by now at each priority before `level`, the most urgent first. May lag a moment. */
export const readTasksBefore = async (
  agenda: Agenda,
  level: number,
  now: Instant,
  limit: number,
): Promise<string[]> => {
  const before = priorities.filter((priority) => priority < level);
  const found = await concurrently(before, before.length, (priority) =>
    agenda.due(lineOf(priority), now, limit),
  );
  return found.flat().map(({ id }) => id);
};

/** Call it after the write that lets a task call again whose limits held its calls back. */
export const bringTaskForward = async (
  agenda: Agenda,
  task: Pick<Task, 'id' | 'dataSourceId'>,
  due: Instant,
): Promise<void> => {
  await Promise.all([agenda.bringForward(callsOf(task), due), agenda.bringForward(callbacksOf(task), due)]);
};
