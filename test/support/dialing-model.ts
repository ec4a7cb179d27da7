import type { Outcome } from '../../shared/domain/dialing.ts';
import { timeIn } from '../../shared/domain/time.ts';
import { second } from './dialing.ts';

export type Rules = {
  priority: number;
  maxDialCount: number;
  callInterval: number;
  dailyStartTime: string;
  dailyEndTime: string;
};

export type ModelCall = {
  task: ModelTask;
  seq: number;
  report?: { outcome: Outcome; duration: number; final: boolean };
};

type Place = {
  /** undefined: not queued; it is in a call or has its final outcome. */
  since: number | undefined;
  priority: number;
  attempts: number;
  lease: { call: ModelCall; until: number; since: number } | undefined;
  latest: ModelCall | undefined;
  /** The latest call is of a round that a recall has ended. */
  recalled: boolean;
  outcome: Outcome | undefined;
  lastCall: number | undefined;
  calls: number;
  duration: number;
};

export type ModelContact = { createTime: number; live: boolean; latest: Outcome | undefined; calls: number };

export class ModelSource {
  readonly contacts: ModelContact[] = [];
}

const open = (place: Place) => place.since !== undefined || place.lease !== undefined;
const statusCodes = { success: 1, failed: 2, noAnswer: 3 } as const;
export const codeOf = (outcome: Outcome | undefined) => (outcome === undefined ? 0 : statusCodes[outcome]);

/** The rules of dialing over plain arrays: no cursor, no index, no epochs, no lease records. */
export class ModelTask {
  readonly rules: Rules;
  readonly source: ModelSource;
  readonly startTime: number;
  readonly #wallClock: (instant: number) => string;
  readonly places = new Map<number, Place>();
  readonly callsMade = { success: 0, failed: 0, noAnswer: 0, duration: 0 };
  state: 'running' | 'paused' | 'completed' | 'failed' | 'stopped' = 'running';

  constructor(rules: Rules, source: ModelSource, startTime: number, zone: string) {
    this.rules = rules;
    this.source = source;
    this.startTime = startTime;
    const format = timeIn(zone);
    this.#wallClock = (instant) => format(instant).slice(11, 16);
  }

  place(seq: number): Place {
    const place = this.places.get(seq) ?? {
      since: Math.max(this.startTime, this.source.contacts[seq]?.createTime ?? 0),
      priority: this.rules.priority,
      attempts: 0,
      lease: undefined,
      latest: undefined,
      recalled: false,
      outcome: undefined,
      lastCall: undefined,
      calls: 0,
      duration: 0,
    };
    this.places.set(seq, place);
    return place;
  }

  isOpenAt(now: number): boolean {
    const clock = this.#wallClock(now);
    return this.state === 'running' && this.rules.dailyStartTime <= clock && clock < this.rules.dailyEndTime;
  }

  /** Live contacts by sequence number. */
  liveSeqs(): number[] {
    return this.source.contacts.flatMap(({ live }, seq) => (live ? [seq] : []));
  }

  expireLeases(now: number): void {
    for (const place of this.places.values()) {
      if (place.lease && place.lease.until <= now) {
        place.since = place.lease.until;
        place.lease = undefined;
      }
    }
  }

  eligible(now: number): { task: ModelTask; seq: number; priority: number; since: number }[] {
    if (!this.isOpenAt(now)) return [];
    this.expireLeases(now);
    return this.liveSeqs().flatMap((seq) => {
      const { since, priority } = this.place(seq);
      return since !== undefined && since <= now ? [{ task: this, seq, priority, since }] : [];
    });
  }

  lease(seq: number, until: number): ModelCall {
    const place = this.place(seq);
    const call = { task: this, seq };
    place.lease = { call, until, since: place.since ?? 0 };
    place.latest = call;
    place.recalled = false;
    place.since = undefined;
    return call;
  }

  /** A call that a dialer could not begin; nothing when it is not leased any more. */
  release(call: ModelCall, notBefore: number): void {
    const place = this.place(call.seq);
    if (place.lease?.call !== call) return;
    place.since = Math.max(place.lease.since, notBefore);
    place.lease = undefined;
  }

  /** 'conflict', or whether the outcome is final. */
  report(call: ModelCall, outcome: Outcome, duration: number, now: number): 'conflict' | boolean {
    if (call.report) {
      const same = call.report.outcome === outcome && call.report.duration === duration;
      return same ? call.report.final : 'conflict';
    }
    const place = this.place(call.seq);
    if (place.latest !== call) return 'conflict';
    if (!place.recalled) place.attempts++;
    const enough = outcome === 'success' || place.attempts >= this.rules.maxDialCount;
    const contact = this.source.contacts[call.seq];
    const final = !contact?.live || (enough && !place.recalled);
    const again = now + this.rules.callInterval * second;
    place.lease = undefined;
    place.since = final ? undefined : place.recalled ? Math.max(place.since ?? 0, again) : again;
    place.outcome = outcome;
    place.lastCall = now;
    place.calls++;
    place.duration += duration;
    this.callsMade[outcome]++;
    this.callsMade.duration += duration;
    if (contact?.live) {
      contact.latest = outcome;
      contact.calls++;
    }
    call.report = { outcome, duration, final };
    return final;
  }

  /** Queues contacts again; answers those that were. */
  recall(seqs: readonly number[], priority: number, now: number): number[] {
    const queued = seqs.filter((seq) => {
      const { lease } = this.place(seq);
      return lease === undefined || lease.until <= now;
    });
    for (const seq of queued) {
      const place = this.place(seq);
      place.lease = undefined;
      place.attempts = 0;
      place.recalled = true;
      place.priority = priority;
      place.since = Math.max(now, (place.lastCall ?? 0) + this.rules.callInterval * second);
    }
    if (this.state === 'completed' || this.state === 'failed') this.state = 'running';
    return queued;
  }

  failedSeqs(): number[] {
    return this.liveSeqs().filter((seq) => {
      const place = this.place(seq);
      return !open(place) && (place.outcome === 'failed' || place.outcome === 'noAnswer');
    });
  }

  get callCount(): number {
    return this.callsMade.success + this.callsMade.failed + this.callsMade.noAnswer;
  }

  /** Every live contact has its final outcome, none is in a call, at least one was dialed. */
  isFinished(): boolean {
    return this.callCount > 0 && this.liveSeqs().every((seq) => !open(this.place(seq)));
  }

  isInCall(seq: number, now: number): boolean {
    const { lease } = this.place(seq);
    return lease !== undefined && lease.until > now;
  }

  hasLiveLeases(now: number): boolean {
    return [...this.places.keys()].some((seq) => this.isInCall(seq, now));
  }

  /**
   * A deleted contact that is queued or in a call is noticed by its own result or the next lease; one that
   * failed, and is part of a recall of all that failed, by the next lease.
   */
  hasLooseEnds(): boolean {
    return [...this.places].some(
      ([seq, place]) =>
        !this.source.contacts[seq]?.live &&
        (open(place) || ['failed', 'noAnswer'].includes(place.outcome ?? '')),
    );
  }
}
