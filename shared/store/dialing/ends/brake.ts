import { brakeCause, type PauseWhen, type RecentCalls, withCalls } from '../../../domain/dialing/brake.ts';
import type { ToldCause } from '../../../domain/tasks/cause.ts';
import { brakeBase, pauseTask, type Task } from '../../../domain/tasks/task.ts';
import { status, type TaskStatus } from '../../../domain/tasks/task-states.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Database, type Item, ifUnchanged, keys, tryWrite } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import { readCounters } from '../records/task-counters.ts';

type Dependencies = { database: Database; tasks: Tasks };

const [binary, hex] = [2, 16];
const bitsPerDigit = 4;

/** Four calls in a digit: the item of the longest window stays below 1 KB. */
const packed = (window: string): string =>
  (window.match(/.{1,4}/g) ?? [])
    .map((bits) => Number.parseInt(bits.padEnd(bitsPerDigit, '0'), binary).toString(hex))
    .join('');
const unpacked = (digits: string, length: number): string =>
  [...digits]
    .map((digit) => Number.parseInt(digit, hex).toString(binary).padStart(bitsPerDigit, '0'))
    .join('')
    .slice(0, length);

const recentOf = ({ from, calls, failed, window, length }: Item) =>
  ({
    from,
    counted: { calls, failed },
    window: unpacked(window as string, length as number),
  }) as RecentCalls;

const itemOf = (taskId: string, { from, counted, window }: RecentCalls, version: number): Item => ({
  ...keys.recentCalls(taskId),
  ...{ from, ...counted, window: packed(window), length: window.length, v: version },
});

/**
 * Pauses a task of which too many calls failed. The counters say how many calls there were and how many of them failed;
 * one item keeps the order of the last calls. A result tries once to bring the item up to date. If another result is
 * faster, the next result adds both: no result waits for another.
 */
export class Brake {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** To be called after a result was counted, in any state of the task. Answers the task's state then. */
  async apply(task: Task, now: Instant): Promise<TaskStatus> {
    const { pauseWhen } = task;
    if (!pauseWhen) return task.status;
    const cause = brakeCause(await this.#bringUpToDate(task, pauseWhen), pauseWhen);
    const isBraked = cause !== undefined && task.status === status.running;
    return isBraked ? this.#pause(task, cause, now) : task.status;
  }

  async #bringUpToDate(task: Task, pauseWhen: PauseWhen): Promise<RecentCalls> {
    const { database } = this.#deps;
    const item = await database.get(keys.recentCalls(task.id));
    // Read after the item: the counters have all that the item has.
    const { tally } = await readCounters(database, task.id);
    const known = item && recentOf(item);
    const counts = { calls: tally.callCount, failed: tally.failCount };
    const recent = withCalls(known, brakeBase(task), counts, pauseWhen);
    if (recent === known) return recent;
    const version = (item?.v as number | undefined) ?? 0;
    const next = itemOf(task.id, recent, version + 1);
    const condition = ifUnchanged(item === undefined ? undefined : version);
    await tryWrite(() => database.put(next, condition));
    return recent;
  }

  /** Unless the brake was changed, or the task resumed, since the task was read. */
  async #pause({ id, ...read }: Task, { text, ...cause }: ToldCause, now: Instant): Promise<TaskStatus> {
    const after = await this.#deps.tasks.changeIfDue(id, 'pause', async (task) => {
      const isSame = brakeBase(task).calls === brakeBase(read).calls && task.pauseWhen;
      return isSame ? { record: pauseTask(task, now, cause), note: text } : undefined;
    });
    return after.status;
  }
}
