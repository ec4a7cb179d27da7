import type { Task } from '../domain/task.ts';
import { type CountedTask, emptyTally } from '../domain/task-views.ts';
import type { Contacts } from './contacts.ts';

/** What tasks are counted by: the contacts of their data source, until frozen, and their calls. */
export class TaskCounts {
  readonly #contacts: Contacts;

  constructor(contacts: Contacts) {
    this.#contacts = contacts;
  }

  async of(tasks: readonly Task[]): Promise<CountedTask[]> {
    const sources = [...new Set(tasks.filter(isLive).map(({ dataSourceId }) => dataSourceId))];
    const counts = await this.#contacts.counts(sources);
    return tasks.map((task) => ({
      task,
      contactCount: task.contactCount ?? counts[sources.indexOf(task.dataSourceId)] ?? 0,
      tally: emptyTally,
    }));
  }

  async ofOne(task: Task): Promise<CountedTask> {
    const [counted] = await this.of([task]);
    return counted as CountedTask;
  }
}

const isLive = ({ contactCount }: Task) => contactCount === null;
