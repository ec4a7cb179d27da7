import { type Language, words } from '../../../shared/insight/rules/words.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import { instantAt, steadyTimeAt } from '../../../shared/platform/time/zones.ts';
import { settings } from '../base/page-settings.ts';
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
import { waitWords } from './wait-words.ts';

const phrases = {
  ...frameWords,
  ...taskWords,
  ...waitWords,
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

const formatsIn = (name: string) => {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(name, { hourCycle: 'h23', ...options });
  return {
    number: new Intl.NumberFormat(name),
    difference: new Intl.NumberFormat(name, { signDisplay: 'exceptZero', maximumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(name, { style: 'percent', maximumFractionDigits: 1 }),
    time: dates({ hour: '2-digit', minute: '2-digit' }),
    seconds: dates({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    dateTime: dates({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }),
    date: dates({ dateStyle: 'medium' }),
    day: dates({ dateStyle: 'medium', timeZone: 'UTC' }),
    shortDay: dates({ month: 'short', day: 'numeric' }),
    exact: dates({ dateStyle: 'medium', timeStyle: 'medium' }),
    full: dates({ dateStyle: 'full', timeStyle: 'long' }),
  };
};

const made: Record<string, ReturnType<typeof formatsIn>> = {};

const formats = () => {
  const name = locale();
  made[name] ??= formatsIn(name);
  return made[name];
};

export const numberText = (value: number) => formats().number.format(value);
/** With a decimal below 10 MB. */
export const megabytesText = (bytes: number): string => {
  const tenths = Math.round((10 * bytes) / 1024 / 1024);
  return numberText(tenths < 100 ? tenths / 10 : Math.round(tenths / 10));
};
export const percentText = (value: number) => formats().percent.format(value);
/** A difference, with its sign. */
export const differenceText = (value: number) => formats().difference.format(value);
export const timeText = (instant: number) => formats().time.format(instant);
export const shortDayText = (instant: number) => formats().shortDay.format(instant);
export const secondsText = (instant: number) => formats().seconds.format(instant);
/** Date and time to the second. */
export const exactText = (instant: number) => formats().exact.format(instant);
export const fullText = (instant: number) => formats().full.format(instant);

const halfYearMs = 183 * dayMs;

/** The time alone for today, with the date for other days, with the year for long ago. */
export const momentText = (instant: number, now = Date.now()): string => {
  const sameDay = new Date(instant).toDateString() === new Date(now).toDateString();
  if (sameDay) return formats().time.format(instant);
  return Math.abs(now - instant) < halfYearMs
    ? formats().dateTime.format(instant)
    : formats().date.format(instant);
};

/** The same to the second. */
export const momentSecondsText = (instant: number): string => {
  const sameDay = new Date(instant).toDateString() === new Date().toDateString();
  return sameDay ? secondsText(instant) : `${shortDayText(instant)} ${secondsText(instant)}`;
};

/** `YYYY-MM-DD`, a day of the calendar in any zone. */
export const dayText = (date: string): string => {
  const instant = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(instant) ? date : formats().day.format(instant);
};

/** Seconds as 0:42, 3:05, 1:02:09. */
export const durationText = (seconds: number): string => {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
};

/** A timestamp of the service, which is in the service's zone, as an instant. */
export const instantOf = (timestamp: string): number => instantAt(timestamp, settings.timeZone) ?? Number.NaN;

/** What the clock of a zone shows at an instant, as `YYYY-MM-DDTHH:MM:SS`. */
const clockIn = (timeZone: string, instant: number): string =>
  new Date(instant + steadyTimeAt(instant, timeZone).offset).toISOString();

/** `HH:MM` */
export const timeInZone = (instant: number, timeZone: string): string =>
  clockIn(timeZone, instant).slice(11, 16);

/** `YYYY-MM-DD` */
export const dateInZone = (instant: number, timeZone: string): string =>
  clockIn(timeZone, instant).slice(0, 10);

/** With the year, where it is not this year. The weekday stands without a comma, with the year and without. */
export const dayInZone = (instant: number, timeZone: string): string => {
  const isThisYear = new Date(instant).getFullYear() === new Date().getFullYear();
  const text = new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(instant + steadyTimeAt(instant, timeZone).offset);
  return text.replace(', ', ' ');
};

/** 1 = Monday. */
export const weekdayText = (weekday: number, width: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(locale(), { weekday: width, timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

/** In Chinese, parts are joined by 、 alone. */
export const listText = (items: readonly string[]): string =>
  language.get() === 'zh'
    ? items.join('、')
    : new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items);

export const readerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The name of a country, by its ISO code. */
export const regionText = (code: string): string =>
  new Intl.DisplayNames(locale(), { type: 'region' }).of(code) ?? code;
