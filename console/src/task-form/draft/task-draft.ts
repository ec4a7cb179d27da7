import type { TaskOverview } from '../../../../client/answers.ts';
import { defaultSettings, shownSettings } from '../../../../shared/domain/tasks/task-settings.ts';
import { readerZone } from '../../i18n/format.ts';
import type { Pair } from '../../ui/fields/rows-field.tsx';
import { daysFrom } from './days.ts';
import { ruleDraft, ruleOf } from './retries.ts';
import { presentName } from './zones.ts';

/** A task as its form holds it. */
export type TaskDraft = ReturnType<typeof draftOf> & {
  /** What an edit began with. */
  base?: { body: Body; updateTime: string | null } | undefined;
  /** The days that are chosen, and not yet among the days off. */
  dayOff?: string;
  dayOffEnd?: string;
};

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

const typed = (value: string | number | null | undefined) => (value == null ? '' : String(value));

type Setting = keyof typeof defaultSettings;
type Drafted = Pick<TaskOverview, Setting | 'taskName' | 'dataSourceId' | 'dataSourceName'>;

/** Numbers as they are typed, nothing for no limit. */
export const draftOf = (task: Drafted) => ({
  taskName: task.taskName,
  taskDesc: task.taskDesc,
  source: { id: task.dataSourceId, name: task.dataSourceName } as { id: string; name: string } | undefined,
  // The name of a list that was chosen before is not known at once.
  excluded: task.excludedDataSourceIds.map((id) => ({ id, name: undefined as string | undefined })),
  dailyStartTime: task.dailyStartTime,
  dailyEndTime: task.dailyEndTime,
  timeZone: task.timeZone,
  weekdays: task.weekdays.length === 0 ? everyDay : task.weekdays,
  excludedDates: task.excludedDates,
  breaks: task.breaks,
  maxDialCount: String(task.maxDialCount),
  callInterval: String(task.callInterval),
  priority: String(task.priority),
  retryRules: task.retryRules.map(ruleDraft),
  retryOrder: task.retryOrder,
  callSettings: Object.entries(task.callSettings).map(([name, value]) => ({ name, value })),
  callerNumbers: task.callerNumbers.join(', '),
  callFrom: typed(task.callFrom),
  callUntil: typed(task.callUntil),
  maxConcurrentCalls: typed(task.maxConcurrentCalls),
  callsPerMinute: typed(task.callsPerMinute),
  failedPercent: typed(task.pauseWhen?.failedPercent),
  failedCalls: typed(task.pauseWhen?.calls),
});

/** What is proposed: working hours of weekdays in the reader's zone. */
export const newDraft = (): TaskDraft => {
  const settings = shownSettings(defaultSettings, presentName(readerZone()));
  const hours = { dailyStartTime: '09:00', dailyEndTime: '20:00', weekdays: [1, 2, 3, 4, 5] };
  const named = { taskName: '', taskDesc: '', dataSourceId: '', dataSourceName: '' };
  return { ...draftOf({ ...settings, ...hours, ...named } as Drafted), source: undefined };
};

/** The days of the list and the days in the fields: what was chosen counts, also before it is added. */
export const daysOffOf = ({ excludedDates, dayOff = '', dayOffEnd = '' }: TaskDraft): string[] =>
  dayOff === ''
    ? excludedDates
    : [...new Set([...excludedDates, ...daysFrom(dayOff, dayOffEnd || dayOff)])].sort();

export const numbersIn = (text: string): string[] =>
  text
    .trim()
    .split(/\s*[,，;；、\n]\s*/)
    .filter(Boolean);

/** Rows in which nothing was typed do not count. */
export const settingsOf = (pairs: readonly Pair[]): Pair[] =>
  pairs
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' || value !== '');

/** Nothing typed is no limit. */
export const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));

const brakeOf = ({ failedPercent, failedCalls }: TaskDraft) =>
  failedPercent.trim() === '' && failedCalls.trim() === ''
    ? null
    : { failedPercent: Number(failedPercent), calls: Number(failedCalls) };

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
  retryRules: draft.retryRules.map(ruleOf),
  retryOrder: draft.retryOrder,
  callSettings: Object.fromEntries(settingsOf(draft.callSettings).map(({ name, value }) => [name, value])),
  callerNumbers: numbersIn(draft.callerNumbers),
  callFrom: draft.callFrom || null,
  callUntil: draft.callUntil || null,
  maxConcurrentCalls: numberOrNull(draft.maxConcurrentCalls),
  callsPerMinute: numberOrNull(draft.callsPerMinute),
  pauseWhen: brakeOf(draft),
});

export type Body = ReturnType<typeof bodyOf>;

export const editOf = (task: TaskOverview): TaskDraft => {
  const draft = draftOf(task);
  return { ...draft, base: { body: bodyOf(draft), updateTime: task.updateTime } };
};
