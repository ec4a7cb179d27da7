import type { TaskOverview } from '../../../client/answers.ts';
import { readerZone } from '../i18n/format.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import { zoneOf } from '../tasks/task-words.ts';

/** A task as its form holds it: numbers as they are typed. */
export type TaskDraft = {
  taskName: string;
  taskDesc: string;
  source: { id: string; name: string } | undefined;
  /** The name of a list that was chosen before is not known at once. */
  excluded: { id: string; name: string | undefined }[];
  dailyStartTime: string;
  dailyEndTime: string;
  timeZone: string;
  weekdays: number[];
  excludedDates: string[];
  /** Chosen, and not yet among them. */
  dayOff?: string;
  breaks: { start: string; end: string }[];
  maxDialCount: string;
  callInterval: string;
  priority: string;
};

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** What is proposed: working hours of weekdays where the reader is. */
export const newDraft = (): TaskDraft => ({
  taskName: '',
  taskDesc: '',
  source: undefined,
  excluded: [],
  dailyStartTime: '09:00',
  dailyEndTime: '20:00',
  timeZone: readerZone(),
  weekdays: [1, 2, 3, 4, 5],
  excludedDates: [],
  breaks: [],
  maxDialCount: '3',
  callInterval: '60',
  priority: '3',
});

export const draftOf = (task: TaskOverview, taskName = task.taskName): TaskDraft => ({
  taskName,
  taskDesc: task.taskDesc,
  source: { id: task.dataSourceId, name: task.dataSourceName },
  excluded: task.excludedDataSourceIds.map((id) => ({ id, name: undefined })),
  dailyStartTime: task.dailyStartTime,
  dailyEndTime: task.dailyEndTime,
  timeZone: zoneOf(task),
  weekdays: task.weekdays.length === 0 ? everyDay : task.weekdays,
  excludedDates: task.excludedDates,
  breaks: task.breaks,
  maxDialCount: String(task.maxDialCount),
  callInterval: String(task.callInterval),
  priority: String(task.priority),
});

/** Those of the list, and the one in the field: what was chosen counts, whatever is pressed next. */
export const daysOffOf = ({ excludedDates, dayOff = '' }: TaskDraft): string[] =>
  dayOff === '' ? excludedDates : [...new Set([...excludedDates, dayOff])].sort();

/** The body of add and update: everything that the form shows. */
export const bodyOf = (draft: TaskDraft) => ({
  taskName: draft.taskName.trim(),
  taskDesc: draft.taskDesc,
  dailyStartTime: draft.dailyStartTime,
  dailyEndTime: draft.dailyEndTime,
  timeZone: draft.timeZone,
  weekdays: draft.weekdays,
  excludedDates: daysOffOf(draft),
  breaks: draft.breaks.filter(({ start, end }) => start !== '' || end !== ''),
  excludedDataSourceIds: draft.excluded.map(({ id }) => id),
  maxDialCount: Number(draft.maxDialCount),
  callInterval: Number(draft.callInterval),
  priority: Number(draft.priority),
});

const clock = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** 9, 930, 9:30 and 0930 are times too. */
export const clockOf = (typed: string): string => {
  const text = typed.trim().replace(/[：.]/g, ':');
  const found = /^(\d{1,2}):?(\d{2})?$/.exec(text);
  if (found === null) return text;
  return `${(found[1] as string).padStart(2, '0')}:${found[2] ?? '00'}`;
};

const isWithin = (text: string, least: number, most: number) =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;

/** What the form can tell before the service is asked, by field. */
export const faultsOf = (draft: TaskDraft, t: Dictionary): Record<string, string> => {
  const times = clock.test(draft.dailyStartTime) && clock.test(draft.dailyEndTime);
  const badBreak = draft.breaks.some(
    ({ start, end }) =>
      !clock.test(start) ||
      !clock.test(end) ||
      start >= end ||
      start < draft.dailyStartTime ||
      end > draft.dailyEndTime,
  );
  const sorted = [...draft.breaks].sort((a, b) => (a.start < b.start ? -1 : 1));
  const overlap = sorted.some(({ start }, i) => i > 0 && start < sorted[i - 1]!.end);
  const faults: [string, boolean, string][] = [
    ['taskName', draft.taskName.trim() === '', t.form.missingName],
    ['dataSourceId', draft.source === undefined, t.form.missingSource],
    ['dailyStartTime', !clock.test(draft.dailyStartTime), t.form.badTime],
    ['dailyEndTime', !clock.test(draft.dailyEndTime), t.form.badTime],
    ['dailyEndTime', times && draft.dailyStartTime >= draft.dailyEndTime, t.form.badOrder],
    ['weekdays', draft.weekdays.length === 0, t.form.missingDays],
    ['breaks', times && (badBreak || overlap), t.errors.fields.breaks],
    ['maxDialCount', !isWithin(draft.maxDialCount, 1, 10), t.errors.fields.maxDialCount],
    ['callInterval', !isWithin(draft.callInterval, 0, 86_400), t.errors.fields.callInterval],
  ];
  return Object.fromEntries(faults.filter(([, wrong]) => wrong).map(([field, , words]) => [field, words]));
};
