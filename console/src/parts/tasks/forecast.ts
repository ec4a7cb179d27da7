import type { TaskOverview } from '../../../../client/client.ts';
import {
  bucketMs,
  bucketOf,
  busiestMinutes,
  busyMinutes,
  callsOf,
  type TimelineRow,
} from '../../../../shared/calls/rules/timeline.ts';
import {
  endOf,
  nextDayFrom,
  openFrom,
  openUntil,
  type Schedule,
} from '../../../../shared/platform/time/schedule.ts';
import { type Instant, minuteMs, secondMs } from '../../../../shared/platform/time/time.ts';
import { instantAt } from '../../../../shared/platform/time/zones.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import {
  type Called,
  negligible,
  type Played,
  playForward,
  type Retry,
  type Start,
  sum,
  type Waiting,
} from './play-forward.ts';

/**
 * When a task will end. Its rest is played forward three times by expected numbers of contacts. The quick, the likely and
 * the slow time differ in what is not certain: how fast the task calls, how many calls lead to another one, how many
 * contacts the filter selects, how long a call takes, when callbacks are agreed, and how many attempts the last contacts need.
 * The end lies between the quick and the slow one in most cases.
 */
export type ExpectedEnd = {
  from: Instant;
  /** The most likely end. */
  at: Instant;
  to: Instant;
  later: Played['later'];
  unfinished: number | undefined;
  /** The last agreed callback is what the task waits for. */
  isForCallback: boolean;
  /** What is least certain: how many contacts match the filter, how many callbacks are agreed, or how many people answer. */
  doubt: 'filter' | 'callbacks' | 'answers';
};

/** Calls a minute, and the expected end; absent where it cannot be told. */
export type Forecast = { perMinute: number; end: ExpectedEnd | undefined };

/** What the service sets for all tasks. */
type ServiceRules = {
  /** Of its timestamps and of its days. */
  zone: string;
  callingHours?: Schedule['callingHours'];
  /** Calls to a number in a day; 0: no limit. */
  callsPerNumber?: number | undefined;
};

const windowMs = 5 * bucketMs.minute;

/**
 * Over the last five whole minutes and the running one by its share, or since the task started. Unknown until a minute
 * has passed. `now`: when the rows were read.
 */
export const callsPerMinute = (
  minutes: readonly TimelineRow[],
  now: Instant,
  started?: Instant,
): number | undefined => {
  const begun = minutes[0]?.time ?? started ?? now;
  const from = Math.max(begun, started ?? 0, bucketOf('minute', now) - windowMs);
  if (now - from < bucketMs.minute) return undefined;
  return callsSince(minutes, from) / ((now - from) / bucketMs.minute);
};

const callsSince = (minutes: readonly TimelineRow[], from: Instant): number =>
  sum(minutes.filter(({ time }) => time + bucketMs.minute > from).map(callsOf));

/** The facts of a task as instants. */
type Facts = {
  task: TaskOverview;
  minutes: readonly TimelineRow[];
  now: Instant;
  /** Without `callUntil`. */
  schedule: Schedule;
  zone: string;
  callsPerNumber: number;
  started: Instant;
  lastCall: Instant;
  firstDue: Instant;
  lastDue: Instant;
  lastCallback: Instant;
};

/** A figure that is not certain. */
type Range = { low: number; likely: number; high: number };

/** How long the hours were open between two instants. */
const openTime = ({ schedule, zone }: Facts, from: Instant, to: Instant): number => {
  let open = 0;
  for (let at = openFrom(schedule, from, zone); at !== undefined && at < to; ) {
    const until = Math.min(to, openUntil(schedule, at, zone));
    open += until - at;
    at = openFrom(schedule, until, zone);
  }
  return open;
};

/** What the limits of the task allow, in calls a millisecond. */
const limitOf = ({ callsPerMinute, maxConcurrentCalls, calls }: TaskOverview): number => {
  const byLines =
    maxConcurrentCalls === null || calls.duration === 0
      ? Number.POSITIVE_INFINITY
      : (maxConcurrentCalls * calls.total) / (calls.duration * secondMs);
  return Math.min((callsPerMinute ?? Number.POSITIVE_INFINITY) / minuteMs, byLines);
};

const [recentMs, leastRecentMs] = [15 * minuteMs, 3 * minuteMs];
/** A contact that is due longer than that waits for its turn. */
const turnMs = 30 * secondMs;
/** The rate of calls that end at random is known that well, as a multiple of one over the root of their number. */
const [rateDoubt, leastRateDoubt] = [1.5, 0.04];
/** A task that waited most of its time may call that much faster than on average. */
const idleFactor = 20;

