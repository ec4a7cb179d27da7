import { perMinuteOf, type TimelineRow } from '../../calls/rules/timeline.ts';
import { type FormatTime, hourMs, type Instant, minuteMs } from '../../platform/time/time.ts';
import { timeIn } from '../../platform/time/zones.ts';
import type { StillToCall } from './still-to-call.ts';

/** When the contacts of a task become callable. `recent`: the calls of its last minutes. */
export type Outlook = { inCall: number; stillToCall: StillToCall; recent: readonly TimelineRow[] };

/** Hours that are listed one by one. */
const hoursListed = 48;

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
  for (const { from, to, count } of stillToCall.waiting) {
    // Fresh contacts of several zones: it is not known yet how many of them open when.
    if (from === null || from !== to) continue;
    const at = Math.floor((from - hour) / hourMs);
    if (at < hoursListed) hours[at]! += count;
    else {
      const date = wallClock(from).slice(0, 10);
      days.set(date, (days.get(date) ?? 0) + count);
    }
  }
  return {
    time: format(now),
    callable: stillToCall.callable,
    inCall,
    perMinute: perMinuteOf(recent, now),
    hours: hours.map((count, at) => ({ time: format(hour + at * hourMs), count })),
    later: [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, count]) => ({ date, count })),
  };
};
