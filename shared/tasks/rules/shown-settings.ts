import { type adjustable, type Name, picked, type TaskSettings, type taskSettings } from './task-settings.ts';

/** Settings without a default that cannot be `null`. */
type NeverNull = {
  [N in Name]: (typeof taskSettings)[N] extends { default: unknown }
    ? never
    : null extends TaskSettings[N]
      ? never
      : N;
}[Name];

/** What is shown for an absent setting. A setting that can be `null` is shown as `null`. */
const shownIfAbsent: Required<Pick<TaskSettings, Exclude<NeverNull, 'timeZone'>>> = {
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  excludedDates: [],
  breaks: [],
  excludedDataSourceIds: [],
  callSettings: {},
  callerNumbers: [],
  retryRules: [],
  retryOrder: 'due',
  keepOpen: false,
  dispositions: [],
  contactFilter: [],
  callLimits: [],
  restAfterSuccess: 0,
};

const shownValue = (settings: TaskSettings, name: Name, absent: Partial<TaskSettings>): unknown =>
  settings[name] ?? absent[name] ?? null;

/** All settings of a task. `zone` is the service's. */
export const shownSettings = (settings: TaskSettings, zone: string) => {
  const absent: Partial<TaskSettings> = { ...shownIfAbsent, timeZone: zone };
  return picked((name) => shownValue(settings, name, absent)) as Required<TaskSettings>;
};

/** The value that applies to the task, whether it has the setting or not. */
export const valueInForce = (settings: TaskSettings, name: (typeof adjustable)[number]): unknown =>
  shownValue(settings, name, shownIfAbsent);
