import type { Schedule } from '../../../shared/platform/time/schedule.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import type { Call } from './dialing-api.ts';
import { isOpen } from './slow-schedule.ts';

/**
 * Waits, by a model that is written from the documentation alone: for each contact the ends of what it waits for, by a
 * schedule that reads a wall clock, and the moment and the reason that follow from them.
 */

/** What holds a contact back, and until when: `undefined` for ever. */
export type End = { reason: string; until: number | undefined };
type KnownEnd = { reason: string; until: number };
export type Outcome = 'success' | 'failed' | 'noAnswer';
export type CallLimit = { calls: number; minutes: number };

export const second = 1000;
export const minute = 60 * second;
export const halfHour = 30 * minute;
const hour = 60 * minute;
/** Longer than any of the campaigns stays closed. */
const searched = 14 * 48;
export const maxDialCount = 4;
export const mostCallbacks = 5;
export const busySeconds = 90_000;
/** After a call with the disposition `refused`. */
export const refusedRestHours = 30;

export const clocks = Object.fromEntries(
  ['UTC', 'Asia/Shanghai', 'America/New_York'].map((zone) => [zone, timeIn(zone)]),
);

/** In May 2026. */
const hoursAhead: Record<string, number> = { UTC: 0, 'Asia/Shanghai': 8, 'America/New_York': -4 };
/** `YYYY-MM-DD`, with `HH:MM` or `HH:MM:SS` or without, by that clock. */
const instantOf = (text: string, zone: string, ofDate: string): number => {
  const [date, time] = text.split(' ');
  const clock = time ?? ofDate;
  const seconds = clock.split(':').reduce((sum, part, i) => sum + Number(part) * [3600, 60, 1][i]!, 0);
  return Date.parse(`${date}T00:00:00Z`) + seconds * second - hoursAhead[zone]! * hour;
};

/** The first half hour at which it holds, or the moment itself. All hours of these campaigns begin at one. */
const firstMoment = (from: number, holds: (moment: number) => boolean): number | undefined => {
  if (holds(from)) return from;
  const first = (Math.floor(from / halfHour) + 1) * halfHour;
  for (let i = 0; i < searched; i++) if (holds(first + i * halfHour)) return first + i * halfHour;
  return undefined;
};

export type Rules = Schedule & {
  timeZone: string;
  callInterval: number;
  callLimits: CallLimit[];
  restAfterSuccess: number;
  /** Only contacts with this plan are called; `null`: all. */
  plan: string | null;
};
/** What holds for all tasks of the service. */
export type House = { zone: string; callsPerDay: number; callLimits: CallLimit[]; restAfterSuccess: number };

const known = new WeakMap<Rules, Map<string, boolean>>();
const isOpenIn = (rules: Rules, moment: number, zone: string): boolean => {
  const moments = known.get(rules) ?? new Map<string, boolean>();
  known.set(rules, moments);
  const isNow = moments.get(`${moment} ${zone}`) ?? isOpen(rules, moment, zone);
  moments.set(`${moment} ${zone}`, isNow);
  return isNow;
};

/** Of two that end together the later one is named. */
const order = ['HOURS', 'CALL_AFTER', 'DAILY_LIMIT', 'CALL_LIMITS', 'REST', 'RETRY', 'CALLBACK'];
const byEnd = (a: KnownEnd, b: KnownEnd) =>
  a.until - b.until || order.indexOf(a.reason) - order.indexOf(b.reason);

/** One contact as the documentation tells of it. */
export class Person {
  id: string;
  readonly phoneNumber: string;
  timeZone: string;
  plan = '';
  /** From when, and until when, it may be called, as its fields have it. */
  callAfter = '';
  callBefore = '';
  place: 'fresh' | 'waiting' | 'leased' | 'final' | 'blocked' = 'fresh';
  /** What it waits for: an interval, a release, a recall or an expired lease; or an agreed callback. */
  due: { reason: 'RETRY' | 'CALLBACK'; until: number } = { reason: 'RETRY', until: 0 };
  /** Its next call was agreed: it needs no rest before. */
  isCallback = false;
  call: { callId: string; leasedAt: number; leaseEnd: number } | undefined;
  /** When calls began that count for limits. */
  countedCalls: number[] = [];
  /** When the last call ended that reached it, and until when a disposition lets it rest. */
  reachedAt: number | undefined;
  restUntil = 0;
  attempts = 0;
  callbacks = 0;
  lastResult: { at: number; outcome: Outcome } | undefined;
  isRecalled = false;

  constructor(id: string, phoneNumber: string, timeZone: string) {
    this.id = id;
    this.phoneNumber = phoneNumber;
    this.timeZone = timeZone;
  }

  wait(reason: 'RETRY' | 'CALLBACK', until: number): void {
    this.place = 'waiting';
    this.due = { reason, until };
    this.call = undefined;
  }

  /** A lease that has run out is a wait that has ended. */
  isInCall = (now: number) => this.place === 'leased' && now < this.call!.leaseEnd;
  isFresh = () => this.lastResult === undefined && !this.isRecalled;
}

export const isSettled = ({ place }: Person) => place === 'final' || place === 'blocked';

/** The rules of a campaign and its contacts. */
export class Model {
  rules: Rules;
  readonly house: House;
  readonly people: Person[] = [];
  isPaused = false;
  /** Contacts of the list have, or had, zones of their own. */
  hasOwnZones = false;

  constructor(rules: Rules, house: House) {
    this.rules = rules;
    this.house = house;
  }

  #dayOf = (moment: number) => clocks[this.house.zone]!(moment).slice(0, 10);

