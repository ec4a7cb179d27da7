/** English and Chinese, in this order. */
export type Phrase = readonly [en: string, zh: string];
/** A phrase, or one made of values, or a group of phrases. */
export type Phrases = { readonly [key: string]: Phrase | ((...values: never[]) => Phrase) | Phrases };

/** The phrases in one language. */
export type Words<T> = T extends Phrase
  ? string
  : T extends (...values: infer V) => Phrase
    ? (...values: V) => string
    : { readonly [K in keyof T]: Words<T[K]> };

const isPhrase = (value: Phrases[string]): value is Phrase => Array.isArray(value);

const inLanguage = (value: Phrases[string], language: 0 | 1): unknown => {
  if (isPhrase(value)) return value[language];
  if (typeof value === 'function') return (...values: never[]) => value(...values)[language];
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inLanguage(part, language)]));
};

export const wordsOf = <T extends Phrases>(phrases: T, language: 'en' | 'zh'): Words<T> =>
  inLanguage(phrases, language === 'en' ? 0 : 1) as Words<T>;

const controls = /[\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name as a part of a sentence: whatever direction it is written in, the words after it keep theirs. */
export const named = (name: string): string => {
  const plain = name.replace(controls, '');
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
};
export const quoted = (name: string): string => `“${named(name)}”`;

const numbers = new Intl.NumberFormat('en');
/** Both languages group digits in the same way. */
export const whole = (count: number): string => numbers.format(count);
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : many}`;
export const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