/**
 * How fast the task calls while contacts are there to call, in calls a millisecond: its rate of now, if contacts wait for
 * their turn. Otherwise it calls as retries come due, and its busiest minutes tell more; after hours without a call, only the
 * average since its start is known.
 */
const rateOf = (facts: Facts, fresh: number): Range => {
  const { task, minutes, now, started, firstDue, lastCall } = facts;
  const limit = limitOf(task);
  const within = (low: number, likely: number, high: number): Range => ({
    low: Math.min(low, limit),
    likely: Math.min(likely, limit),
    high: Math.min(high, limit),
  });
  const from = Math.max(now - recentMs, started, minutes[0]?.time ?? now);
  const [open, calls] = [openTime(facts, from, now), callsSince(minutes, from)];
  const busiest = sum(busiestMinutes(minutes).map(callsOf)) / (busyMinutes * bucketMs.minute);
  const isBusy = (fresh > 0 || firstDue < now - turnMs) && task.dialing.reason !== 'OUTSIDE_HOURS';
  if (isBusy && open >= leastRecentMs && calls > 0) {
    const doubt = Math.min(0.5, Math.max(leastRateDoubt, rateDoubt / Math.sqrt(calls)));
    const rate = Math.min(calls / open, limit);
    // Without first calls, the task may have waited for some of that time.
    return within(rate * (1 - doubt), rate, Math.max(rate * (1 + doubt), fresh > 0 ? 0 : busiest));
  }
  const average = task.calls.total / Math.max(minuteMs, openTime(facts, started, lastCall));
  const low = Math.max(average, busiest / 2);
  const high = busiest > 0 ? Math.max(average, busiest) : average * idleFactor;
  return within(low, Math.sqrt(low * high), high);
};

/** By the reasons that calls ended with so far. */
const retriesOf = ({ calls, retryRules, callInterval, maxDialCount }: TaskOverview): Retry[] => {
  const left = new Map(Object.entries(calls.byReason));
  const take = (reasons: readonly string[]): number =>
    sum(
      reasons.map((reason) => {
        const count = left.get(reason) ?? 0;
        left.delete(reason);
        return count;
      }),
    );
  const byRule = retryRules.map(({ reasons, waitSeconds, attempts }) => ({
    count: take(reasons),
    waitMs: waitSeconds * secondMs,
    attempts: Math.min(attempts, maxDialCount),
  }));
  // A number that does not exist is not called again.
  const final = take(['invalidNumber']);
  const others = calls.failed + calls.noAnswer - final - sum(byRule.map(({ count }) => count));
  return [...byRule, { count: others, waitMs: callInterval * secondMs, attempts: maxDialCount }]
    .filter(({ count }) => count > 0)
    .map(({ count, ...rule }) => ({ share: count / calls.total, ...rule }));
};

/** Contacts that are selected, not blocked, and were not called yet. */
const freshOf = ({ contacts }: TaskOverview): Range => {
  const { reached, failed, noAnswer, blocked, waiting, inCall, notDialed, notSelected, selected } = contacts;
  const taken = reached + failed + noAnswer + blocked + waiting + inCall;
  const looked = taken + notSelected;
  const share = looked === 0 ? 1 : taken / looked;
  const callable = taken === 0 ? 1 : 1 - blocked / taken;
  const fresh = Math.max(0, Math.min(notDialed, selected.count - taken));
  const doubt = selected.estimated && looked > 0 ? notDialed * Math.sqrt((share * (1 - share)) / looked) : 0;
  return {
    low: Math.max(0, fresh - doubt) * callable,
    likely: fresh * callable,
    high: Math.min(notDialed, fresh + doubt) * callable,
  };
};

type Place = { due: Instant; count: number };

const pointsAtMost = 30;
const spreadOver = (count: number, first: Instant, last: Instant): Place[] => {
  const points = Math.max(1, Math.min(pointsAtMost, Math.round(count)));
  const apart = points === 1 ? 0 : (last - first) / (points - 1);
  return Array.from({ length: points }, (_, i) => ({ due: last - i * apart, count: count / points }));
};

/**
 * When contacts that wait for a retry come due: a wait after the calls of the timeline that did not settle them. The others
 * wait for their turn, or are spread evenly until the last one is due.
 */
