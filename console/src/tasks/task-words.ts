import type { TaskOverview } from '../../../client/answers.ts';
import { settings } from '../api/page-settings.ts';
import {
  dateInZone,
  dayInZone,
  dayText,
  instantOf,
  listText,
  momentText,
  timeInZone,
  weekdayText,
} from '../i18n/format.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import type { OutcomeCounts } from '../ui/outcome.tsx';

export const zoneOf = ({ timeZone }: { timeZone?: string | null }): string => timeZone || settings.timeZone;

/** A moment by the clock of a zone: the time alone for today there. */
export const momentInZone = (instant: number, zone: string, t: Dictionary): string => {
  const time = timeInZone(instant, zone);
  return dateInZone(instant, zone) === dateInZone(Date.now(), zone)
    ? t.form.today(time)
    : t.form.onDay(dayInZone(instant, zone), time);
};

/** Why a task does not dial, and when it will. */
export const whyWords = (overview: TaskOverview, t: Dictionary): string | undefined => {
  const { reason, nextTime } = overview.dialing;
  if (reason === null) return undefined;
  const zone = zoneOf(overview);
  const next = nextTime === null ? undefined : momentInZone(instantOf(nextTime), zone, t);
  if (reason === 'OUTSIDE_HOURS') return t.why.OUTSIDE_HOURS(next, zone);
  if (reason === 'WAITING_FOR_RETRY') {
    const at = nextTime === null ? undefined : momentText(instantOf(nextTime));
    return t.why.WAITING_FOR_RETRY(overview.contacts.waiting, at);
  }
  return t.why[reason];
};

export const countsOf = ({ contacts }: TaskOverview): OutcomeCounts => contacts;

type Hours = Pick<TaskOverview, 'dailyStartTime' | 'dailyEndTime' | 'breaks' | 'weekdays'>;

/** Mon-Fri where the days follow each other, all names where they do not. */
export const weekdayWords = (weekdays: readonly number[], t: Dictionary): string => {
  const days = [...weekdays].sort((a, b) => a - b);
  if (days.length === 7 || days.length === 0) return t.tasks.everyDay;
  const inRow = days.every((day, i) => i === 0 || day === (days[i - 1] as number) + 1);
  const names = days.map((day) => weekdayText(day));
  return inRow && days.length > 2 ? `${names[0]}–${names.at(-1)}` : listText(names);
};

/** What the breaks leave of the day: 09:00-12:00, 13:30-20:00. */
export const openHours = ({ dailyStartTime, dailyEndTime, breaks }: Hours): string[] => {
  const sorted = [...breaks].sort((a, b) => (a.start < b.start ? -1 : 1));
  const starts = [dailyStartTime || '00:00', ...sorted.map(({ end }) => end)];
  const ends = [...sorted.map(({ start }) => start), dailyEndTime || '24:00'];
  return starts
    .map((start, i) => `${start}–${ends[i]}`)
    .filter((_, i) => (starts[i] as string) < (ends[i] as string));
};

export const hoursWords = (hours: Hours, t: Dictionary): string => {
  const open = openHours(hours);
  const isWhole = open.length === 1 && open[0] === '00:00–24:00';
  return `${weekdayWords(hours.weekdays, t)} ${isWhole ? t.tasks.allDay.toLowerCase() : listText(open)}`;
};

export const daysWords = (dates: readonly string[]): string => listText(dates.map(dayText));
