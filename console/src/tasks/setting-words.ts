import type { TaskOverview } from '../../../client/answers.ts';
import { listText } from '../i18n/format.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import { ruleWords } from '../task-form/retries.ts';
import { daysWords, weekdayWords } from './task-words.ts';

export type Settings = Pick<
  TaskOverview,
  | 'weekdays'
  | 'excludedDates'
  | 'breaks'
  | 'excludedDataSourceIds'
  | 'retryRules'
  | 'retryOrder'
  | 'callSettings'
  | 'callerNumbers'
  | 'pauseWhen'
>;

/** The value of a setting as the reader says it; a number or a text as it is. `lists`: names of contact lists. */
export const settingWords = <S extends Settings>(
  name: keyof S,
  settings: S,
  lists: ReadonlyMap<string, string>,
  t: Dictionary,
): string => {
  const words: { [K in keyof Settings]: () => string | null } = {
    weekdays: () => weekdayWords(settings.weekdays, t),
    excludedDates: () => daysWords(settings.excludedDates),
    breaks: () => listText(settings.breaks.map(({ start, end }) => `${start}–${end}`)),
    excludedDataSourceIds: () => listText(settings.excludedDataSourceIds.map((id) => lists.get(id) ?? id)),
    retryRules: () => settings.retryRules.map((rule) => ruleWords(rule, t)).join('; '),
    retryOrder: () => t.form.retryOrders[settings.retryOrder],
    callSettings: () => listText(Object.entries(settings.callSettings).map((pair) => pair.join(': '))),
    callerNumbers: () => listText(settings.callerNumbers),
    pauseWhen: () =>
      settings.pauseWhen && t.form.brakeWords(settings.pauseWhen.failedPercent, settings.pauseWhen.calls),
  };
  return words[name as keyof Settings]?.() ?? String(settings[name] ?? '');
};
