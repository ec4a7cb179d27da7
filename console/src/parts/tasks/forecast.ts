import type { TaskOverview } from '../../../../client/answers.ts';
import { endOf, openFrom, type Schedule } from '../../../../shared/domain/schedule.ts';
import { bucketMs, bucketOf, type TimelineRow } from '../../../../shared/domain/tasks/timeline.ts';

/** Calls a minute, and when the last contact will have its outcome; absent where that cannot be told. */
export type Forecast = { perMinute: number; end: number | undefined };

const windowMs = 5 * bucketMs.minute;
const secondMs = 1000;

export const callsOf = ({ success, failed, noAnswer }: Omit<TimelineRow, 'time'>): number =>
  success + failed + noAnswer;

/**
 * Over the last five whole minutes and the running one by its share, or since the task started. Unknown until a minute
 * has passed. `now`: when the rows were read.
 */
export const callsPerMinute = (
  minutes: readonly TimelineRow[],
  now: number,
  started = 0,
): number | undefined => {
  const from = Math.max(minutes[0]?.time ?? now, started, bucketOf('minute', now) - windowMs);
  if (now - from < bucketMs.minute) return undefined;
  const counted = minutes.filter(({ time }) => time + bucketMs.minute > from);
  const calls = counted.reduce((sum, row) => sum + callsOf(row), 0);
  return calls / ((now - from) / bucketMs.minute);
};

const stepMs = 15 * 60_000;
const stepsAtMost = 1000;

/** The instant at which the hours have been open for `openMs` since `from`; unknown where that is weeks away. */
export const afterOpenTime = (
  schedule: Schedule,
  from: number,
  openMs: number,
  zone: string,
): number | undefined => {
  let [at, left]: [number | undefined, number] = [from, openMs];
  for (let step = 0; step < stepsAtMost; step++) {
    at = openFrom(schedule, at, zone);
    if (at === undefined || left <= 0) return at;
    const isOpenAfter = openFrom(schedule, at + stepMs, zone) === at + stepMs;
    // Hours end on whole minutes.
    const passed = Math.min(left, isOpenAfter ? stepMs : bucketMs.minute - (at % bucketMs.minute));
    at += passed;
    left -= passed;
  }
  return undefined;
};

/** The forecast that the limits of the task allow, whatever it was before they were set. */
const withinLimits = (perMinute: number, { callsPerMinute, maxConcurrentCalls, calls }: TaskOverview) => {
  const secondsOfCall = calls.duration / calls.total;
  const byLines =
    maxConcurrentCalls === null || !(secondsOfCall > 0)
      ? perMinute
      : (60 * maxConcurrentCalls) / secondsOfCall;
  return Math.min(perMinute, callsPerMinute ?? perMinute, byLines);
};

/** How long a contact waits for its next call, and how often at most, by the reasons that calls ended with so far. */
const retriesOf = ({ calls, retryRules, callInterval, maxDialCount }: TaskOverview) => [
  ...(calls.total > calls.success ? [{ waitMs: callInterval * secondMs, rounds: maxDialCount - 1 }] : []),
  ...retryRules
    .filter(({ reasons }) => reasons.some((reason) => calls.byReason[reason] > 0))
    .map(({ waitSeconds, attempts }) => ({
      waitMs: waitSeconds * secondMs,
      rounds: Math.min(maxDialCount, attempts) - 1,
    })),
];

/**
 * The later of two times: when all calls are made at this forecast, and when the contact that is called last has had all its
 * retries. Both count hours, and a task ends at its `callUntil` at the latest. Unknown while a callback is agreed: its
 * time is not known here.
 */
const expectedEnd = (
  task: TaskOverview,
  perMinute: number,
  now: number,
  callingHours: Schedule['callingHours'],
): number | undefined => {
  const { reached, failed, noAnswer, notDialed, waiting, inCall, callbacks } = task.contacts;
  const [settled, left] = [reached + failed + noAnswer, notDialed + waiting + inCall];
  const forecast = withinLimits(perMinute, task);
  if (!task.dialing.active || callbacks > 0 || settled === 0 || left === 0 || forecast <= 0) return undefined;
  const schedule: Schedule = { ...task, callingHours, callUntil: null };
  const afterCalls = (count: number) =>
    afterOpenTime(schedule, now, (count / forecast) * bucketMs.minute, task.timeZone);
  const afterRetries = (from: number | undefined, waitMs: number, rounds: number) => {
    let at = from;
    for (let round = 0; round < rounds && at !== undefined; round++)
      at = openFrom(schedule, at + waitMs, task.timeZone);
    return at;
  };
  const lastFirstCall = afterCalls(notDialed);
  const ends = [
    // The contacts that are left take as many calls as the others did.
    afterCalls((left * task.calls.total) / settled),
    ...retriesOf(task).map(({ waitMs, rounds }) => afterRetries(lastFirstCall, waitMs, rounds)),
  ];
  const known = ends.filter((end) => end !== undefined);
  return known.length < ends.length ? undefined : Math.min(Math.max(...known), endOf(task, task.timeZone));
};

/** From the service's timeline by minute, so that two readers see the same. `now`: when it was read. */
export const forecastOf = (
  task: TaskOverview,
  minutes: readonly TimelineRow[],
  now: number,
  { started, callingHours }: { started?: number; callingHours?: Schedule['callingHours'] } = {},
): Forecast | undefined => {
  const perMinute = callsPerMinute(minutes, now, started);
  return perMinute === undefined
    ? undefined
    : { perMinute, end: expectedEnd(task, perMinute, now, callingHours) };
};
