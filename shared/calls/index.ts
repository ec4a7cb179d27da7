/**
 * Calls that have ended: each call by itself, and how many there were over time. Dialing writes both in the transaction of
 * the result. So a task has as many records as calls, and its counters and its timeline agree.
 *
 * - A *record* is kept as long as its task, or for `KEEP_CALLS_DAYS`. The records of a task lie in several parts, each in the
 *   order in which the calls ended, and a reader merges the parts. A call is found by its id through its task contact, which
 *   knows when each of its calls ended. Only annotations and erasures change a record, on the version that they have read.
 * - The *timeline* of a task counts a call under its minute in a counter item, at no cost. Past minutes move from there to the
 *   items of their hours and days, in one transaction. So a month is read from thirty items, and from the minutes that are still
 *   gathering.
 * - The *days of the service* are the calls of all tasks, also of deleted ones. A task is entered on a day before its first
 *   call of the day is counted, so a reader finds every task that called without reading the others. Entries and items of days
 *   are kept for good. Days are those of UTC, and their quarter hours make up the days of any zone.
 *
 * If a process dies between two writes, a day may have an entry without calls, and an export a column without values. No call
 * is lost or counted twice.
 */
export {
  type CallRange,
  CallRecords,
  type CallsPage,
  callOfItem,
  namesAtMost,
  readDataNames,
  rememberDataNames,
  type StoredCall,
} from './store/call-records.ts';
export { dayMark, minuteName, ServiceDays, TaskTimeline, talkName } from './store/timeline.ts';
