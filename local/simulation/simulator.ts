import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '../../shared/domain/tasks/task-states.ts';
import { simulatedCall } from './mix.ts';
import type { SimulationOptions } from './options.ts';
import { Pace } from './pace.ts';
import { type Call, CallLost, type ServiceClient } from './service-client.ts';

/** What the simulator has done for one task in this run; `done` contacts ended their last call for good. */
export type TaskProgress = {
  taskId: string;
  inCall: number;
  calls: number;
  succeeded: number;
  done: number;
  lost: number;
};

const mostLeased = 100;
/** A lease holds about this many seconds of calls: few enough to stop soon, enough to spare requests. */
const leasedAhead = 0.5;
const leaseSeconds = 120;
const idleMs = 250;
/** A call blocks its line for a thousandth part of its length unless told otherwise, and so many milliseconds more. */
const leastCallMs = 20;

/** A dialer that makes up how its calls end. */
export class Simulator {
  readonly #service: ServiceClient;
  readonly #options: SimulationOptions;
  readonly #pace: Pace;
  readonly #tasks = new Map<string, TaskProgress>();
  /** By task the phone numbers that are done: a recall takes them up again, and they count once. */
  readonly #done = new Map<string, Set<string>>();
  /** Calls to each contact: one that is recalled begins anew, but not with the same luck. */
  readonly #made = new Map<string, number>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #failure: unknown;

  constructor(service: ServiceClient, options: SimulationOptions) {
    this.#service = service;
    this.#options = options;
    this.#pace = new Pace(options.callsPerSecond);
  }

  get progress(): readonly TaskProgress[] {
    return [...this.#tasks.values()];
  }

  /** No further call is leased; `run` ends when those in flight are reported. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Calls until it is stopped, or until nothing is left to call. @throws SimulationError */
  async run(): Promise<void> {
    try {
      let leased = this.#lease();
      for (;;) {
        const calls = await leased;
        if (calls.length === 0) {
          if (this.#isStopped || (await this.#isDone())) break;
          await this.#pause(idleMs);
        }
        // Leased while the others are being called: otherwise the pace would stall each time.
        leased = this.#isStopped ? Promise.resolve([]) : this.#lease();
        for (const call of calls) await this.#start(call);
      }
    } finally {
      await Promise.all(this.#inFlight);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  #lease(): Promise<Call[]> {
    const limit = Math.ceil(this.#options.callsPerSecond * leasedAhead);
    const leased = this.#service.lease(Math.min(limit, mostLeased), leaseSeconds, this.#options.taskId);
    // It may fail while calls are being made, before anyone waits for it.
    leased.catch(() => {});
    return leased;
  }

  async #isDone(): Promise<boolean> {
    const { taskId, untilIdle } = this.#options;
    if (!untilIdle || this.#inFlight.size > 0) return false;
    if (taskId === undefined) return (await this.#service.runningTasks()) === 0;
    return (await this.#service.statistics(taskId)).status !== status.running;
  }

  /** Calls that are leased are made even after a stop: nobody else could for as long as the lease lasts. */
  async #start(call: Call): Promise<void> {
    const wait = this.#pace.take(performance.now()) - performance.now();
    if (wait > 1) await sleep(wait);
    const flight = this.#make(call)
      .catch((error) => {
        this.#failure ??= error;
        this.stop();
      })
      .finally(() => this.#inFlight.delete(flight));
    this.#inFlight.add(flight);
  }

  async #make(call: Call): Promise<void> {
    const task = this.#progressOf(call.taskId);
    const attempt = Math.max(call.attempt, (this.#made.get(`${call.taskId} ${call.phoneNumber}`) ?? 0) + 1);
    const { mix, seed } = this.#options;
    const { outcome, reason, duration } = simulatedCall(mix, seed, { ...call, attempt });
    task.inCall++;
    this.#count(task, call, false);
    try {
      await sleep(leastCallMs + duration * (this.#options.secondMs ?? 1));
      const { final } = await this.#service.report(call.callId, outcome, duration, reason);
      this.#made.set(`${call.taskId} ${call.phoneNumber}`, attempt);
      task.calls++;
      if (outcome === 'success') task.succeeded++;
      this.#count(task, call, final);
    } catch (error) {
      if (!(error instanceof CallLost)) throw error;
      task.lost++;
    } finally {
      task.inCall--;
    }
  }

  #progressOf(taskId: string): TaskProgress {
    const none = { taskId, inCall: 0, calls: 0, succeeded: 0, done: 0, lost: 0 };
    const known = this.#tasks.get(taskId) ?? none;
    this.#tasks.set(taskId, known);
    return known;
  }

  #count(task: TaskProgress, { phoneNumber }: Call, isDone: boolean): void {
    const done = this.#done.get(task.taskId) ?? new Set();
    this.#done.set(task.taskId, done);
    if (isDone) done.add(phoneNumber);
    else done.delete(phoneNumber);
    task.done = done.size;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => {});
  }
}
