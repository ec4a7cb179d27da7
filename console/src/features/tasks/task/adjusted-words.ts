import { adjustable } from '../../../../../shared/domain/tasks/task-settings.ts';
import type { Dictionary } from '../../../i18n/i18n.ts';
import { type SettingName, valueWords } from '../../../parts/settings/settings.tsx';

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
      const [, found, ...values] = change.exec(each) ?? [];
      if (found === undefined) return each;
      const name = found as SettingName;
      const words = values.map((text) => {
        if (none.test(text)) return t.common.none;
        const value = parsed(text);
        return value === undefined ? text : valueWords(name, value, lists, t);
      });
      return `${t.setting[name].label}: ${words.join(' → ')}`;
    })
    .join('; ');
