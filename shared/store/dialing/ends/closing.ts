import { type DialState, linesOf } from '../../../domain/dialing/dial-state.ts';
import { closeTask, type Task } from '../../../domain/tasks/task.ts';
import { status } from '../../../domain/tasks/task-states.ts';
import type { Instant } from '../../../domain/time.ts';
import { type EffectRecord, once, type RequestKey } from '../../requests/index.ts';
import type { Database } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import { readFirstCalls } from '../records/calls-in-progress.ts';
import { joinCounters } from '../records/counter-parts.ts';
import { nextDialState, readDialState } from '../records/dialing-items.ts';
import type { TaskContacts } from '../records/task-contacts.ts';
import { closeCounters, readCounters } from '../records/task-counters.ts';

type Dependencies = { database: Database; tasks: Tasks; taskContacts: TaskContacts };

/**
 * Closes ended tasks for good: their figures never change again. Only a client closes a task, and only once its calls have
 * ended.
 */
export class Closing {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * One transaction closes the task and all its counters, and writes the dial state. A result, a recall or a lease
   * request that changes a figure writes one of these items too, so it comes before the close or fails.
   * @throws ServiceError notFound (task), notAllowed (its state, or calls in progress)
   */
  async close(id: string, now: Instant, by?: string, requestKey?: RequestKey): Promise<Task> {
    const { database, tasks } = this.#deps;
    return once(database, requestKey, `task#close#${id}`, async (effectRecord: EffectRecord<Task>) => {
      const decide = async (task: Task) => {
        const dial = await readDialState(database, id);
        const record = closeTask(task, await this.#callsInProgress(task, dial, now), now);
        await joinCounters(database, id);
        const frozen = [
          database.putOf(...nextDialState({ ...dial, isClosed: true })),
          ...closeCounters(database, id),
        ];
        return { record, also: [...frozen, ...effectRecord({ ...record, status: status.closed })] };
      };
      return (await tasks.change(id, 'close', decide, by)).record;
    });
  }

  /** Contacts whose lease has not expired. On AWS the index may lag a moment behind the leases of contacts in line. */
  async #callsInProgress(task: Task, dial: DialState, now: Instant): Promise<number> {
    const { database, taskContacts } = this.#deps;
    const counters = await readCounters(database, task.id);
    if (counters.settled === dial.claimed) return 0;
    const { inCall } = await readFirstCalls(database, taskContacts, task.id, now);
    const lines = linesOf(task, dial, counters).map((level) => taskContacts.inCall(task.id, level, now));
    return inCall.length + (await Promise.all(lines)).flat().length;
  }
}
