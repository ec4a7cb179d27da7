import { contactOfItem } from '../../contacts/contact-items.ts';
import type { Contacts } from '../../contacts/contacts.ts';
import { isSelected } from '../../contacts/rules/contact-filter.ts';
import type { Worker } from '../../platform/agenda/due-work.ts';
import { type EffectRecord, once, type RequestKey } from '../../platform/requests/effects.ts';
import type { Database, TransactItem } from '../../platform/table/database.ts';
import { ifUnchanged } from '../../platform/table/expressions.ts';
import { type Item, keys } from '../../platform/table/keys.ts';
import { tryWrite } from '../../platform/table/optimistic.ts';
import { endOf } from '../../platform/time/schedule.ts';
import { type Instant, minuteMs } from '../../platform/time/time.ts';
import {
  brakeCause,
  type PauseWhen,
  type RecentCalls,
  type ToldCause,
  withCalls,
} from '../../tasks/rules/limits.ts';
import { brakeBase, closeTask, endCause, endTask, pauseTask, type Task } from '../../tasks/rules/task.ts';
import { isLive, status, type TaskStatus } from '../../tasks/rules/task-states.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import { nextDialState, readDialState } from '../dial-progress-items.ts';
import type { Selection } from '../reconsidered.ts';
import { type DialState, isDrained, linesOf } from '../rules/dial-state.ts';
import { dropContact } from '../rules/task-contact.ts';
import { joinCounters } from '../split-counters.ts';
import { readFirstCalls, type TaskContacts } from '../task-contacts.ts';
import { closeCounters, readCallCounts, readCounters } from '../task-counters.ts';

/**
 * A task without a contact to call now. `waiting`: a contact that waits for its call, if one was
 * searched for.
 */
type Idle = { status: TaskStatus; waiting?: number };

/** Maximum of contacts that one request settles because they cannot be called any more. */
const settledAtOnce = 100;

type Dependencies = {
  database: Database;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  selection: Selection;
  /** IANA name of the service's time zone. */
  zone: string;
};

const tasksAtOnce = 8;

const binary = 2;
const hex = 16;
const bitsPerDigit = 4;

/** Four calls in a digit, so that the item of the longest window stays below 1 KB. */
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
  from,
  ...counted,
  window: packed(window),
  length: window.length,
  v: version,
});

/**
 * Ends tasks, or pauses them.
 *
 * A task is *complete* when every contact has its final outcome. A task that is kept open waits for
 * further contacts instead. The last result ends its task, or a lease request that finds nothing
 * left to call. Both may see the end at the same time: one of them writes it. The write needs the
 * dial state that was read, and that no contact was added since. So a contact that is added or
 * recalled meanwhile is called. If the process dies before the write, the next lease request ends
 * the task.
 *
 * A task is *stopped* at its `callUntil`, and *fails* when a dialer says that it cannot be run.
 * Only a client *closes* a task, after its calls have ended. Its figures never change again.
 *
 * The *brake* pauses a task if too many of its calls failed. The counters have the number of calls
 * and of failed ones; one item has the order of the last calls. A result tries once to bring the
 * item up to date. If another result is faster, the next result adds both, so no result waits for
 * another.
 */
export class TaskEnds {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Ends a task that has nothing left to call, without a result. */
  async completeIdle(task: Task, now: Instant): Promise<Idle> {
    const [dial, counters] = await this.#read(task);
    if (dial.claimed > counters.settled) {
      const waiting = await this.#settleLost(task, linesOf(task, dial, counters), now);
      if (waiting !== undefined) return { status: status.running, waiting };
    }
    return { status: await this.complete(task, now) };
  }

