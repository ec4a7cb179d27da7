import { taskSettings } from '../../../../../shared/tasks/rules/task-settings.ts';

/** The limits of a task's pace. */
export type Limit = 'maxConcurrentCalls' | 'callsPerMinute';

/** Where a task without a limit begins. */
const firstLimit: Record<Limit, number> = { maxConcurrentCalls: 10, callsPerMinute: 60 };

const stepOf = (value: number) => (value < 20 ? 1 : value < 100 ? 5 : value < 1000 ? 50 : 500);

/**
 * The next limit up or down: rounder the larger it is. `current`: what is being called now, so that the first limit of a
 * task does not slow it down.
 */
export const stepped = (value: number | null, up: boolean, name: Limit, current = 0): number => {
  const { minimum, maximum } = taskSettings[name];
  if (value === null) {
    const round = stepOf(current) * Math.ceil(current / stepOf(current));
    return Math.min(maximum, Math.max(firstLimit[name], round));
  }
  const step = stepOf(up ? value : value - 1);
  const next = up ? (Math.floor(value / step) + 1) * step : (Math.ceil(value / step) - 1) * step;
  return Math.min(maximum, Math.max(minimum, next));
};