  isSelected = ({ plan }: Person) => this.rules.plan === null || this.rules.plan === plan;
  isLeft = (person: Person, now: number) =>
    !isSettled(person) && !person.isInCall(now) && this.isSelected(person);

  #after({ callAfter, timeZone }: Person): number {
    return callAfter === '' ? 0 : instantOf(callAfter, timeZone || this.house.zone, '00:00');
  }
  #before({ callBefore, timeZone }: Person): number {
    if (callBefore === '') return Number.POSITIVE_INFINITY;
    return instantOf(callBefore, timeZone || this.house.zone, '24:00');
  }
  /** It may not be called any more. It is blocked when it comes up. */
  isPast = (person: Person, now: number) => this.#before(person) <= now;

  #dailyLimit({ countedCalls }: Person, now: number): KnownEnd[] {
    const { callsPerDay } = this.house;
    const today = this.#dayOf(now);
    const calls = countedCalls.filter((at) => this.#dayOf(at) === today).length;
    if (callsPerDay === 0 || calls < callsPerDay) return [];
    return [{ reason: 'DAILY_LIMIT', until: firstMoment(now, (moment) => this.#dayOf(moment) !== today)! }];
  }

  /** A call counts until its window has passed, to the full minute: the first one at which fewer calls count. */
  #slidingLimits({ countedCalls }: Person, now: number): KnownEnd[] {
    const limits = [...this.house.callLimits, ...this.rules.callLimits];
    return limits.flatMap(({ calls, minutes }) => {
      const countAt = (moment: number) =>
        countedCalls.filter((at) => Math.ceil((at + minutes * minute) / minute) * minute > moment).length;
      if (countAt(now) < calls) return [];
      let until = (Math.floor(now / minute) + 1) * minute;
      while (countAt(until) >= calls) until += minute;
      return [{ reason: 'CALL_LIMITS', until }];
    });
  }

  /** The longest rest counts. */
  #rest({ isCallback, reachedAt, restUntil }: Person): KnownEnd[] {
    if (isCallback) return [];
    const hours = Math.max(this.house.restAfterSuccess, this.rules.restAfterSuccess);
    const rested = reachedAt === undefined || hours === 0 ? 0 : reachedAt + hours * hour;
    return [{ reason: 'REST', until: Math.max(rested, restUntil) }];
  }

  /** The rules other than hours that hold the contact back now, each reason with its last end. */
  endsOf(person: Person, now: number): KnownEnd[] {
    const ends = [
      ...(person.place === 'waiting' ? [person.due] : []),
      { reason: 'CALL_AFTER', until: this.#after(person) },
      ...this.#dailyLimit(person, now),
      ...this.#slidingLimits(person, now),
      ...this.#rest(person),
    ].filter(({ until }) => until > now);
    const last = ends.sort(byEnd).filter((end, i) => !ends.slice(i + 1).some((e) => e.reason === end.reason));
    return last;
  }

  /** What holds the contact back for longest; `undefined` when it can be called now. */
  nextOf(person: Person, now: number): End | undefined {
    const last = this.endsOf(person, now).at(-1);
    const moment = last?.until ?? now;
    const zone = person.timeZone || this.rules.timeZone;
    const opening = firstMoment(moment, (each) => isOpenIn(this.rules, each, zone));
    const next: End | undefined = opening === moment ? last : { reason: 'HOURS', until: opening };
    const isTooLate = (next?.until ?? now) >= this.#before(person);
    return next && isTooLate ? { ...next, until: undefined } : next;
  }

  callable = (now: number) =>
    this.isPaused
      ? []
      : this.people.filter(
          (each) => this.isLeft(each, now) && !this.isPast(each, now) && !this.nextOf(each, now),
        );
  isDone = () => this.people.every(isSettled);
  isOver = (now: number) =>
    this.rules.callUntil != null && clocks[this.rules.timeZone]!(now) >= `${this.rules.callUntil}:00`;

  leased(person: Person, { callId }: Call, now: number, leaseSeconds: number): void {
    person.place = 'leased';
    person.call = { callId, leasedAt: now, leaseEnd: now + leaseSeconds * second };
    person.countedCalls.push(now);
  }

  released(person: Person, now: number, waitSeconds: number): void {
    const counted = person.countedCalls.indexOf(person.call!.leasedAt);
    person.countedCalls.splice(counted, 1);
    person.wait('RETRY', now + waitSeconds * second);
  }

  reported(
    person: Person,
    now: number,
    { outcome, isBusy = false, isRefused = false, callback }: Result,
  ): void {
    person.lastResult = { at: now, outcome };
    person.attempts += 1;
    person.isCallback = callback !== undefined;
    if (outcome === 'success') person.reachedAt = now;
    if (isRefused) person.restUntil = Math.max(person.restUntil, now + refusedRestHours * hour);
    if (callback !== undefined) {
      person.callbacks += 1;
      person.wait('CALLBACK', callback);
    } else if (outcome === 'success' || person.attempts >= maxDialCount) {
      person.place = 'final';
      person.call = undefined;
    } else {
      person.wait('RETRY', now + (isBusy ? busySeconds : this.rules.callInterval) * second);
    }
  }

  recalled(person: Person, now: number): void {
    const earliest = (person.lastResult?.at ?? 0) + this.rules.callInterval * second;
    person.attempts = 0;
    person.isRecalled = true;
    person.isCallback = false;
    person.wait('RETRY', Math.max(now, person.lastResult ? earliest : now));
  }
}

export type Result = {
  outcome: Outcome;
  isBusy?: boolean;
  isRefused?: boolean;
  callback?: number | undefined;
};
