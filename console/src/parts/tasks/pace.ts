import type { TaskOverview } from '../../../../client/answers.ts';
import { openFrom, type Schedule } from '../../../../shared/domain/schedule.ts';
import { bucketMs, bucketOf, type TimelineRow } from '../../../../shared/domain/tasks/timeline.ts';

/** Calls a minute, and when nothing will be left at that pace, within the task's hours. */
export type Pace = { perMinute: number; end: number | undefined };

const windowMs = 5 * bucketMs.minute;

export const callsOf = ({ success, failed, noAnswer }: Omit<TimelineRow, 'time'>): number =>
  success + failed + noAnswer;

/** Over the last five whole minutes, or since the first call; unknown until a minute has passed. */
export const callsPerMinute = (minutes: readonly TimelineRow[], now: number): number | undefined => {
  const until = bucketOf('minute', now);
  const first = minutes[0]?.time;
  if (first === undefined || first >= until) return undefined;
  const from = Math.max(first, until - windowMs);
  const calls = minutes
    .filter(({ time }) => time >= from && time < until)
    .reduce((sum, row) => sum + callsOf(row), 0);
  return calls / ((until - from) / bucketMs.minute);
};

const stepMs = 15 * 60_000;
const stepsAtMost = 400;

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
    const passed = Math.min(stepMs, left);
    at += passed;
    left -= passed;
  }
  return undefined;
};

/** From the service's timeline by minute, so that two readers see the same. */
export const paceOf = (
  task: TaskOverview,
  minutes: readonly TimelineRow[],
  now: number,
): Pace | undefined => {
  const perMinute = callsPerMinute(minutes, now);
  if (perMinute === undefined) return undefined;
  const { reached, failed, noAnswer, notDialed, waiting, inCall } = task.contacts;
  const settled = reached + failed + noAnswer;
  // The contacts that are left take as many calls as the others did.
  const callsLeft = ((notDialed + waiting + inCall) * task.calls.total) / settled;
  const isOn = task.dialing.active && perMinute > 0 && settled > 0 && callsLeft > 0;
  const openMs = (callsLeft / perMinute) * bucketMs.minute;
  return { perMinute, end: isOn ? afterOpenTime(task as Schedule, now, openMs, task.timeZone) : undefined };
};
