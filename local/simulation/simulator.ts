import { setTimeout as sleep } from 'node:timers/promises';
import type { Data } from '../../client/client.ts';
import { callbacksAtMost } from '../../shared/dialing/rules/call-decisions.ts';
import { type Instant, secondMs } from '../../shared/platform/time/time.ts';
import { status } from '../../shared/tasks/rules/task-states.ts';
import type { Disposition } from './made-up.ts';
import { simulatedCall } from './mix.ts';
import type { SimulationOptions } from './options.ts';
import { type Call, CallLost, type Leased, type Result, type ServiceClient } from './service-client.ts';

type Answer = Data<'reportResult'>;
type Batch = { results: Result[]; answers: Promise<(Answer | undefined)[]> };

/** The maximum of the service. */
const resultsAtMost = 100;
/** Milliseconds that a result waits for others. */
const gatherMs = 50;

/** Reports the results of a moment in one request. A refused result is sent again alone. */
export class ResultQueue {
  readonly #service: ServiceClient;
  #open: Batch | undefined;

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  /** @throws SimulationError, CallLost */
  async report(result: Result): Promise<Answer> {
    const { results, answers } = this.#open ?? this.#begin();
    const index = results.push(result) - 1;
    if (results.length === resultsAtMost) this.#open = undefined;
    return (await answers)[index] ?? this.#service.report(result);
  }

  #begin(): Batch {
    const results: Result[] = [];
    const answers = sleep(gatherMs).then(() => {
      if (this.#open?.results === results) this.#open = undefined;
      return this.#service.reportAll(results);
    });
    this.#open = { results, answers };
    return this.#open;
  }
}

/** What the simulator did for a task in this run. Only a recall brings `done` contacts back. */
export type TaskProgress = {
  taskId: string;
  inCall: number;
  calls: number;
  succeeded: number;
  done: number;
  lost: number;
};

const maxLeased = 100;
/** Seconds of calls that a lease request asks for: few enough to stop soon. */
const leasedAhead = 0.5;
const leaseSeconds = 120;
/** Milliseconds between two requests while the service has no calls. */
const idleMs = 250;
/** Milliseconds of a call besides its duration. */
const connectMs = 20;
const usualSpeed = 30;

const callbackAfter = [60] as const;

/** A time of the service, in whatever zone, some seconds later. */
const laterBy = (time: string, seconds: number): string =>
  new Date(Date.parse(`${time.replace(' ', 'T')}Z`) + seconds * secondMs)
    .toISOString()
    .slice(0, time.length)
    .replace('T', ' ');

/** Spreads calls evenly, with at most the given number in a second. */
export class Pace {
  readonly #gapMs: number;
  #next: Instant = 0;

  constructor(callsPerSecond: number) {
    this.#gapMs = 1000 / callsPerSecond;
  }

  /** When the next call may start. Time without calls is not made up for. */
  take(now: Instant): Instant {
    const start = Math.max(now, this.#next);
    this.#next = start + this.#gapMs;
    return start;
  }
}

/** A dialer that makes up the results of its calls. */
export class Simulator {
  readonly #service: ServiceClient;
  readonly #options: SimulationOptions;
  readonly #pace: Pace;
  readonly #tasks = new Map<string, TaskProgress>();
  /** The numbers that are done, by task. A recalled contact is called again, but counts once. */
  readonly #done = new Map<string, Set<string>>();
  /** Calls to each contact. `attempt` starts at 1 again after a recall, but results must differ. */
  readonly #made = new Map<string, number>();
  /** Callbacks that were agreed with each contact. The service accepts only a few. */
  readonly #callbacks = new Map<string, number>();
  /** The dispositions that each task declares, read once. */
  readonly #dispositions = new Map<string, Promise<readonly Disposition[]>>();
  readonly #results: ResultQueue;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  /** Ends a wait, because a result was reported. */
  #wake: () => void = () => {};
  #failure: unknown;

  constructor(service: ServiceClient, options: SimulationOptions) {
    this.#service = service;
    this.#options = options;
    this.#pace = new Pace(options.callsPerSecond);
    this.#results = new ResultQueue(service);
  }

