import {
  nextDayFrom,
  openFrom,
  openUntil,
  type Schedule,
  zoneOf,
} from '../../../../shared/platform/time/schedule.ts';
import { dayMs, type Instant, secondMs } from '../../../../shared/platform/time/time.ts';
import { steadyTimeAt } from '../../../../shared/platform/time/zones.ts';

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Contacts, as an expected number that need not be whole, and the calls that they had: in all, and on the day. */
export type Called = { count: number; attempts: number; today: number };

/** Contacts that are to be called from `due` on. */
export type Waiting = Called & {
  due: Instant;
  isCallback: boolean;
  /** They wait now. The others wait only if a call that is yet to come does not settle them. */
  isSure: boolean;
};

/** This share of all calls leads to another call after that time, up to that number of calls. */
export type Retry = { share: number; waitMs: number; attempts: number };

/** A task as it is now, and what is expected of its calls. */
export type Start = {
  now: Instant;
  /** Without `callUntil`. */
  schedule: Schedule;
  /** Of the service. */
  zone: string;
  /** The instant of `callUntil`. */
  stop: Instant;
  /** Calls to a number in a day; 0: no limit. */
  callsPerNumber: number;
  /** First calls are made before retries that are due. */
  isFreshFirst: boolean;
  inCall: readonly Called[];
  line: readonly Waiting[];
  /** Contacts that are to be called for the first time. */
  fresh: number;
  /** Calls a millisecond. */
  rate: number;
  retries: readonly Retry[];
  /** The share of calls in which a callback is agreed, and how much later it is. */
  callback: { share: number; waitMs: number };
  callMs: number;
  /** How much longer the last call takes. */
  lastCallMs: number;
  /** The task is taken for done when no more contacts than that are expected to be left, besides those that wait now. */
  rest: number;
};

export type Played = {
  end: Instant;
  /** Calls stop until another day; so many contacts are left for then. `until`: the last call before, if there is any. */
  later?: { until: Instant | undefined; from: Instant; contacts: number } | undefined;
  /** The task is stopped at its `callUntil`, and so many contacts have no final outcome. */
  unfinished?: number;
};

const leastStepMs = 20 * secondMs;
/** Steps that the work is cut into, and after which the end is too far away to be told. */
const [stepsPlanned, stepsAtMost] = [200, 5000];
/** Smaller parts of a contact are left out. */
export const negligible = 1e-6;

const dayIn = (instant: Instant, zone: string): number =>
  Math.floor((instant + steadyTimeAt(instant, zone).offset) / dayMs);

/**
 * Plays the rest of a task forward in steps, within its hours: callbacks first, then retries that are due and first calls. A
 * call that does not settle its contact puts it in line again. `undefined`: the hours stay closed, or the end is too far away.
 */
export const playForward = (start: Start): Played | undefined => {
  const { now, schedule, zone, stop, callsPerNumber, rate, retries, callback, callMs } = start;
  const inLine = sum(start.line.map(({ count }) => count));
  const again = sum(retries.map(({ share }) => share));
  const work = (start.fresh + inLine) / Math.max(0.1, 1 - again);
  const stepMs = Math.max(leastStepMs, work / rate / stepsPlanned);
  const taskZone = zoneOf(undefined, schedule, zone);
  const line = start.line.map((waiting) => ({ ...waiting })).sort((a, b) => a.due - b.due);
  let fresh = start.fresh;
  /** Contacts that wait now and were not called since, and all that are not settled. */
  let [sure, open] = [fresh + inLine, fresh + inLine];
  let [at, lastEnd, nextDay] = [now, now, nextDayFrom(now, zone)];
  /** The hours are open until then. */
  let closes = now;
  let later: Played['later'];

  /** Not due within this step. */
  const put = (waiting: Waiting) => {
    if (waiting.count < negligible) return;
    open += waiting.count;
    const due = Math.max(at, now + Math.round((waiting.due - now) / stepMs) * stepMs);
    let place = line.length;
    for (; place > 0 && line[place - 1]!.due >= due; place--) {
      const other = line[place - 1]!;
      const isSame = (['attempts', 'today', 'isCallback', 'isSure'] as const).every(
        (name) => other[name] === waiting[name],
      );
      if (other.due !== due || !isSame) continue;
      other.count += waiting.count;
      return;
    }
    line.splice(place, 0, { ...waiting, due });
  };

  const call = ({ count, attempts, today }: Called, from: Instant) => {
    const ended = from + callMs;
    lastEnd = Math.max(lastEnd, ended);
    if (ended >= nextDay) nextDay = nextDayFrom(ended, zone);
    const isUsedUp = callsPerNumber > 0 && today + 1 >= callsPerNumber;
    const putAgain = (share: number, waitMs: number, isCallback: boolean) => {
      const due = isUsedUp ? Math.max(ended + waitMs, nextDay) : ended + waitMs;
      const calls = { attempts: attempts + 1, today: due >= nextDay ? 0 : today + 1 };
      put({ count: count * share, due, ...calls, isCallback, isSure: false });
    };
    for (const retry of retries)
      if (attempts + 1 < retry.attempts) putAgain(retry.share, retry.waitMs, false);
    putAgain(callback.share, callback.waitMs, true);
  };

  for (const called of start.inCall) call(called, now - callMs / 2);
  for (let step = 0; step < stepsAtMost; step++) {
    if (sure < 0.5 && open <= start.rest) return { end: lastEnd + start.lastCallMs, later };
    const next = fresh > negligible ? at : Math.max(at, line[0]?.due ?? at);
    const opening = next < closes ? next : openFrom(schedule, next, zone);
    if (opening === undefined) return undefined;
    if (opening >= stop) return { end: stop, later, unfinished: open };
    if (later === undefined && dayIn(opening, taskZone) > dayIn(now, taskZone))
      later = { until: lastEnd > now ? lastEnd : undefined, from: opening, contacts: open };
    if (opening >= closes) closes = openUntil(schedule, opening, zone);
    at = Math.min(opening + stepMs, closes, stop);
    let room = rate * (at - opening);
    const middle = (opening + at) / 2;
    const take = (called: Called, isSure: boolean) => {
      room -= called.count;
      open -= called.count;
      if (isSure) sure -= called.count;
      call(called, middle);
    };
    const takeFresh = () => {
      const count = Math.min(fresh, room);
      fresh -= count;
      if (count > 0) take({ count, attempts: 0, today: 0 }, true);
    };
    const takeDue = (onlyCallbacks: boolean) => {
      for (let i = 0; i < line.length && room > 0 && line[i]!.due <= opening; i++) {
        const waiting = line[i]!;
        if (onlyCallbacks && !waiting.isCallback) continue;
        const count = Math.min(waiting.count, room);
        waiting.count -= count;
        if (waiting.count < negligible) line.splice(i--, 1);
        take({ ...waiting, count }, waiting.isSure);
      }
    };
    takeDue(true);
    if (start.isFreshFirst) takeFresh();
    takeDue(false);
    takeFresh();
  }
  return undefined;
};
