import { type ErrorKind, type ErrorWord, errorWords } from '../rules/index.ts';

/** The HTTP status of each kind of error, which is also the envelope's code. */
export const statusOf = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  notAllowed: 405,
  conflict: 409,
  tooLarge: 413,
  misdirected: 421,
  unprocessable: 422,
  tooBusy: 429,
  headersTooLarge: 431,
  internal: 500,
  unavailable: 503,
  timeout: 504,
} as const satisfies Record<ErrorKind, number>;

export const statusOfWord = (word: ErrorWord): number => statusOf[errorWords[word]];

/** The word of an error answer that was stored before answers had words: the first of its status. */
export const wordOfStatus = (status: number): ErrorWord =>
  (Object.keys(errorWords) as ErrorWord[]).find((word) => statusOfWord(word) === status) ?? 'INTERNAL';
