import type { TaskOverview } from '../../../client/answers.ts';
import { ServiceError } from '../../../shared/domain/errors.ts';
import { forms } from '../../../shared/domain/forms.ts';
import { checkSchedule } from '../../../shared/domain/schedule.ts';
import { defaultSettings, taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { readerZone } from '../i18n/format.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import { zoneOf } from '../tasks/task-words.ts';
import type { Pair } from '../ui/pair-fields.tsx';
import { daysFrom } from './days.ts';
import { isRule, type RuleDraft, ruleDraft, ruleOf } from './retries.ts';
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
};

export type FieldsProps = {
  draft: TaskDraft;
  faults: Record<string, string>;
  onChange: (next: Partial<TaskDraft>) => void;
};

/** What ties a text field of the form to the draft. */
export const bound = (
  { draft, faults, onChange }: FieldsProps,
  name:
    | 'taskName'
    | 'taskDesc'
    | 'dailyStartTime'
    | 'dailyEndTime'
    | 'maxDialCount'
    | 'callInterval'
    | 'priority'
    | 'callerNumbers',
) => ({
  value: draft[name],
  error: faults[name],
  onValue: (value: string) => onChange({ [name]: value }),
});

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** What is proposed: working hours of weekdays in the reader's zone. */
export const newDraft = (): TaskDraft => ({
  taskName: '',
  taskDesc: '',
  source: undefined,
  excluded: [],
  dailyStartTime: '09:00',
  dailyEndTime: '20:00',
  timeZone: presentName(readerZone()),
  weekdays: [1, 2, 3, 4, 5],
  excludedDates: [],
  breaks: [],
  maxDialCount: String(defaultSettings.maxDialCount),
  callInterval: String(defaultSettings.callInterval),
  priority: String(defaultSettings.priority),
  retryRules: [],
  retryOrder: 'due',
  callSettings: [],
  callerNumbers: '',
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
  retryRules: task.retryRules.map(ruleDraft),
  retryOrder: task.retryOrder,
  callSettings: Object.entries(task.callSettings).map(([name, value]) => ({ name, value })),
  callerNumbers: task.callerNumbers.join(', '),
});

/** The days of the list and the days in the fields: what was chosen counts, also before it is added. */
export const daysOffOf = ({ excludedDates, dayOff = '', dayOffEnd = '' }: TaskDraft): string[] =>
  dayOff === ''
    ? excludedDates
    : [...new Set([...excludedDates, ...daysFrom(dayOff, dayOffEnd || dayOff)])].sort();

const numbersIn = (text: string): string[] =>
  text
    .split(/[,，;；、\n]/)
    .map((number) => number.trim())
    .filter(Boolean);

/** Rows in which nothing was typed do not count. */
const settingsOf = (pairs: readonly Pair[]): Pair[] =>
  pairs
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' || value !== '');

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
});

export type Body = ReturnType<typeof bodyOf>;

export const changesOf = (body: Body, base: Body): Partial<Body> => {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(base[name as keyof Body]);
  return Object.fromEntries(Object.entries(body).filter(isChanged));
};

export const editOf = (task: TaskOverview): TaskDraft => {
  const draft = draftOf(task);
  return { ...draft, base: { body: bodyOf(draft), updateTime: task.updateTime } };
};

/** Where the draft holds what a field of the body says. */
const placesOf = (field: keyof Body): (keyof TaskDraft)[] => {
  if (field === 'excludedDataSourceIds') return ['excluded'];
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

const clock = new RegExp(forms.clock.pattern);

/** 9, 930, 9:30 and 0930 are times too. */
export const clockOf = (typed: string): string => {
  const text = typed.trim().replace(/[：.]/g, ':');
  const found = /^(\d{1,2}):?(\d{2})?$/.exec(text);
  if (found === null) return text;
  return `${(found[1] as string).padStart(2, '0')}:${found[2] ?? '00'}`;
};

const isWithin = (text: string, { minimum, maximum }: { minimum: number; maximum: number }) =>
  /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;

/** The field that makes the schedule impossible, by the service's own rules. */
const scheduleFault = (draft: TaskDraft): string | undefined => {
  try {
    checkSchedule({ ...draft, excludedDates: daysOffOf(draft) });
    return undefined;
  } catch (error) {
    return error instanceof ServiceError ? error.errors[0]?.field : undefined;
  }
};

/** What the form can tell before the service is asked, by field. */
export const faultsOf = (draft: TaskDraft, t: Dictionary): Record<string, string> => {
  const isClock = (text: string) => clock.test(text);
  const [hasStart, hasEnd] = [isClock(draft.dailyStartTime), isClock(draft.dailyEndTime)];
  const hasBreaks = draft.breaks.every(({ start, end }) => isClock(start) && isClock(end));
  const wrong = hasStart && hasEnd && hasBreaks ? scheduleFault(draft) : undefined;
  const words = t.errors.fields;
  const told = settingsOf(draft.callSettings).map(({ name }) => name);
  const isTold = !told.includes('') && new Set(told).size === told.length;
  const { maxItems } = taskSettings.callerNumbers;
  const faults: [string, boolean, string][] = [
    ['taskName', draft.taskName.trim() === '', t.form.missingName],
    ['dataSourceId', draft.source === undefined, t.form.missingSource],
    ['dailyStartTime', !hasStart, t.form.badTime],
    ['dailyEndTime', !hasEnd, t.form.badTime],
    ['dailyEndTime', wrong === 'dailyStartTime', t.form.badOrder],
    ['timeZone', wrong === 'timeZone', words.timeZone],
    ['weekdays', draft.weekdays.length === 0, t.form.missingDays],
    ['breaks', !hasBreaks || wrong === 'breaks', words.breaks],
    ['excludedDates', daysOffOf(draft).length > taskSettings.excludedDates.maxItems, words.excludedDates],
    ['maxDialCount', !isWithin(draft.maxDialCount, taskSettings.maxDialCount), words.maxDialCount],
    ['callInterval', !isWithin(draft.callInterval, taskSettings.callInterval), words.callInterval],
    ['retryRules', !draft.retryRules.every(isRule), words.retryRules],
    ['callSettings', !isTold, words.callSettings],
    ['callerNumbers', numbersIn(draft.callerNumbers).length > maxItems, words.callerNumbers],
  ];
  return Object.fromEntries(faults.filter(([, isWrong]) => isWrong).map(([field, , text]) => [field, text]));
};
