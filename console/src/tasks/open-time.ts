import { openFrom, type Schedule } from '../../../shared/domain/schedule.ts';

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
