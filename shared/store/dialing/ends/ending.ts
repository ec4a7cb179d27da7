import { endOf } from '../../../domain/schedule.ts';
import { endCause, endTask, type Task } from '../../../domain/tasks/task.ts';
import { isLive } from '../../../domain/tasks/task-states.ts';
import { type Instant, minuteMs } from '../../../domain/time.ts';
import type { Worker } from '../../agenda/index.ts';
import type { Contacts } from '../../contacts/index.ts';
import type { Tasks } from '../../tasks/index.ts';

type Dependencies = {
  tasks: Tasks;
  contacts: Contacts;
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
    return tasks.changeIfDue(id, 'stop', async (task) => {
      if (!this.isOver(task, now)) return undefined;
      const { text, ...cause } = endCause(task, zone);
      return { record: endTask(task, await contacts.readHeld(task.dataSourceId), now, text, cause) };
    });
  }

  /** Also stops the tasks that no dialer asks for. */
  worker(): Worker {
    const { tasks, zone } = this.#deps;
    return {
      kind: 'end',
      claimMs: minuteMs,
      atOnce: tasksAtOnce,
      work: async ({ id }, { now }) => {
        const [task] = await tasks.findAll([id]);
        const after = task && this.isOver(task, now()) ? await this.stop(task, now()) : task;
        return after && isLive(after.status) && after.callUntil ? { next: endOf(after, zone) } : 'done';
      },
    };
  }
}
