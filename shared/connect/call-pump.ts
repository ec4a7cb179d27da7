import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceMetric } from '../api/service-metrics.ts';
import type { LeasedCall } from '../domain/dialing/call.ts';
import type { Instant } from '../domain/time.ts';
import { maskPhones } from '../observability/log.ts';
import type { Dialer } from '../store/dialing/index.ts';
import type { ConnectCall, ConnectCalls } from './connect-calls.ts';
import { type ConnectInstance, StartRefused } from './connect-instance.ts';
import type { ContactResults } from './contact-results.ts';
import { destinationOf } from './destination.ts';

export type PumpParts = {
  connect: ConnectInstance;
  calls: ConnectCalls;
  results: ContactResults;
  dialer: Dialer;
  now: () => Instant;
  newId: () => string;
  warn: (message: string, details: Record<string, unknown>) => void;
  count: (name: ServiceMetric, value: number) => Promise<void>;
  /** Most calls under way at once. */
  concurrency: number;
  numberPrefix: string;
  /** Between two looks for free lines, in milliseconds. */
  roundMs: number;
};

/** The longest lease there is: who is still on the phone must not be called again. */
const leaseSeconds = 3600;
/** Few, since contacts that are leased when the function dies wait for their lease to end. */
const leasedAtOnce = 5;
/** So many refused requests and not one call begun: the settings are wrong, not the numbers. */
const refusedAtMost = 10;
const secondMs = 1000;
/** Longer than the function may run: its turn cannot end under its hands. */
const turnMs = 120 * secondMs;
/** What the last call of a run may take to start. */
const reserveMs = 15 * secondMs;
/** Contacts that were refused for anything but a lack of room let others go first. */
const refusedAgainMs = 10 * 60 * secondMs;
/** Connect's events are best effort: a call this long under way is asked after. */
const askAfterMs = 10 * 60 * secondMs;

type Round = { started: number; refused: string[]; blocked: boolean };

/** Connect may quote the number that it was asked to call. */
const wordsOf = (error: unknown): string => maskPhones(String(error));

/** Keeps the lines of an Amazon Connect instance busy with calls of running tasks. */
export class CallPump {
  readonly #parts: PumpParts;

  constructor(parts: PumpParts) {
    this.#parts = parts;
  }

  /** Starts calls as lines get free, for as long as the time lasts and there is something to do. */
  async run(remainingMs: () => number): Promise<void> {
    const { calls, newId, now, roundMs } = this.#parts;
    const runner = newId();
    if (!(await calls.takeTurn(runner, now(), now() + turnMs))) return;
    try {
      await this.#askAfterLongCalls();
      for (;;) {
        const { started, blocked } = await this.#fillLines(() => remainingMs() >= reserveMs);
        if (blocked || (started === 0 && (await this.#live()).length === 0)) return;
        if (remainingMs() < reserveMs + roundMs) return;
        await sleep(roundMs);
      }
    } finally {
      await calls.endTurn(runner);
    }
  }

  /** Calls whose lease is over hold no line any more. */
  async #live(): Promise<ConnectCall[]> {
    const now = this.#parts.now();
    const all = await this.#parts.calls.all();
    for (const { callId, until } of all) if (until <= now) await this.#parts.calls.end(callId);
    return all.filter(({ until }) => until > now);
  }

  /** A call that cannot be asked after keeps no line from being filled; the next run asks again. */
  async #askAfterLongCalls(): Promise<void> {
    const { results, now, warn } = this.#parts;
    for (const { callId, connectContactId, begun } of await this.#live()) {
      if (connectContactId === undefined || begun + askAfterMs > now()) continue;
      try {
        await results.reportIfEnded(connectContactId);
      } catch (error) {
        warn('call not asked after', { callId, connectContactId, error: wordsOf(error) });
      }
    }
  }

  async #fillLines(hasTime: () => boolean): Promise<Round> {
    const { dialer, now, concurrency, count } = this.#parts;
    const round: Round = { started: 0, refused: [], blocked: false };
    try {
      let free = concurrency - (await this.#live()).length;
      while (free > 0 && !round.blocked && hasTime()) {
        const limit = Math.min(free, leasedAtOnce);
        const leased = await dialer.lease({ limit, leaseSeconds }, now());
        await count('CallsAsked', limit);
        await count('CallsLeased', leased.length);
        await this.#startAll(leased, round, hasTime);
        free = concurrency - (await this.#live()).length;
        if (leased.length < limit) break;
      }
    } finally {
      await this.#endRefused(round);
    }
    return round;
  }

  /** What is left when the round breaks off is given back, and keeps its place in the line. */
  async #startAll(leased: readonly LeasedCall[], round: Round, hasTime: () => boolean): Promise<void> {
    const { dialer, now } = this.#parts;
    const left = [...leased];
    try {
      while (!round.blocked && hasTime()) {
        const call = left.shift();
        if (call === undefined) return;
        await this.#start(call, round);
      }
    } finally {
      for (const { callId } of left) await dialer.release(callId, now());
    }
  }

  async #start(call: LeasedCall, round: Round): Promise<void> {
    const { connect, calls, results, now, numberPrefix } = this.#parts;
    const { callId, leaseExpireTime: until } = call;
    const destination = destinationOf(call.phoneNumber, numberPrefix);
    if (destination === undefined)
      return results.report({ callId, outcome: 'failed', reason: 'invalidNumber', duration: 0 });
    const begun = { callId, connectContactId: undefined, begun: now(), until };
    await calls.begin(begun);
    let connectContactId: string | undefined;
    try {
      connectContactId = await connect.start(call, destination);
    } catch (error) {
      return this.#notStarted(callId, error, round);
    }
    round.started++;
    await calls.identify({ ...begun, connectContactId });
  }

  /** Only a call that Connect has surely not begun is given back: else its contact might be called twice. */
  async #notStarted(callId: string, error: unknown, round: Round): Promise<void> {
    const { calls, results, dialer, now, warn } = this.#parts;
    const kind = error instanceof StartRefused ? error.kind : undefined;
    warn('call not started', { callId, kind, error: wordsOf(error) });
    if (kind === 'destination')
      return results.report({ callId, outcome: 'failed', reason: 'rejected', duration: 0 });
    round.blocked = kind !== 'request';
    // One that may have begun keeps its line until Connect tells of its end, or its lease is over.
    if (kind === 'unknown') return;
    await calls.end(callId);
    if (kind === 'request') {
      round.refused.push(callId);
      round.blocked = round.started === 0 && round.refused.length >= refusedAtMost;
      return;
    }
    if (kind === 'busy') return dialer.release(callId, now());
    await dialer.release(callId, now(), now() + refusedAgainMs);
    // Lambda writes what it is thrown to the log as it stands.
    throw new Error(wordsOf(error));
  }

  /**
   * A refused request may be the number's fault or the configuration's. Only where others went through
   * is it the number's; else the contacts are given back, and none pays for a mistake in the settings.
   */
  async #endRefused({ started, refused, blocked }: Round): Promise<void> {
    const { results, dialer, now } = this.#parts;
    for (const callId of refused) {
      if (blocked || started === 0) await dialer.release(callId, now(), now() + refusedAgainMs);
      else await results.report({ callId, outcome: 'failed', duration: 0 });
    }
  }
}
