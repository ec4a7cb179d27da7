import { remember, remembered } from '../ui/preferences.ts';
import { createStore, useStore } from '../ui/store.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

export type Language = 'en' | 'zh';

type Widened<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** Every language has every word: a missing one does not compile. */
export type Dictionary = Widened<typeof en>;

const key = 'console.language';
const dictionaries: Record<Language, Dictionary> = { en, zh };

const firstLanguage = (): Language => {
  const chosen = remembered(key);
  if (chosen === 'en' || chosen === 'zh') return chosen;
  const known = navigator.languages.find((name) => /^(en|zh)\b/i.test(name));
  return known?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
};

export const language = createStore<Language>(firstLanguage());

/** The words of the reader's language. */
export const useWords = (): Dictionary => dictionaries[useStore(language)];

/** How the reader writes numbers and times: the browser's own form of the language where it has one. */
export const locale = (): string => {
  const chosen = language.get();
  const own = navigator.languages.find((name) => name.toLowerCase().startsWith(chosen));
  return own ?? (chosen === 'zh' ? 'zh-CN' : 'en-GB');
};

const apply = () => {
  document.documentElement.lang = language.get() === 'zh' ? 'zh-CN' : 'en';
};

export const chooseLanguage = (next: Language): void => {
  remember(key, next);
  language.set(next);
};

language.subscribe(apply);
apply();