const retryPlaces = (count: number, retries: readonly Retry[], facts: Facts): Place[] => {
  const { minutes, now, firstDue, lastDue, lastCall } = facts;
  const again = sum(retries.map(({ share }) => share));
  const places = retries
    .flatMap(({ share, waitMs }) =>
      minutes.map(({ time, failed, noAnswer }) => ({
        due: time + bucketMs.minute / 2 + waitMs,
        count: ((failed + noAnswer) * share) / again,
      })),
    )
    .filter(({ due }) => due > Math.max(now, firstDue - bucketMs.minute) && due < lastDue + bucketMs.minute)
    .map((place) => ({ ...place, due: Math.min(Math.max(place.due, firstDue), lastDue) }));
  const known = sum(places.map((place) => place.count));
  const part = known === 0 ? 0 : Math.min(1, count / known);
  const longestWait = Math.max(0, ...retries.map(({ waitMs }) => waitMs));
  const last = firstDue < now ? now : Math.max(firstDue, Math.min(lastDue, lastCall + longestWait));
  return [
    ...places.map((place) => ({ ...place, count: place.count * part })),
    ...spreadOver(count - known * part, firstDue, last),
  ].sort((a, b) => a.due - b.due);
};

/** By the calls that contacts had, which have no final outcome; a task that ran in 0.4 may not know. */
const sharesByAttempts = ({ dialing: { openByAttempts: counts } }: TaskOverview): number[] => {
  const all = sum(counts);
  return all === 0 ? [1] : counts.map((count) => count / all);
};

/** The shares within a part of the line, where contacts that had fewer calls come first. */
const sharesWithin = (shares: readonly number[], from: number, to: number): number[] => {
  let begin = 0;
  return shares.map((share) => {
    const [first, last] = [Math.max(begin, from), Math.min(begin + share, to)];
    begin += share;
    return to > from ? Math.max(0, last - first) / (to - from) : share;
  });
};

/** While first calls are made, most calls are such ones. Later contacts in a call are at the head of the line. */
const inCallOf = (task: TaskOverview): Called[] => {
  const { inCall, waiting, notDialed } = task.contacts;
  if (notDialed > 0) return [{ count: inCall, attempts: 0, today: 0 }];
  const shares = sharesWithin(sharesByAttempts(task), 0, inCall / Math.max(1, inCall + waiting));
  return shares.map((share, i) => ({ count: inCall * share, attempts: i + 1, today: 0 }));
};

/** The contacts in line. `isQuick`: agreed callbacks do not count as called today unless the task began today. */
const lineOf = (facts: Facts, retries: readonly Retry[], isQuick: boolean): Waiting[] => {
  const { now, started, lastCall, lastCallback, zone, callsPerNumber } = facts;
  const { contacts, dialing } = facts.task;
  const shares = sharesByAttempts(facts.task);
  const waiting = Math.max(0, contacts.waiting - contacts.callbacks);
  const deferred = Math.min(waiting, dialing.deferred.count);
  const nextDay = nextDayFrom(now, zone);
  const [isStartToday, isCallToday] = [started, lastCall].map((at) => nextDayFrom(at, zone) === nextDay);
  const sure = { isCallback: false, isSure: true };
  const whenFree = (due: Instant, today: number) =>
    callsPerNumber > 0 && today >= callsPerNumber
      ? { due: Math.max(due, nextDay), today: 0 }
      : { due, today: due < nextDay ? today : 0 };
  const byAttempts = ({ due, count }: Place, own: readonly number[], todayOf: (attempts: number) => number) =>
    own.map((share, i) => ({
      ...{ ...sure, ...whenFree(due, todayOf(i + 1)) },
      count: count * share,
      attempts: i + 1,
    }));
  const all = contacts.inCall + waiting - deferred;
  let passed = contacts.inCall;
  const retried = retryPlaces(waiting - deferred, retries, facts).flatMap((place) => {
    const [from, to] = [passed / all, (passed + place.count) / all];
    passed += place.count;
    const own = contacts.notDialed > 0 ? shares : sharesWithin(shares, from, to);
    return byAttempts(place, own, (attempts) => (isStartToday ? attempts : place.due > now ? 1 : 0));
  });
  const freeAt = dialing.deferred.time === null ? now : (instantAt(dialing.deferred.time, zone) ?? now);
  const calledBack = (isQuick ? isStartToday : isCallToday) ? 1 : 0;
  return [
    ...retried,
    ...byAttempts({ due: freeAt, count: deferred }, shares, () => 0),
    ...spreadOver(contacts.callbacks, now, lastCallback).map(({ due, count }) => ({
      ...{ ...sure, ...whenFree(due, calledBack), count, attempts: 1 },
      isCallback: true,
    })),
  ].filter(({ count }) => count > negligible);
};

