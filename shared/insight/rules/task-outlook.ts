import { callsOf, type TimelineRow } from '../../calls/rules/timeline.ts';
import { type FormatTime, hourMs, type Instant, minuteMs } from '../../platform/time/time.ts';
import { timeIn } from '../../platform/time/zones.ts';
import type { StillToCall } from './still-to-call.ts';

/** When the contacts of a task become callable. `recent`: the calls of its last minutes. */
export type Outlook = { inCall: number; stillToCall: StillToCall; recent: readonly TimelineRow[] };

/** Hours that are listed one by one, and minutes that count for the pace of the calls. */
const [hoursListed, minutesCounted] = [48, 5];

export const outlookView = (
  { inCall, stillToCall, recent }: Outlook,
  now: Instant,
  format: FormatTime,
  zone: string,
) => {
  const wallClock = timeIn(zone);
  const [, minutes = 0, seconds = 0] = wallClock(now).slice(11).split(':').map(Number);
  const hour = Math.floor(now / 1000) * 1000 - minutes * minuteMs - seconds * 1000;
  const hours = new Array<number>(hoursListed).fill(0);
  const days = new Map<string, number>();
  for (const { from, count } of stillToCall.waiting) {
    if (from === null) continue;
    const at = Math.floor((from - hour) / hourMs);
    if (at < hoursListed) hours[at]! += count;
    else {
      const date = wallClock(from).slice(0, 10);
      days.set(date, (days.get(date) ?? 0) + count);
    }
  }
  const since = now - minutesCounted * minuteMs;
  const calls = recent.filter(({ time }) => time > since).reduce((sum, row) => sum + callsOf(row), 0);
  return {
    time: format(now),
    callable: stillToCall.callable,
    inCall,
    perMinute: calls / minutesCounted,
    hours: hours.map((count, at) => ({ time: format(hour + at * hourMs), count })),
    later: [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, count]) => ({ date, count })),
  };
};
