import type { TaskOverview } from '../../../../client/client.ts';
import { ServiceError } from '../../../../shared/platform/rules/errors.ts';
import { checkSchedule, endOf, openFrom } from '../../../../shared/platform/time/schedule.ts';
import { shownSettings } from '../../../../shared/tasks/rules/shown-settings.ts';
import { defaultSettings } from '../../../../shared/tasks/rules/task-settings.ts';
import { callingHours } from '../../base/page-settings.ts';
import { type Dictionary, readerZone } from '../../i18n/i18n.ts';
import { type SettingName, settingNames, settingOf, type settings } from './settings.tsx';
import { presentName } from './zones.ts';

/** The settings as add, update and adjust take them. */
export type Body = { [Name in SettingName]: TaskOverview[Name] };

type Typed = { [Name in SettingName]: ReturnType<(typeof settings)[Name]['typed']> };

/** What an edit began with. */
export type Base = { body: Body; updateTime: string | null };

/** A task as its form holds it. */
export type TaskDraft = Typed & {
  source?: { id: string; name: string } | undefined;
  base?: Base | undefined;
};

/** A stored task as its form holds it. */
export type TaskEdit = TaskDraft & { base: Base };

const typedFrom = (values: Body): Typed =>
  Object.fromEntries(settingNames.map((name) => [name, settingOf(name).typed(values[name])])) as Typed;

export const draftOf = (task: Body & Pick<TaskOverview, 'dataSourceId' | 'dataSourceName'>): TaskDraft => ({
  ...typedFrom(task),
  source: { id: task.dataSourceId, name: task.dataSourceName },
});

/** What is proposed: working hours of weekdays in the reader's zone. */
export const newDraft = (): TaskDraft =>
  typedFrom({
    ...(shownSettings(defaultSettings, presentName(readerZone())) as Body),
    taskName: '',
    dailyStartTime: '09:00',
    dailyEndTime: '20:00',
    weekdays: [1, 2, 3, 4, 5],
  });

/** The body of add and update: everything that the form shows. */
export const bodyOf = (draft: TaskDraft): Body =>
  Object.fromEntries(settingNames.map((name) => [name, settingOf(name).value(draft[name])])) as Body;

export const editOf = (task: TaskOverview): TaskEdit => {
  const draft = draftOf(task);
  return { ...draft, base: { body: bodyOf(draft), updateTime: task.updateTime } };
};

/** The field beside which the fault of two fields together is said. */
export const saidAt: Readonly<Record<string, string>> = {
  dailyStartTime: 'dailyEndTime',
  callFrom: 'callUntil',
};

/** The field that makes the schedule impossible, by the service's own rules. */
const scheduleFault = (draft: TaskDraft): string[] => {
  try {
    checkSchedule(bodyOf(draft));
    return [];
  } catch (error) {
    const field = error instanceof ServiceError ? error.errors[0]?.field : undefined;
    return field === undefined ? [] : [saidAt[field] ?? field];
  }
};

const scheduleFields = [
  ...['dailyStartTime', 'dailyEndTime', 'timeZone', 'weekdays', 'breaks'],
  ...['excludedDates', 'callFrom', 'callUntil'],
];

/** What the form can tell before the service is asked, by field. */
export const faultsOf = (draft: TaskDraft, t: Dictionary): Record<string, string> => {
  const wrong: string[] = settingNames.filter((name) => settingOf(name).isWrong?.(draft[name]));
  const hasTimes = !['dailyStartTime', 'dailyEndTime', 'breaks'].some((name) => wrong.includes(name));
  const all = hasTimes ? [...wrong, ...scheduleFault(draft)] : wrong;
  return {
    ...Object.fromEntries(all.map((name) => [name, t.setting[name as SettingName].fault])),
    ...(wrong.includes('taskName') && { taskName: t.form.missingName }),
    ...(draft.source === undefined && { dataSourceId: t.form.missingSource }),
  };
};

/** When the task can call for the first time, by its own hours and those of the service; `undefined`: never. */
export const firstOpening = (draft: TaskDraft, now: number): number | undefined =>
  openFrom({ ...bodyOf(draft), callingHours }, now, draft.timeZone);

/** The field that keeps the task from ever calling, of a draft whose fields are right by themselves. */
export const deadEndOf = (draft: TaskDraft, t: Dictionary, now: number): Record<string, string> => {
  const hasFault = scheduleFields.some((name) => name in faultsOf(draft, t));
  if (hasFault || firstOpening(draft, now) !== undefined) return {};
  const { callUntil, timeZone } = bodyOf(draft);
  if (endOf({ callUntil, timeZone }, timeZone) <= now) return { callUntil: t.form.endIsPast };
  return { [callUntil ? 'callUntil' : callingHours ? 'dailyEndTime' : 'excludedDates']: t.form.neverOpens };
};
