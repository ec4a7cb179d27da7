import type { Contacts } from '../contacts/contacts.ts';
import type { Task } from '../tasks/rules/task.ts';
import { type CountedTask, emptyTally, type Tally } from '../tasks/rules/task-views.ts';

/** The counts of tasks: their calls, and the contacts of their data source until the task ends. */
export class TaskCounts {
  readonly #contacts: Contacts;
  readonly #tallies: (taskIds: readonly string[]) => Promise<Map<string, Tally>>;

  constructor(contacts: Contacts, tallies: (taskIds: readonly string[]) => Promise<Map<string, Tally>>) {
    this.#contacts = contacts;
    this.#tallies = tallies;
  }

  async of(tasks: readonly Task[]): Promise<CountedTask[]> {
    const sources = [...new Set(tasks.filter(isLive).map(({ dataSourceId }) => dataSourceId))];
    // A task that was never published has no calls to count.
    const started = tasks.filter(({ startTime }) => startTime !== null).map(({ id }) => id);
    const [summaries, tallies] = await Promise.all([
      this.#contacts.summaries(sources),
      this.#tallies(started),
    ]);
    return tasks.map((task) => ({
      task,
      contactCount: task.contactCount ?? summaries[sources.indexOf(task.dataSourceId)]?.contactCount ?? 0,
      tally: tallies.get(task.id) ?? emptyTally,
    }));
  }

  async ofOne(task: Task): Promise<CountedTask> {
    const [counted] = await this.of([task]);
    return counted as CountedTask;
  }
}

const isLive = ({ contactCount }: Task) => contactCount === null;
