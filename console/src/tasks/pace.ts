import type { TaskOverview } from '../../../client/answers.ts';
import type { Schedule } from '../../../shared/domain/schedule.ts';
import { bucketMs, bucketOf, type TimelineRow } from '../../../shared/domain/tasks/timeline.ts';
import { afterOpenTime } from './open-time.ts';

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
