/**
 * A dialer of the service's own: it makes the calls of running tasks through an Amazon Connect
 * instance. It keeps the calls that are under way (`ConnectCalls`), and nothing else. For leases
 * and results it uses `dialing`, like any other dialer.
 *
 * `CallPump` runs every minute and starts calls. `ContactResults` turns the end of a Connect
 * contact into the result of a call: Connect reports the end, or is asked about it. What happens
 * when one of them dies is described at `CallPump`.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { LeasedCall } from '../calls/rules/call.ts';
import { leaseMetrics } from '../dialing/call-metrics.ts';
import type { Dialer } from '../dialing/dialer.ts';
import { maskPhones } from '../platform/observability/log.ts';
import type { ServiceMetric } from '../platform/observability/service-metrics.ts';
import { ServiceError } from '../platform/rules/errors.ts';
import { type Instant, secondMs } from '../platform/time/time.ts';
import type { ConnectCall, ConnectCalls } from './connect-calls.ts';
import { type ConnectInstance, internationalNumber, StartRefused } from './connect-instance.ts';
import type { ContactResults } from './contact-results.ts';

type Dependencies = {
  connect: ConnectInstance;
  calls: ConnectCalls;
  results: ContactResults;
  dialer: Dialer;
  now: () => Instant;
  newId: () => string;
  warn: (message: string, details: Record<string, unknown>) => void;
  countAll: (values: Partial<Record<ServiceMetric, number>>) => void;
  /** The maximum number of calls under way at once. */
  concurrency: number;
  numberPrefix: string;
  /** Milliseconds between two rounds of calls. */
  roundMs: number;
};

/** The longest lease, because a contact that is still on the phone must not be called again. */
const leaseSeconds = 3600;
/** Few, because leased contacts of a function that died wait until their lease expires. */
const leasedAtOnce = 5;
/** If as many requests were refused and no call was started, the settings are wrong. */
const refusedAtMost = 10;
/** Longer than the function may run, so that its claim does not expire while it runs. */
const claimMs = 120 * secondMs;
/** Time for the last call of a run to start. */
const reserveMs = 15 * secondMs;
/** When a contact is due again if Connect refused its call for a reason other than load. */
const refusedAgainMs = 10 * 60 * secondMs;
/**
 * Connect's events are best effort. So the pump asks Connect about calls that have been under way
 * longer than this.
 */
const askAfterMs = 10 * 60 * secondMs;

/** `started`: the tasks of the calls that were started. */
type PumpRound = { started: string[]; refused: LeasedCall[]; blocked: boolean };

/** Connect may quote the number in its message. */
const maskedMessage = (error: unknown): string => maskPhones(String(error));

/**
 * Keeps an Amazon Connect instance busy with calls of running tasks: a dialer of the service's own.
 *
 * One run at a time has the *claim* to start calls. It leases a few calls, stores each as *under
 * way*, asks Connect to start it, and adds Connect's id. A call is under way until its result is in
 * or its lease expires. At most `concurrency` are under way.
 *
 * Results come from Connect's events (`ContactResults`). A run reports only calls that Connect
 * refused, and asks Connect about calls whose event is overdue. Calls that were certainly not
 * started are released.
 *
 * When a run dies, its claim expires. A call that it may have started stays under way, so that no
 * contact is called twice. The leases of its other calls expire.
 */
