import { allEnded, concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { isLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import { type Channels, channelEnd, isLimited, type Room, unlimited } from '../tasks/rules/limits.ts';
import type { Task } from '../tasks/rules/task.ts';
import { type Channel, freeChannel, moveChannel } from './pace-items.ts';
import { type LeaseTimes, type Paced, PaceLimit, readRoom } from './pace-limit.ts';
import { fairShares } from './rules/dial-state.ts';

type Dependencies = {
  database: Database;
  /** Maximum of calls of all tasks at once; 0: no limit. */
  maxConcurrentCalls: number;
  /** The calls of a task that are in progress, by the time at which their channels are free. */
  inProgress: (task: Task, now: Instant) => Promise<ReadonlyMap<Instant, number>>;
};

/** A call that has channels, named by its task and contact. */
type PacedCall = { taskId: string; seq: number; channels: Channels | undefined };

const tasksAtOnce = 16;

const pacedTask = (task: Task): Omit<Paced, 'inProgress'> => ({
  pace: keys.taskPace(task.id),
  limits: task,
  since: task.limitedSince ?? 0,
});

const pacedService = (maxConcurrentCalls: number): Omit<Paced, 'inProgress'> => ({
  pace: keys.servicePace,
  limits: { maxConcurrentCalls },
  since: 0,
});

/** The room of a task under its own limits. */
export const readTaskRoom = async (database: Database, task: Task, now: Instant): Promise<Room> =>
  isLimited(task) ? readRoom(database, pacedTask(task), now) : unlimited;

/** The room of the service. 0: no limit. */
export const readServiceRoom = async (database: Database, limit: number, now: Instant): Promise<Room> =>
  limit > 0 ? readRoom(database, pacedService(limit), now) : unlimited;

/**
 * Keeps the calls of tasks, and of the service, within their limits. Without a limit nothing is
 * read or written.
 *
 * Under a limit each call has a *channel*: of its task, of the service, or of both. A lease request
 * takes channels before it leases contacts, and gives back the channels that it did not need.
 * `PaceLimit` ensures that two requests never take the same room. The lease remembers the channels
 * of its call. A result or a release frees them; `extend` keeps them for longer before it writes
 * the lease.
 *
 * Each channel is free by itself when the lease would have ended. So a process that dies between
 * two of these steps leaves room unused for a while, and never leaves a call uncounted.
 */
export class Pace {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async forRequest(times: LeaseTimes): Promise<LeasePace> {
    const { database, maxConcurrentCalls } = this.#deps;
    // Calls from before the limit was set do not count, because nothing lists the calls of all
    // tasks.
    const paced = { ...pacedService(maxConcurrentCalls), inProgress: async () => new Map() };
    const service = maxConcurrentCalls > 0 ? await new PaceLimit(database, paced, times).read() : undefined;
    const limitOf = (task: Task) => {
      const inProgress = (now: Instant) => this.#deps.inProgress(task, now);
      return new PaceLimit(database, { ...pacedTask(task), inProgress }, times).read();
    };
    return new LeasePace(service, limitOf);
  }

  /** Whether the task has room now. */
  async hasRoom(task: Task, now: Instant): Promise<boolean> {
    return (await readTaskRoom(this.#deps.database, task, now)).calls > 0;
  }

  /** The call has ended. @returns whether this makes room in its task */
  async free(call: PacedCall, now: Instant): Promise<boolean> {
    const { database } = this.#deps;
    await allEnded(channelsOf(call).map((channel) => freeChannel(database, channel, call.seq, now)));
    return call.channels?.task !== undefined;
  }

  /**
   * Keeps the channels of a call for longer while `extend` writes its lease with the channels that
   * it has then. If the lease was not written, the channels are as before.
   */
  async keep<T>(
    call: PacedCall,
    until: Instant,
    now: Instant,
    extend: (channels: Channels | undefined) => Promise<T>,
  ): Promise<T> {
    const { database } = this.#deps;
    const end = channelEnd(until, now);
    const { task, service } = call.channels ?? {};
    const longer = {
      ...call.channels,
      ...(task && { task: Math.max(task, end) }),
      ...(service && { service: Math.max(service, end) }),
    };
    const shorter = channelsOf(call).filter((channel) => channel.end < end);
    const moveAll = (move: (channel: Channel) => Promise<void>) => allEnded(shorter.map(move));
    await moveAll((channel) => moveChannel(database, channel, end, now));
    try {
      return await extend(call.channels && longer);
    } catch (error) {
      // After any other error the lease may have been written. Then the channels are free by
      // themselves, though later.
      const moveBack = (channel: Channel) => moveChannel(database, { ...channel, end }, channel.end, now);
      if (isLost(error)) await moveAll(moveBack).catch(() => {});
      throw error;
    }
  }
}

const channelsOf = ({ taskId, channels = {} }: PacedCall): Channel[] => {
  const { task, service, isTaskWide = false, isServiceWide = false } = channels;
  return [
    ...(task === undefined ? [] : [{ pace: keys.taskPace(taskId), end: task, isWide: isTaskWide }]),
    ...(service === undefined ? [] : [{ pace: keys.servicePace, end: service, isWide: isServiceWide }]),
  ];
};

/** What one lease request may hand out. */
export class LeasePace {
  readonly #service: PaceLimit | undefined;
  readonly #limitOf: (task: Task) => Promise<PaceLimit>;
  readonly #limits = new Map<string, PaceLimit>();

  constructor(service: PaceLimit | undefined, limitOf: (task: Task) => Promise<PaceLimit>) {
    this.#service = service;
    this.#limitOf = limitOf;
  }

  /** The room of the service. */
  get room(): Room {
    return this.#service?.room ?? unlimited;
  }

  /** Called for each task before its calls are leased. */
  async join(task: Task): Promise<void> {
    if (!isLimited(task) || this.#limits.has(task.id)) return;
    this.#limits.set(task.id, await this.#limitOf(task));
  }

  roomOf({ id }: Task): Room {
    return this.#limits.get(id)?.room ?? unlimited;
  }

  /** When calls of the task were last leased. Only for a task with limits. */
  lastTimeOf({ id }: Task): Instant {
    return this.#limits.get(id)?.lastTime ?? 0;
  }

  channelsOf({ id }: Task): Channels | undefined {
    const task = this.#limits.get(id);
    const service = this.#service;
    if (task === undefined && service === undefined) return undefined;
    return {
      ...(task && { task: task.end }),
      ...(service && { service: service.end }),
      ...(task?.isWide && { isTaskWide: true }),
      ...(service?.isWide && { isServiceWide: true }),
    };
  }

  /** Takes channels for `count` calls of each task. @returns how many calls each may make */
  async take(wanted: readonly { task: Task; count: number }[]): Promise<number[]> {
    const counts = await concurrently(wanted, tasksAtOnce, async ({ task, count }) => {
      const limit = this.#limits.get(task.id);
      return limit === undefined || count === 0 ? count : limit.take(count);
    });
    if (this.#service === undefined) return counts;
    const taken = await this.#service.take(counts.reduce((sum, count) => sum + count, 0));
    const shares = fairShares(taken, counts);
    const unused = wanted.map(({ task }, at) => ({ task, count: counts[at]! - shares[at]! }));
    await concurrently(unused, tasksAtOnce, async ({ task, count }) =>
      this.#limits.get(task.id)?.giveBack(count),
    );
    return shares;
  }

  /** For calls of the task that were not leased after all. */
  async giveBack({ id }: Task, count: number): Promise<void> {
    await allEnded([this.#limits.get(id)?.giveBack(count), this.#service?.giveBack(count)]);
  }
}