  get progress(): readonly TaskProgress[] {
    return [...this.#tasks.values()];
  }

  /** Leases no more calls. `run` ends when the results of the running calls are reported. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Calls until it is stopped, or until no contact is left to call. @throws SimulationError */
  async run(): Promise<void> {
    try {
      let leased = this.#lease();
      for (;;) {
        const { calls, retryAfterSeconds, taskStatus } = await leased;
        if (calls.length === 0 && (this.#isStopped || (await this.#isDone(taskStatus)))) break;
        // The next calls are leased while these are made, because the pace would stall otherwise.
        leased = this.#leaseAfter(retryAfterSeconds);
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

  #lease(): Promise<Leased> {
    const limit = Math.ceil(this.#options.callsPerSecond * leasedAhead);
    return this.#service.leaseOrWait(Math.min(limit, maxLeased), leaseSeconds, this.#options.taskId);
  }

  /** Leases when the service says so, or earlier if a result may have made a contact callable. */
  #leaseAfter(seconds: number): Promise<Leased> {
    const leased = (seconds > 0 ? this.#wait(seconds * secondMs) : Promise.resolve()).then(() =>
      this.#isStopped ? { calls: [], retryAfterSeconds: 0 } : this.#lease(),
    );
    // It may fail while calls are made, before `run` waits for it.
    leased.catch(() => {});
    return leased;
  }

  async #wait(ms: number): Promise<void> {
    const reported = new AbortController();
    this.#wake = () => reported.abort();
    await this.#pause(Math.min(ms, idleMs), this.#stopped.signal);
    await this.#pause(ms - idleMs, AbortSignal.any([this.#stopped.signal, reported.signal]));
  }

  /** `taskStatus`: the status of the simulated task, if there is one. */
  async #isDone(taskStatus: number | undefined): Promise<boolean> {
    if (!this.#options.untilIdle || this.#inFlight.size > 0) return false;
    if (taskStatus === undefined) return (await this.#service.runningTasks()) === 0;
    return taskStatus !== status.running || this.#waitsLong();
  }

  async #waitsLong(): Promise<boolean> {
    const { taskId, longestWaitSeconds } = this.#options;
    if (taskId === undefined || longestWaitSeconds === undefined) return false;
    return (await this.#service.secondsUntilCalls(taskId)) > longestWaitSeconds;
  }

  /** Leased calls are made even after a stop, because no other dialer can make them. */
  async #start(call: Call): Promise<void> {
    const wait = this.#pace.take(performance.now()) - performance.now();
    if (wait > 1) await sleep(wait);
    const flight = this.#make(call)
      .catch((error) => {
        this.#failure ??= error;
        this.stop();
      })
      .finally(() => {
        this.#inFlight.delete(flight);
        this.#wake();
      });
    this.#inFlight.add(flight);
  }

  async #make(call: Call): Promise<void> {
    const task = this.#progressOf(call.taskId);
    const contact = `${call.taskId} ${call.phoneNumber}`;
    const attempt = Math.max(call.attempt, (this.#made.get(contact) ?? 0) + 1);
    const { mix, seed, speed = usualSpeed } = this.#options;
    const declared = mix.disposition ? await this.#dispositionsOf(call.taskId) : [];
    const { wish, ...made } = simulatedCall(mix, seed, { ...call, attempt }, declared, speed);
    const { outcome, duration } = made;
    const callbacks = this.#callbacks.get(contact) ?? 0;
    const result: Result = { callId: call.callId, ...made };
    if (wish === 'doNotCall') result.doNotCall = true;
    if (wish === 'callback' && callbacks < callbacksAtMost)
      result.callbackTime = this.#callbackTime(call, duration);
    task.inCall++;
    this.#count(task, call, false);
    try {
      await sleep(connectMs + duration * secondMs);
      const { final } = await this.#results.report(result);
      this.#made.set(contact, attempt);
      if (result.callbackTime !== undefined) this.#callbacks.set(contact, callbacks + 1);
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

  #dispositionsOf(taskId: string): Promise<readonly Disposition[]> {
    const known =
      this.#dispositions.get(taskId) ??
      this.#service.overview(taskId).then(({ dispositions }) => dispositions);
    this.#dispositions.set(taskId, known);
    return known;
  }

  /** Only the lease shows the time by the clock of the service. */
  #callbackTime({ leaseExpireTime, phoneNumber }: Call, duration: number): string {
    const choices = this.#options.callbackSeconds ?? callbackAfter;
    const wait = duration + choices[Number(phoneNumber.at(-1)) % choices.length]!;
    return laterBy(leaseExpireTime, wait - leaseSeconds);
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

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {});
  }
}