export class CallPump {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Starts calls as others end, until the time is over or there is nothing left to do. */
  async run(remainingMs: () => number): Promise<void> {
    const { calls, newId, now, roundMs } = this.#deps;
    const owner = newId();
    if (!(await calls.claim(owner, now(), now() + claimMs))) return;
    try {
      await this.#askAfterLongCalls();
      for (;;) {
        const { started, blocked } = await this.#startCalls(() => remainingMs() >= reserveMs);
        if (blocked || (started.length === 0 && (await this.#live()).length === 0)) return;
        if (remainingMs() < reserveMs + roundMs) return;
        await sleep(roundMs);
      }
    } finally {
      await calls.release(owner);
    }
  }

  /** A call whose lease has expired is no longer under way. */
  async #live(): Promise<ConnectCall[]> {
    const now = this.#deps.now();
    const all = await this.#deps.calls.all();
    for (const { callId, until } of all) if (until <= now) await this.#deps.calls.end(callId);
    return all.filter(({ until }) => until > now);
  }

  /** If Connect does not answer about a call, the next run asks again. */
  async #askAfterLongCalls(): Promise<void> {
    const { results, now, warn } = this.#deps;
    for (const { callId, connectContactId, begun } of await this.#live()) {
      if (connectContactId === undefined || begun + askAfterMs > now()) continue;
      try {
        await results.reportIfEnded(connectContactId);
      } catch (error) {
        warn('call not asked after', { callId, connectContactId, error: maskedMessage(error) });
      }
    }
  }

  async #startCalls(hasTime: () => boolean): Promise<PumpRound> {
    const { dialer, now, concurrency, countAll } = this.#deps;
    const round: PumpRound = { started: [], refused: [], blocked: false };
    try {
      let free = concurrency - (await this.#live()).length;
      while (free > 0 && !round.blocked && hasTime()) {
        const limit = Math.min(free, leasedAtOnce);
        const answer = await dialer.leases.lease({ limit, leaseSeconds }, now());
        countAll(leaseMetrics(limit, answer));
        const { calls: leased } = answer;
        await this.#startLeased(leased, round, hasTime);
        free = concurrency - (await this.#live()).length;
        if (leased.length < limit) break;
      }
    } finally {
      await this.#endRefused(round);
    }
    return round;
  }

  /** If the round is broken off, the remaining calls are released and keep their place in line. */
  async #startLeased(leased: readonly LeasedCall[], round: PumpRound, hasTime: () => boolean): Promise<void> {
    const left = [...leased];
    try {
      while (!round.blocked && hasTime()) {
        const call = left.shift();
        if (call === undefined) return;
        await this.#start(call, round);
      }
    } finally {
      for (const call of left) await this.#giveBack(call);
    }
  }

  async #start(call: LeasedCall, round: PumpRound): Promise<void> {
    const { connect, calls, results, now, numberPrefix } = this.#deps;
    const { callId, leaseExpireTime: until } = call;
    const destination = internationalNumber(call.phoneNumber, numberPrefix);
    if (destination === undefined)
      return results.report({ callId, outcome: 'failed', reason: 'invalidNumber', duration: 0 });
    const begun = { callId, connectContactId: undefined, begun: now(), until };
    await calls.begin(begun);
    let connectContactId: string | undefined;
    try {
      connectContactId = await connect.start(call, destination);
    } catch (error) {
      return this.#notStarted(call, error, round);
    }
    round.started.push(call.taskId);
    await calls.identify({ ...begun, connectContactId });
  }

  /**
   * Releases a call only if Connect has certainly not begun it. Otherwise its contact could be
   * called twice.
   */
  async #notStarted(call: LeasedCall, error: unknown, round: PumpRound): Promise<void> {
    const { calls, results, warn } = this.#deps;
    const { callId } = call;
    const kind = error instanceof StartRefused ? error.kind : undefined;
    warn('call not started', { callId, kind, error: maskedMessage(error) });
    if (kind === 'destination')
      return results.report({ callId, outcome: 'failed', reason: 'rejected', duration: 0 });
    round.blocked = kind !== 'request';
    // A call that may have begun counts until Connect reports its end or its lease expires.
    if (kind === 'unknown') return;
    await calls.end(callId);
    if (kind === 'request') {
      round.refused.push(call);
      round.blocked = round.started.length === 0 && round.refused.length >= refusedAtMost;
      return;
    }
    if (kind === 'busy') return this.#giveBack(call);
    await this.#giveBack(call, refusedAgainMs);
    // Lambda logs the error as it is, so the number must be masked.
    throw new Error(maskedMessage(error));
  }

  /**
   * A refused request may be caused by the number, by the settings, or by the task's own settings.
   * If other calls of the task were started, the number is the cause. Otherwise the contacts are
   * released, so that wrong settings cost no attempt.
   */
  async #endRefused({ started, refused, blocked }: PumpRound): Promise<void> {
    for (const call of refused) {
      if (blocked || !started.includes(call.taskId)) await this.#giveBack(call, refusedAgainMs);
      else await this.#deps.results.report({ callId: call.callId, outcome: 'failed', duration: 0 });
    }
  }

  /**
   * The contact is due again after `waitMs`, or at its old place in line. A lease that has ended is
   * not released.
   */
  async #giveBack({ callId }: LeasedCall, waitMs = 0): Promise<void> {
    const { dialer, now } = this.#deps;
    const at = now();
    const release = { callId, ...(waitMs > 0 && { notBefore: at + waitMs }) };
    await dialer.liveLeases.release(release, at).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
    });
  }
}
