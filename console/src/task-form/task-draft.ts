import type { TaskOverview } from '../../../client/answers.ts';
import { defaultSettings, shownSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { readerZone } from '../i18n/format.ts';
import { zoneOf } from '../tasks/task-words.ts';
import type { Pair } from '../ui/pair-fields.tsx';
import { changesOf } from './changes.ts';
import { daysFrom } from './days.ts';
import { type RuleDraft, ruleDraft, ruleOf } from './retries.ts';
import { presentName } from './zones.ts';

/** What an edit began with. */
export type Base = { body: Body; updateTime: string | null };

/** A task as its form holds it: numbers as they are typed. */
export type TaskDraft = {
  base?: Base | undefined;
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
  /** The days that are chosen, and not yet among them. */
  dayOff?: string;
  dayOffEnd?: string;
  breaks: { start: string; end: string }[];
  maxDialCount: string;
  callInterval: string;
  priority: string;
  retryRules: RuleDraft[];
  retryOrder: TaskOverview['retryOrder'];
  callSettings: Pair[];
  /** Separated by commas. */
  callerNumbers: string;
  /** `YYYY-MM-DDTHH:MM`, as the browser's field has it. */
  callFrom: string;
  callUntil: string;
  maxConcurrentCalls: string;
  callsPerMinute: string;
  failedPercent: string;
  failedCalls: string;
};

type TextName = {
  [Name in keyof TaskDraft]-?: TaskDraft[Name] extends string ? Name : never;
}[keyof TaskDraft];

export type FieldsProps = {
  draft: TaskDraft;
  faults: Record<string, string>;
  onChange: (next: Partial<TaskDraft>) => void;
};

/** What ties a text field of the form to the draft. */
export const bound = ({ draft, faults, onChange }: FieldsProps, name: TextName) => ({
  value: draft[name],
  error: faults[name],
  onValue: (value: string) => onChange({ [name]: value }),
});

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

const typed = (value: string | number | null | undefined) => (value == null ? '' : String(value));

type Drafted = Pick<TaskOverview, keyof Body | 'dataSourceId' | 'dataSourceName'>;

export const draftOf = (task: Drafted, taskName = task.taskName): TaskDraft => ({
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
  retryRules: task.retryRules.map(ruleDraft),
  retryOrder: task.retryOrder,
  callSettings: Object.entries(task.callSettings).map(([name, value]) => ({ name, value })),
  callerNumbers: task.callerNumbers.join(', '),
  callFrom: typed(task.callFrom).replace(' ', 'T'),
  callUntil: typed(task.callUntil).replace(' ', 'T'),
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
    .split(/[,，;；、\n]/)
    .map((number) => number.trim())
    .filter(Boolean);

/** Rows in which nothing was typed do not count. */
export const settingsOf = (pairs: readonly Pair[]): Pair[] =>
  pairs
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' || value !== '');

/** Nothing typed is no limit. */
export const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const momentOrNull = (text: string): string | null =>
  text === '' ? null : text.replace('T', ' ').slice(0, 16);

const brakeOf = ({ failedPercent, failedCalls }: TaskDraft) =>
  failedPercent.trim() === '' && failedCalls.trim() === ''
    ? null
    : { failedPercent: Number(failedPercent), calls: Number(failedCalls) };

/** The dates as the schedule has them. */
export const datesOf = ({ callFrom, callUntil }: TaskDraft) => ({
  callFrom: momentOrNull(callFrom),
  callUntil: momentOrNull(callUntil),
});

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
  ...datesOf(draft),
  maxConcurrentCalls: numberOrNull(draft.maxConcurrentCalls),
  callsPerMinute: numberOrNull(draft.callsPerMinute),
  pauseWhen: brakeOf(draft),
});

export type Body = ReturnType<typeof bodyOf>;

export const editOf = (task: TaskOverview): TaskDraft => {
  const draft = draftOf(task);
  return { ...draft, base: { body: bodyOf(draft), updateTime: task.updateTime } };
};

/** Where the draft holds what a field of the body says. */
const placesOf = (field: keyof Body): (keyof TaskDraft)[] => {
  if (field === 'excludedDataSourceIds') return ['excluded'];
  if (field === 'pauseWhen') return ['failedPercent', 'failedCalls'];
  return field === 'excludedDates' ? ['excludedDates', 'dayOff', 'dayOffEnd'] : [field];
};

/** The task as a colleague left it, with the reader's changes of all other fields than `theirs`. */
export const mergedWith = (
  draft: TaskDraft,
  task: TaskOverview,
  theirs: readonly (keyof Body)[],
): TaskDraft => {
  const changes = draft.base === undefined ? {} : changesOf(bodyOf(draft), draft.base.body);
  const kept = (Object.keys(changes) as (keyof Body)[]).filter((field) => !theirs.includes(field));
  const mine = kept.flatMap(placesOf).map((place) => [place, draft[place]]);
  return { ...editOf(task), dayOff: '', dayOffEnd: '', ...Object.fromEntries(mine) };
};
