import { endOf } from '../../../domain/schedule.ts';
import { endCause, endTask, type Task } from '../../../domain/tasks/task.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Contacts } from '../../contacts/index.ts';
import { concurrently } from '../../table/index.ts';
import type { TaskEnds, Tasks } from '../../tasks/index.ts';

type Dependencies = {
  tasks: Tasks;
  contacts: Contacts;
  ends: TaskEnds;
  /** IANA name of the service's time zone. */
  zone: string;
};

const tasksAtOnce = 8;

/** Stops the tasks whose `callUntil` has come. */
export class Ending {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  isOver(task: Task, now: Instant): boolean {
    return endOf(task, this.#deps.zone) <= now;
  }

  /** The task as it is then. Its `callUntil` may have been moved since it was read. */
  async stop({ id }: Task, now: Instant): Promise<Task> {
    const { tasks, contacts, zone } = this.#deps;
    return tasks.decideIfDue(id, 'stop', async (task) => {
      if (!this.isOver(task, now)) return undefined;
      const { text, ...cause } = endCause(task, zone);
      return { record: endTask(task, await contacts.readHeld(task.dataSourceId), now, text, cause) };
    });
  }

  /** Also stops the tasks that no dialer asks for. Each record is removed last, so that a run that died is repeated. */
  async sweep(now: Instant): Promise<void> {
    const { tasks, ends, zone } = this.#deps;
    await concurrently(await ends.due(now, zone), tasksAtOnce, async (end) => {
      const [task] = await tasks.findAll([end.taskId]);
      if (task !== undefined && this.isOver(task, now)) await this.stop(task, now);
      await ends.remove(end);
    });
  }
}
