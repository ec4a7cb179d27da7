import type { Task } from '../domain/task.ts';
import type { Standing } from '../domain/task-overview.ts';
import { status } from '../domain/task-states.ts';
import type { Instant } from '../domain/time.ts';
import { CallingRules } from './calling-rules.ts';
import { contactOfItem } from './contacts/contact-items.ts';
import { hasFieldName } from './contacts/field-names.ts';
import type { Database, Item } from './database.ts';
import { keys } from './keys.ts';
import type { TaskState } from './task-progress.ts';

/** So many of the next contacts are looked at, half a read unit each. */
const lookedAt = 4;

/** Tells when the next contacts may be called, where some have time zones of their own. */
export class OwnHours {
  readonly #database: Database;
  readonly #rules: CallingRules;

  constructor(database: Database, zone: string) {
    this.#database = database;
    this.#rules = new CallingRules(database, { zone, callsPerNumber: 0 });
  }

  /** `undefined` where the task's own hours are all that counts. */
  async next(task: Task, state: TaskState, now: Instant): Promise<Standing['next']> {
    if (task.status !== status.running) return undefined;
    if (!(await hasFieldName(this.#database, task.dataSourceId, 'timeZone'))) return undefined;
    const next = await this.#nextOnes(task, state, now);
    const times = next.map(({ item, since }) => {
      const contact = contactOfItem(task.dataSourceId, item);
      const time = this.#rules.opening(task, Math.max(now, since), contact);
      return { time, isClosed: this.#rules.opening(task, now, contact) !== now };
    });
    return times.sort((a, b) => a.time - b.time)[0];
  }

  /** Half of those who wait, half of those who were never called; more of the ones where there are few of the others. */
  async #nextOnes(
    { dataSourceId }: Task,
    { line, lapsed, untouched, dial, standing }: TaskState,
    now: Instant,
  ) {
    const due = [...lapsed.map((seq) => ({ seq, since: now })), ...line];
    const fresh = [
      ...untouched,
      ...((standing.notDialed ?? 0) > 0 ? Array.from({ length: lookedAt }, (_, i) => dial.cursor + i) : []),
    ].map((seq) => ({ seq, since: now }));
    const some = due.slice(0, Math.max(lookedAt / 2, lookedAt - fresh.length));
    const looked = [...some, ...fresh.slice(0, lookedAt - some.length)];
    const items = await this.#database.batchGet(looked.map(({ seq }) => keys.contact(dataSourceId, seq)));
    return looked.flatMap(({ since }, i): { item: Item; since: Instant }[] => {
      const item = items[i];
      return item === undefined ? [] : [{ item, since }];
    });
  }
}