  /**
   * Whether there are contacts that the task has not looked at, by a reading that may lag. If the
   * last of them were deleted, the next lease request completes the task.
   */
  async isUnderWay({ id }: Task): Promise<boolean> {
    const { cursor, visibleTo } = await readDialState(this.#deps.database.lagging, id);
    return cursor < visibleTo;
  }

  /**
   * Of many requests that see the end of a running task, one moves it to COMPLETED.
   * @returns the task's state afterwards
   */
  async complete(task: Task, now: Instant): Promise<TaskStatus> {
    if (task.keepOpen) return status.running;
    const [dial, counters] = await this.#read(task);
    if (!isDrained(dial, counters)) return status.running;
    const after = await this.#deps.tasks.changeIfDue(task.id, 'complete', async (current) => {
      const also = current.keepOpen ? undefined : await this.#endOf(current);
      if (also === undefined) return undefined;
      const contactCount = await this.#deps.contacts.count(current.dataSourceId);
      return { record: endTask(current, { contactCount }, now), also };
    });
    return after.status;
  }

  /** A first estimate. The order of the reads does not matter. */
  #read = ({ id }: Task) =>
    Promise.all([readDialState(this.#deps.database, id), readCounters(this.#deps.database, id)]);

  /**
   * Fails if a contact was added since, or an import has begun, because the contact may be in a
   * call by now. Contacts that a recall took up ahead of the cursor are counted as taken up. The
   * counters are read last: a write that opens a contact again also writes the dial state, so the
   * transaction fails.
   * @returns undefined while a contact is left to call
   */
  async #endOf(task: Task): Promise<TransactItem[] | undefined> {
    const { database, contacts, taskContacts } = this.#deps;
    const dial = await readDialState(database, task.id);
    if (dial.review !== undefined) return undefined;
    const left = await contacts.visibleFrom(task.dataSourceId, dial.cursor, dial.ahead + 1);
    const ahead = dial.ahead > 0 ? await taskContacts.range(task.id, dial.cursor, left.nextSeq) : [];
    const taken = new Set(ahead.map(({ seq }) => seq));
    const isAnyLeft = !left.isLast || left.contacts.some(({ seq }) => !taken.has(seq));
    if (isAnyLeft || left.isHeldBack) return undefined;
    if (!isDrained(dial, await readCounters(database, task.id))) return undefined;
    return [database.putOf(...nextDialState(dial)), contacts.noneAddedFrom(task.dataSourceId, left.nextSeq)];
  }

  /**
   * Settles waiting contacts that were deleted, or do not match the filter any more, until it finds
   * a contact that can be called. While a single contact waits, the task goes on, and the others
   * need not be read. Such contacts behind contacts in a call are settled too, so that the task
   * ends with the last call.
   */
  async #settleLost(task: Task, levels: number[], now: Instant): Promise<number | undefined> {
    const { database, taskContacts, selection } = this.#deps;
    let left = settledAtOnce;
    let inCall: number | undefined;
    for (const level of levels) {
      for await (const { seq, since, isLeased } of taskContacts.line(task.id, level, 1)) {
        if (isLeased && since > now) {
          inCall ??= seq;
          continue;
        }
        const [taskContact] = await taskContacts.read(task.id, [seq]);
        if (taskContact?.state === 'leased' || left-- === 0) return seq;
        if (taskContact?.state !== 'waiting') continue;
        const contact = await database.get(keys.contact(task.dataSourceId, seq));
        if (contact === undefined)
          await taskContacts.move([{ before: taskContact, after: dropContact(taskContact) }]);
        else if (isSelected(task.contactFilter, contactOfItem(task.dataSourceId, contact))) return seq;
        else await selection.leaveOut(task, [taskContact]);
      }
    }
    return inCall;
  }

  isOver(task: Task, now: Instant): boolean {
    return endOf(task, this.#deps.zone) <= now;
  }

  /** Its `callUntil` may have been moved since the task was read. @returns the task afterwards */
  async stop({ id }: Task, now: Instant): Promise<Task> {
    const { tasks, contacts, zone } = this.#deps;
    return tasks.changeIfDue(id, 'stop', async (task) => {
      if (!this.isOver(task, now)) return undefined;
      const { text, ...cause } = endCause(task, zone);
      return { record: endTask(task, await contacts.readHeld(task.dataSourceId), now, text, cause) };
    });
  }

  /** The task cannot be run at all. @throws ServiceError notFound (task), notAllowed (its state) */
  fail(taskId: string, reason: string, now: Instant, by?: string, requestKey?: RequestKey): Promise<Task> {
    const { tasks, contacts } = this.#deps;
    const end = async (task: Task) => endTask(task, await contacts.readHeld(task.dataSourceId), now, reason);
    return tasks.move(taskId, 'fail', end, by, requestKey);
  }

  /** Also stops the tasks for which no dialer asks. */
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

  /**
   * One transaction closes the task and all its counters, and writes the dial state. A result, a
   * recall or a lease request that changes a figure writes one of these items too, so it comes
   * before the close or fails.
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

  /**
   * Contacts whose lease has not expired. On AWS the index may lag a moment behind the leases of
   * contacts in line.
   */
  async #callsInProgress(task: Task, dial: DialState, now: Instant): Promise<number> {
    const { database, taskContacts } = this.#deps;
    const counters = await readCounters(database, task.id);
    if (counters.settled === dial.claimed) return 0;
    const { inCall } = await readFirstCalls(database, taskContacts, task.id, now);
    const lines = linesOf(task, dial, counters).map((level) => taskContacts.inCall(task.id, level, now));
    return inCall.length + (await Promise.all(lines)).flat().length;
  }

  /**
   * Called after a result was counted, in any state of the task.
   * @returns the task's state afterwards
   */
  async pauseIfFailing(task: Task, now: Instant): Promise<TaskStatus> {
    const { pauseWhen } = task;
    if (!pauseWhen) return task.status;
    const cause = brakeCause(await this.#bringUpToDate(task, pauseWhen), pauseWhen);
    const isBraked = cause !== undefined && task.status === status.running;
    return isBraked ? this.#pause(task, cause, now) : task.status;
  }

  async #bringUpToDate(task: Task, pauseWhen: PauseWhen): Promise<RecentCalls> {
    const { database } = this.#deps;
    const item = await database.get(keys.recentCalls(task.id));
    // Read after the item, so the counters have all that the item has.
    const counts = await readCallCounts(database, task);
    const known = item && recentOf(item);
    const recent = withCalls(known, brakeBase(task), counts, pauseWhen);
    if (recent === known) return recent;
    const version = (item?.v as number | undefined) ?? 0;
    const next = itemOf(task.id, recent, version + 1);
    const condition = ifUnchanged(item === undefined ? undefined : version);
    await tryWrite(() => database.put(next, condition));
    return recent;
  }

  /** Pauses the task, unless its brake was changed or it was resumed since it was read. */
  async #pause({ id, ...read }: Task, { text, ...cause }: ToldCause, now: Instant): Promise<TaskStatus> {
    const after = await this.#deps.tasks.changeIfDue(id, 'pause', async (task) => {
      const isSame = brakeBase(task).calls === brakeBase(read).calls && task.pauseWhen;
      return isSame ? { record: pauseTask(task, now, cause), note: text } : undefined;
    });
    return after.status;
  }
}
