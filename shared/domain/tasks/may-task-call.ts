import { endOf, openFrom, type Schedule, type ServiceHours, withinDatesFrom } from '../schedule.ts';
import type { Instant } from '../time.ts';
import type { Task } from './task.ts';
import { hasEnded, status } from './task-states.ts';

/** What is known of a task that a dialer or an operator asks about. */
export type TaskFacts = ServiceHours & {
  task: Pick<Task, 'status'> & Schedule;
  /** Some contacts have a time zone of their own: outside the task's hours they may be called, within its dates. */
  hasOwnZones: boolean;
  now: Instant;
};

/**
 * `over`: its `callUntil` has come, and the service stops it. `opens`: when its hours open; `null` if they never do before
 * the task is over.
 */
export type TaskDecision =
  | { is: 'draft' | 'paused' | 'ended' | 'over' | 'open' }
  | { is: 'closed'; opens: Instant | null };

/** The one place that decides whether a task may call now. Its contacts and limits may still hold its calls back. */
export const mayTaskCall = ({ task, zone, callingHours, hasOwnZones, now }: TaskFacts): TaskDecision => {
  if (task.status === status.draft) return { is: 'draft' };
  if (task.status === status.paused) return { is: 'paused' };
  if (hasEnded(task.status)) return { is: 'ended' };
  if (endOf(task, zone) <= now) return { is: 'over' };
  const schedule = { ...task, callingHours };
  const opens = hasOwnZones ? withinDatesFrom(schedule, now, zone) : openFrom(schedule, now, zone);
  return opens === now ? { is: 'open' } : { is: 'closed', opens: opens ?? null };
};
