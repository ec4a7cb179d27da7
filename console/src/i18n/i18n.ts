import { type Language, words } from '../../../shared/insight/rules.ts';
import { remember, remembered } from '../base/preferences.ts';
import { createStore, useStore } from '../base/store.ts';
import { callWords } from './call-words.ts';
import { errorWords } from './error-words.ts';
import { adjustWords, formWords, preflightWords } from './form-words.ts';
import { frameWords } from './frame-words.ts';
import { listWords } from './list-words.ts';
import { peopleWords } from './people-words.ts';
import { wordsOf } from './phrases.ts';
import { settingWords } from './setting-words.ts';
import { taskWords } from './task-words.ts';

const phrases = {
  ...frameWords,
  ...taskWords,
  ...listWords,
  calls: callWords,
  form: formWords,
  setting: settingWords,
  preflight: preflightWords,
  adjust: adjustWords,
  people: peopleWords,
  errors: errorWords,
};

const dictionaryOf = (language: Language) => {
  const { standing, reason, title, yes } = words[language];
  const own = wordsOf(phrases, language);
  return {
    ...own,
    standing: { ...standing, reached: standing.success },
    /** How a call ended. */
    outcome: { success: own.calls.connected, failed: standing.failed, noAnswer: standing.noAnswer },
    ...{ reason, title, yes },
  };
};
export type Dictionary = ReturnType<typeof dictionaryOf>;

const key = 'console.language';
const dictionaries: Record<Language, Dictionary> = { en: dictionaryOf('en'), zh: dictionaryOf('zh') };

const firstLanguage = (): Language => {
  const chosen = remembered(key);
  if (chosen === 'en' || chosen === 'zh') return chosen;
  const known = navigator.languages.find((name) => /^(en|zh)\b/i.test(name));
  return known?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
};

export const language = createStore<Language>(firstLanguage());

/** The words of the reader's language. */
export const useWords = (): Dictionary => dictionaries[useStore(language)];

/** How the reader writes numbers and times: the browser's own variant of the language where it has one. */
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
