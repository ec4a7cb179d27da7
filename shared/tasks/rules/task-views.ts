import { type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';
import type { Task } from './task.ts';

/** The totals of a task's calls. callCount = successCount + failCount + noAnswerCount. */
export type Tally = {
  callCount: number;
  successCount: number;
  failCount: number;
  noAnswerCount: number;
  /** Seconds. */
  duration: number;
  /** The seconds of `duration` in successful calls. */
  talkDuration: number;
  lastCallTime: Instant | null;
};

export const emptyTally: Tally = {
  callCount: 0,
  successCount: 0,
  failCount: 0,
  noAnswerCount: 0,
  duration: 0,
  talkDuration: 0,
  lastCallTime: null,
};

/** A task with its counts. */
export type CountedTask = { task: Task; contactCount: number; tally: Tally };

const rateDecimals = 10_000;
/** Multiplies before dividing: 7407 / 800 * 10,000 would be just below .5 and be rounded down. */
const ratio = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part * rateDecimals) / whole) / rateDecimals;

const identity = ({ task, contactCount }: CountedTask) => ({
  id: task.id,
  taskName: task.taskName,
  taskDesc: task.taskDesc,
  status: task.status,
  dataSourceId: task.dataSourceId,
  contactCount,
});

const callFigures = ({ contactCount, tally }: CountedTask) => ({
  callCount: tally.callCount,
  successCount: tally.successCount,
  failCount: tally.failCount,
  noAnswerCount: tally.noAnswerCount,
  dialRate: ratio(tally.callCount, contactCount),
  successRate: ratio(tally.successCount, tally.callCount),
});

/** The answer to a task that was just added. */
export const addedTask = (counted: CountedTask, format: FormatTime) => ({
  ...identity(counted),
  createTime: format(counted.task.createTime),
});

export const taskSummary = (counted: CountedTask, format: FormatTime) => ({
  ...identity(counted),
  callCount: counted.tally.callCount,
  successCount: counted.tally.successCount,
  createTime: format(counted.task.createTime),
  startTime: formatOrNull(counted.task.startTime, format),
  endTime: formatOrNull(counted.task.endTime, format),
});

export const detailedTask = (counted: CountedTask, format: FormatTime) => {
  const { task, tally } = counted;
  return {
    ...identity(counted),
    ...callFigures(counted),
    callDuration: tally.duration,
    avgCallDuration: ratio(tally.duration, tally.callCount),
    priority: task.priority,
    maxDialCount: task.maxDialCount,
    createTime: format(task.createTime),
    startTime: formatOrNull(task.startTime, format),
    updateTime: formatOrNull(task.updateTime, format),
  };
};

export const taskStatistics = (counted: CountedTask, format: FormatTime) => {
  const { task, contactCount, tally } = counted;
  return {
    taskId: task.id,
    taskName: task.taskName,
    status: task.status,
    totalContacts: contactCount,
    ...callFigures(counted),
    totalDuration: tally.duration,
    avgDuration: ratio(tally.duration, tally.callCount),
    lastUpdateTime: format(Math.max(task.createTime, task.updateTime ?? 0, tally.lastCallTime ?? 0)),
  };
};

/** Maximum of the newest tasks of each state that may need attention. */
export const attentionAtMost = 10;

/** The result of a pre-flight: `selected` of `total` contacts match the filter. */
export type FoundSelected = { selected: number; total: number; estimated: boolean };

/** How far the filter of a task has been applied to its contacts. */
export type Looked = {
  /** Contacts that were taken up and not called yet. They were looked at. */
  takenUp: number;
  /** Contacts that did not match an earlier filter are being looked at again. */
  isReviewing: boolean;
  /** The share of the contacts looked at that was selected; 0 before the first. */
  share: number;
};

type Facts = {
  isFiltered: boolean;
  counts: { total: number; notDialed: number; notSelected: number };
  looked: Looked;
  /** The contacts of the list, without deleted ones. */
  contactCount: number;
  found: FoundSelected | undefined;
};

/**
 * How many contacts of its list a task selects. The number is exact if every contact was looked at
 * and called, or a pre-flight has counted the contacts as they are now. Before a contact is called,
 * the contact or the filter may be changed. Without a pre-flight, the share so far is assumed for
 * the other contacts.
 */
export const countSelected = ({ isFiltered, counts, looked, contactCount, found }: Facts) => {
  const { total, notDialed, notSelected } = counts;
  if (!isFiltered) return { count: total, estimated: false };
  const called = total - notSelected - notDialed;
  if (notDialed === 0 && !looked.isReviewing) return { count: called, estimated: false };
  const left = Math.max(0, notDialed - looked.takenUp);
  // Contacts were added or deleted since the pre-flight. Its share is assumed for the present list.
  const count = found
    ? (found.selected * contactCount) / Math.max(1, found.total)
    : total - notSelected - left + looked.share * left;
  return {
    count: Math.min(called + notDialed, Math.max(called, Math.round(count))),
    estimated: found?.estimated ?? true,
  };
};
