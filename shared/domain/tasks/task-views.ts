import type { FormatTime, Instant } from '../time.ts';
import type { Task } from './task.ts';

/** The totals of a task's calls. callCount = successCount + failCount + noAnswerCount. */
export type Tally = {
  callCount: number;
  successCount: number;
  failCount: number;
  noAnswerCount: number;
  /** Seconds. */
  duration: number;
  /** Of `duration`, the seconds of successful calls. */
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
/** Multiplies before dividing: 7407 / 800 * 10,000 would fall just below .5 and round down. */
const ratio = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part * rateDecimals) / whole) / rateDecimals;

const maybe = (format: FormatTime, instant: Instant | null) => (instant === null ? null : format(instant));

export const taskSummary = ({ task, contactCount, tally }: CountedTask, format: FormatTime) => ({
  id: task.id,
  taskName: task.taskName,
  taskDesc: task.taskDesc,
  status: task.status,
  dataSourceId: task.dataSourceId,
  contactCount,
  callCount: tally.callCount,
  successCount: tally.successCount,
  createTime: format(task.createTime),
  startTime: maybe(format, task.startTime),
  endTime: maybe(format, task.endTime),
});

export const detailedTask = ({ task, contactCount, tally }: CountedTask, format: FormatTime) => ({
  id: task.id,
  taskName: task.taskName,
  taskDesc: task.taskDesc,
  status: task.status,
  dataSourceId: task.dataSourceId,
  contactCount,
  callCount: tally.callCount,
  successCount: tally.successCount,
  failCount: tally.failCount,
  noAnswerCount: tally.noAnswerCount,
  dialRate: ratio(tally.callCount, contactCount),
  successRate: ratio(tally.successCount, tally.callCount),
  callDuration: tally.duration,
  avgCallDuration: ratio(tally.duration, tally.callCount),
  priority: task.priority,
  maxDialCount: task.maxDialCount,
  createTime: format(task.createTime),
  startTime: maybe(format, task.startTime),
  updateTime: maybe(format, task.updateTime),
});

export const taskStatistics = ({ task, contactCount, tally }: CountedTask, format: FormatTime) => ({
  taskId: task.id,
  taskName: task.taskName,
  status: task.status,
  totalContacts: contactCount,
  callCount: tally.callCount,
  successCount: tally.successCount,
  failCount: tally.failCount,
  noAnswerCount: tally.noAnswerCount,
  dialRate: ratio(tally.callCount, contactCount),
  successRate: ratio(tally.successCount, tally.callCount),
  totalDuration: tally.duration,
  avgDuration: ratio(tally.duration, tally.callCount),
  lastUpdateTime: format(Math.max(task.createTime, task.updateTime ?? 0, tally.lastCallTime ?? 0)),
});
