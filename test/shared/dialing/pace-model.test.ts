import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { changeTask, type Task } from '../../../shared/tasks/rules/task.ts';
import { aRunningTask, aService, minute, second, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { randomRuns } from '../../support/run/extent.ts';
import { type Step, stepsOf } from '../../support/run/random-steps.ts';

type Limits = { maxConcurrentCalls: number | null; callsPerMinute: number | null };
/** `kept`: until when its channel may be in use, after the lease has run out. */
type ModelCall = { call: LeasedCall; begun: number; until: number; kept: number; isOver: boolean };

const limits: fc.Arbitrary<Limits> = fc.record({
  maxConcurrentCalls: fc.option(fc.integer({ min: 1, max: 6 })),
  callsPerMinute: fc.option(fc.integer({ min: 1, max: 9 })),
});
/**
 * Two tasks with more contacts than are called, and what counts towards their limits, call by call.
 */
class PaceWorld {
  readonly #database: Database;
  readonly #services;
  readonly #serviceLimit: number;
  readonly #tasks: Task[] = [];
  readonly #calls: ModelCall[] = [];
  /**
   * Calls that began before a task had a limit of its minute do not count for it: the first call
   * that does.
   */
  readonly #countedFrom = new Map<string, number>();
  #turn = 0;
  now = start;

  constructor(database: Database, serviceLimit: number) {
    this.#database = database;
    this.#serviceLimit = serviceLimit;
    this.#services = [0, 1].map(() => aService(database, 'UTC', undefined, 0, serviceLimit));
  }

  get #service() {
    return this.#services[this.#turn++ % 2]!;
  }

  async addTask(paces: Limits) {
    const settings = { contactCount: 400, maxDialCount: 1, callInterval: 0, ...paces };
    this.#tasks.push(await aRunningTask(this.#database, this.#service, settings));
  }

  async wait(ms: number) {
    this.now += ms;
  }

  #live(task?: Task, isKept = false): ModelCall[] {
    return this.#calls.filter(
      ({ call, isOver, until, kept }) =>
        !isOver && (isKept ? kept : until) > this.now && (task === undefined || call.taskId === task.id),
    );
  }

  /** What the limits allow at most, or what they allow for certain. */
  #room(task: Task, isCertain: boolean): number {
    const { maxConcurrentCalls, callsPerMinute } = task;
    const window = minute + (isCertain ? 2 * second : 0);
    const counted = isCertain ? this.#calls : this.#calls.slice(this.#countedFrom.get(task.id) ?? 0);
    const begun = counted.filter(({ call, begun: at }) => call.taskId === task.id && at > this.now - window);
    const lines = (maxConcurrentCalls ?? Infinity) - this.#live(task, isCertain).length;
    return Math.max(0, Math.min(lines, (callsPerMinute ?? Infinity) - begun.length));
  }

  #rooms(tasks: readonly Task[], isCertain: boolean): number {
    const sum = tasks.reduce((total, task) => total + this.#room(task, isCertain), 0);
    const all = (this.#serviceLimit || Infinity) - this.#live(undefined, isCertain).length;
    return Math.max(0, Math.min(sum, all));
  }

  async lease(limit: number, seconds: number, only: number | null) {
    const tasks = only === null ? this.#tasks : [this.#tasks[only]!];
    const [least, most] = [true, false].map((isCertain) => Math.min(limit, this.#rooms(tasks, isCertain)));
    const rooms = tasks.map((task) => this.#room(task, false));
    const request = { limit, leaseSeconds: seconds, ...(only === null ? {} : { taskId: tasks[0]!.id }) };
    const { calls, retryAfterSeconds } = await this.#service.dialer.leases.lease(request, this.now);
    expect(calls.length).toBeLessThanOrEqual(most!);
    expect(calls.length).toBeGreaterThanOrEqual(least!);
    for (const [at, { id }] of tasks.entries())
      expect(calls.filter(({ taskId }) => taskId === id).length).toBeLessThanOrEqual(rooms[at]!);
    expect(retryAfterSeconds === 0).toBe(calls.length === limit);
    const until = this.now + seconds * second;
    const kept = until + Math.max(1, Math.ceil(seconds / 20)) * second;
    for (const call of calls) this.#calls.push({ call, begun: this.now, until, kept, isOver: false });
  }

  /** One of the calls in progress. */
  #picked(pick: number): ModelCall | undefined {
    const live = this.#live();
    return live[pick % Math.max(1, live.length)];
  }

  async extend(pick: number, seconds: number) {
    const found = this.#picked(pick);
    if (found === undefined) return;
    const until = this.now + seconds * second;
    const extension = { callId: found.call.callId, until };
    found.until = (await this.#service.dialer.liveLeases.extend(extension, this.now)).leaseExpireTime;
    found.kept = Math.max(found.kept, until + Math.max(1, Math.ceil(seconds / 20)) * second);
  }

  async end(pick: number, how: 'report' | 'release') {
    const found = this.#picked(pick);
    if (found === undefined) return;
    found.isOver = true;
    const [{ dialer }, { callId }] = [this.#service, found.call];
    if (how === 'release') await dialer.liveLeases.release({ callId }, this.now);
    else await dialer.results.report({ callId, outcome: 'success', duration: 1 }, this.now);
  }

  /** As an operator does it. Calls in progress count from then on. */
  async adjust(which: number, changes: Limits) {
    const task = this.#tasks[which]!;
    const { id } = task;
    const adjusted = await this.#service.tasks.move(id, 'adjust', (current) =>
      changeTask(current, changes, this.now),
    );
    if (typeof task.callsPerMinute !== 'number') this.#countedFrom.set(id, this.#calls.length);
    this.#tasks[which] = adjusted;
    expect((await this.#database.get(keys.task(id)))?.maxConcurrentCalls ?? null).toBe(
      changes.maxConcurrentCalls,
    );
  }
}

const step = stepsOf<PaceWorld>();
const leaseSeconds = fc.constantFrom(10, 45, 120, 900);
const steps: fc.Arbitrary<Step<PaceWorld>> = fc.oneof(
  step(5, 'lease', fc.integer({ min: 1, max: 8 }), leaseSeconds, fc.option(fc.nat({ max: 1 }))),
  step(4, 'end', fc.nat(), fc.constant('report')),
  step(1, 'end', fc.nat(), fc.constant('release')),
  step(1, 'extend', fc.nat(), leaseSeconds),
  step(1, 'adjust', fc.nat({ max: 1 }), limits),
  step(3, 'wait', fc.constantFrom(300, 2000, 11_000, 61_000, 15 * minute)),
);

it('is what a count of the calls, one by one, comes to', async () => {
  const scenario = fc.record({
    paces: fc.tuple(limits, limits),
    serviceLimit: fc.constantFrom(0, 0, 5),
    steps: fc.array(steps, { minLength: 5, maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ paces, serviceLimit, steps }) => {
      const table = await engines[0]!.open();
      const world = new PaceWorld(table.database, serviceLimit);
      for (const each of paces) await world.addTask(each);
      for (const run of steps) await run(world);
      await table.close();
    }),
    randomRuns(12, 50),
  );
});