/** Reasons for which a task does not call now, but will by itself. */
const goesOn: readonly unknown[] = [null, 'AT_LIMIT', 'ALL_IN_CALL', 'WAITING_FOR_RETRY', 'OUTSIDE_HOURS'];
/** From fewer calls nothing can be told. */
export const leastCalls = 10;
/** As long as no callback is agreed, the next one may be that much later. */
const callbackMs = 60 * minuteMs;

/**
 * What the three plays differ in. `rest`: with three contacts that may be left, the chance that all are done is 5 %; with 0.05
 * it is 95 %. `longer`: by that multiple of a talk, the last of several talks ends later than a usual one.
 */
const plays = [
  { rate: 'high', fresh: 'low', doubt: -1, callback: 0, call: 0, talk: 0, longer: 0, rest: 3 },
  { rate: 'likely', fresh: 'likely', doubt: 0, callback: 0.5, call: 1, talk: 1, longer: 0, rest: 0.7 },
  { rate: 'low', fresh: 'high', doubt: 1, callback: 1, call: 1, talk: 1, longer: 3, rest: 0.05 },
] as const;

const expectedEnd = (facts: Facts): ExpectedEnd | undefined => {
  const { task, now, lastCallback } = facts;
  const { contacts, calls } = task;
  const retries = retriesOf(task);
  const again = sum(retries.map(({ share }) => share));
  const againDoubt = again === 0 ? 0 : Math.sqrt((1 - again) / again / calls.total);
  const fresh = freshOf(task);
  const rate = rateOf(facts, fresh.likely);
  const callMs = (calls.duration / calls.total) * secondMs;
  const talkMs = calls.success === 0 ? 0 : (calls.talkDuration / calls.success) * secondMs;
  const talks = (Math.max(contacts.inCall, rate.likely * callMs) * calls.success) / calls.total;
  const [quick, likely, slow] = plays.map((play) => {
    const start: Start = {
      ...facts,
      stop: endOf(task, facts.zone),
      isFreshFirst: task.retryOrder === 'last',
      inCall: inCallOf(task),
      line: lineOf(facts, retries, play.rest === plays[0].rest),
      fresh: fresh[play.fresh],
      rate: rate[play.rate],
      retries: retries.map((each) => ({ ...each, share: each.share * (1 + play.doubt * againDoubt) })),
      callback: {
        share: Math.max(0, calls.success - contacts.reached) / calls.total,
        waitMs: Math.max(lastCallback - now, callbackMs) * play.callback,
      },
      callMs: callMs * play.call,
      lastCallMs: talkMs * play.talk * (Math.log1p(talks) + play.longer),
      rest: play.rest,
    };
    return playForward(start);
  });
  if (quick === undefined || likely === undefined || slow === undefined) return undefined;
  const at = Math.max(quick.end, Math.min(likely.end, slow.end));
  return {
    ...{ from: quick.end, at, to: Math.max(at, slow.end) },
    ...{ later: likely.later, unfinished: likely.unfinished },
    isForCallback: contacts.callbacks > 0 && lastCallback >= quick.end - 2 * minuteMs,
    doubt: doubtOf(task),
  };
};

const doubtOf = ({ contacts, calls }: TaskOverview): ExpectedEnd['doubt'] => {
  if (contacts.selected.estimated) return 'filter';
  return contacts.callbacks > 0 || calls.success > contacts.reached ? 'callbacks' : 'answers';
};

/** From the service's timeline by minute, so that two readers see the same. `now`: when it was read. */
export const forecastOf = (
  task: TaskOverview,
  minutes: readonly TimelineRow[],
  now: Instant,
  { zone, callingHours, callsPerNumber = 0 }: ServiceRules,
): Forecast | undefined => {
  const { calls, dialing } = task;
  const instant = (time: string | null) => (time === null ? undefined : instantAt(time, zone));
  const started = instant(task.startTime);
  const perMinute = callsPerMinute(minutes, now, started);
  if (perMinute === undefined) return undefined;
  // A dialer whose lines are all busy does not ask for calls.
  const isBusy = dialing.reason === 'NO_DIALER' && task.contacts.inCall > 0;
  const isKnown = task.status === status.running && (goesOn.includes(dialing.reason) || isBusy);
  if (!isKnown || started === undefined || calls.total < leastCalls) return { perMinute, end: undefined };
  const facts = {
    ...{ task, minutes, now, zone, callsPerNumber, started },
    schedule: { ...task, callingHours, callUntil: null },
    lastCall: instant(calls.lastCallTime) ?? now,
    firstDue: instant(dialing.firstDueTime) ?? now,
    lastDue: instant(dialing.lastDueTime) ?? now,
    lastCallback: instant(dialing.lastCallbackTime) ?? now,
  };
  return { perMinute, end: expectedEnd(facts) };
};
