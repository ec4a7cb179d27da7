import type { TaskOverview } from '../../../client/answers.ts';
import { adjustable } from '../../../shared/domain/tasks/task-settings.ts';
import { listText } from '../i18n/format.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import { ruleWords } from '../task-form/draft/retries.ts';
import { daysWords, weekdayWords } from './task-words.ts';

type Settings = Pick<TaskOverview, (typeof adjustable)[number]>;

/** The value of a setting as the reader says it; a number or a text as it is. `lists`: names of contact lists. */
export const settingWords = <S extends Settings>(
  name: keyof S,
  settings: S,
  lists: ReadonlyMap<string, string>,
  t: Dictionary,
): string => {
  const words: { [K in keyof Settings]?: () => string | null } = {
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

const change = new RegExp(`^(${adjustable.join('|')}): (.*) -> (.*)$`, 's');
const between = new RegExp(`; (?=(?:${adjustable.join('|')}): )`);
const none = /^(none|null|\[\]|\{\})$/;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What the history says of an adjust, as "name: old -> new; …", in the reader's words. */
export const adjustedWords = (changes: string, lists: ReadonlyMap<string, string>, t: Dictionary): string =>
  changes
    .split(between)
    .map((each) => {
      const [, name, ...values] = change.exec(each) ?? [];
      if (name === undefined) return each;
      const label = t.form.settings[name as keyof Settings];
      const words = values.map((text) => {
        if (none.test(text)) return t.common.none;
        const value = parsed(text);
        return value === undefined ? text : settingWords(name, { [name]: value } as never, lists, t);
      });
      return `${label}: ${words.join(' → ')}`;
    })
    .join('; ');
