import { dayMs } from '../../../../shared/platform/time/time.ts';
import { taskSettings } from '../../../../shared/tasks/rules/task-settings.ts';

const dayAt = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** `YYYY-MM-DD` of each day from the first to the last; the first alone where the last is before it. */
export const daysFrom = (first: string, last: string): string[] => {
  const start = Date.parse(first);
  const days = Math.max(0, Math.round((Date.parse(last) - start) / dayMs));
  // One more than the service takes, so that the form says that there are too many.
  const length = Math.min(days, taskSettings.excludedDates.maxItems) + 1;
  return Array.from({ length }, (_, i) => dayAt(start + i * dayMs));
};

/** Days that follow each other, together. */
export const rangesOf = (dates: readonly string[]): string[][] => {
  const ranges: string[][] = [];
  for (const date of dates) {
    const range = ranges.at(-1);
    const before = range?.at(-1);
    if (before !== undefined && dayAt(Date.parse(before) + dayMs) === date) range?.push(date);
    else ranges.push([date]);
  }
  return ranges;
};

/** Days off as the form holds them: `first` to `last` is chosen, and not yet added. */
export type DaysOff = { days: string[]; first: string; last: string };

/** What was chosen counts, also before it is added. */
export const allDays = ({ days, first, last }: DaysOff): string[] =>
  first === '' ? days : [...new Set([...days, ...daysFrom(first, last || first)])].sort();
