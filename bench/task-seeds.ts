import { dialStateOf, nextDialState } from '../shared/dialing/dial-progress-items.ts';
import { itemOf } from '../shared/dialing/dialing-items.ts';
import { newTaskContact } from '../shared/dialing/rules/task-contact.ts';
import { counterKey } from '../shared/dialing/task-counters.ts';
import { type Item, keys } from '../shared/platform/table/keys.ts';
import { createTask, type Task } from '../shared/tasks/rules/task.ts';
import { move, type Service } from '../test/support/dialing/dialing.ts';
import { seedTime } from '../test/support/engines/seed-contacts.ts';

const leasedId = '0000000000000002';
const failedId = '0000000000000003';
/** Every tenth contact of an ended task failed. */
export const failedOf = (count: number) => Math.min(100_000, Math.floor(count / 10));

/** A task whose first `failed` calls all failed. `kept` of these contacts have items. */
export function* failedItems(
  taskId: string,
  dataSourceId: string,
  failed: number,
  kept = failed,
): Generator<Item> {
  const task = { id: taskId, dataSourceId, priority: 3 };
  const perShard = new Map<string, number>();
  for (let seq = 0; seq < kept; seq++) {
    const result = {
      nonce: 'abcdefghij',
      outcome: 'failed',
      reason: null,
      duration: 10,
      time: seedTime,
      final: true,
    } as const;
    yield itemOf({
      ...newTaskContact(task, seq, seedTime),
      state: 'final',
      attempts: 1,
      outcome: 'failed',
      recallNumber: 0,
      lease: { nonce: result.nonce, until: seedTime, isBeforeRecall: false },
      lastCallTime: seedTime,
      callCount: 1,
      duration: 10,
      results: [result],
    });
  }
  for (let seq = 0; seq < failed; seq++) {
    const { sk } = counterKey(taskId, seq);
    perShard.set(sk, (perShard.get(sk) ?? 0) + 1);
  }
  for (const [sk, n] of perShard) {
    yield {
      ...keys.task(taskId),
      sk,
      failed: n,
      settled: n,
      endFailed: n,
      r0: n,
      secs: 10 * n,
      at: seedTime,
    };
  }
  const [state] = nextDialState({ ...dialStateOf(taskId, undefined), cursor: failed, claimed: failed });
  yield state;
}

/** A task that has run. `tasksOf` adds its own record. */
export const taskItems = (dataSourceId: string, count: number): Generator<Item> =>
  failedItems(failedId, dataSourceId, failedOf(count));

/** A running task to lease from, and the task with failed contacts. */
export const tasksOf = async (service: Service, dataSourceId: string) => {
  const running = async (id: string): Promise<Task> => {
    const task = createTask({ taskName: id, dataSourceId, maxDialCount: 1 }, id, seedTime);
    await service.tasks.add(task);
    return move(service, task, 'publish', seedTime);
  };
  return { leased: await running(leasedId), failed: await running(failedId) };
};
