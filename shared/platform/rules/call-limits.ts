/**
 * Limits on how often a number may be called, as settings of the service and of tasks have them.
 */

/** At most `calls` to a number in any `minutes` minutes. */
export type CallLimit = { calls: number; minutes: number };

export const callLimitsAtMost = 4;
export const callsOfLimitAtMost = 1000;
/** 30 days. */
export const minutesOfLimitAtMost = 43_200;
/** Hours: 366 days. */
export const restAtMost = 8784;

const isWithin = (number: number, most: number): boolean => number >= 1 && number <= most;

/** `undefined` where the text names no limits, too many, or the same window twice. */
export const parseCallLimits = (text: string): CallLimit[] | undefined => {
  if (text === '') return [];
  const limits = text.split(',').map((part) => {
    const [, calls = '', minutes = ''] = /^(\d{1,4})\/(\d{1,5})$/.exec(part.trim()) ?? [];
    return { calls: Number(calls), minutes: Number(minutes) };
  });
  const areWithin = limits.every(
    ({ calls, minutes }) => isWithin(calls, callsOfLimitAtMost) && isWithin(minutes, minutesOfLimitAtMost),
  );
  const windows = new Set(limits.map(({ minutes }) => minutes));
  const areFew = limits.length <= callLimitsAtMost;
  return areWithin && areFew && windows.size === limits.length ? limits : undefined;
};
