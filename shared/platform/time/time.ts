/** An instant: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** @returns null for an empty list */
export const latest = (instants: readonly (Instant | null | undefined)[]): Instant | null => {
  const known = instants.filter((instant) => typeof instant === 'number');
  return known.length === 0 ? null : Math.max(...known);
};

const minutesPerHour = 60;

/** `YYYY-MM-DD HH:MM:SS` in one time zone. */
export type FormatTime = (instant: Instant) => string;

export const formatOrNull = (instant: Instant | null | undefined, format: FormatTime): string | null =>
  instant == null ? null : format(instant);

/** `YYYYMMDDHHMMSS`, for file names. */
export const compactTime = (formatted: string): string => formatted.replace(/\D/g, '');

/** Minutes since midnight of an `HH:MM` between 00:00 and 24:00. */
export const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * minutesPerHour + minutes;
};

const twoDigits = (part: number) => String(part).padStart(2, '0');

/** Seconds in a file, as 0:01:02. A spreadsheet reads 1:02 as hours and minutes. */
export const clockText = (seconds: number): string => {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  return `${Math.floor(whole / 3600)}:${twoDigits(minutes)}:${twoDigits(whole % 60)}`;
};
