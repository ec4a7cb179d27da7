/** Texts of a fixed format: the pattern that is checked, and how to write it. */
export const patterns = {
  clock: {
    pattern: '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    words: 'use HH:MM, for example 09:00',
  },
  date: {
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    words: 'use YYYY-MM-DD, for example 2026-05-01',
  },
  minute: {
    pattern: '^\\d{4}-\\d{2}-\\d{2} (?:[01]\\d|2[0-3]):[0-5]\\d$',
    words: 'use YYYY-MM-DD HH:MM, for example 2026-05-01 09:00',
  },
  timestamp: {
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    words: 'use YYYY-MM-DD HH:MM:SS, for example 2026-05-01 09:00:00',
  },
} as const;

/** The words that a client reads instead of the pattern. */
export const wordsOfPattern = (pattern: unknown): string =>
  Object.values(patterns).find((each) => each.pattern === pattern)?.words ??
  'does not have the required format';

/** JSON schemas of the values in task settings. */
const longestText = 2000;
export const text = { type: 'string', maxLength: longestText } as const;
/** 1 is the highest. */
export const priority = { type: 'integer', minimum: 1, maximum: 5, examples: [2] } as const;
export const clock = {
  type: 'string',
  pattern: patterns.clock.pattern,
  description: 'HH:MM, 00:00-24:00',
  examples: ['09:00'],
} as const;
/** A moment by the clock of the task's zone, or none. */
export const minute = {
  type: ['string', 'null'],
  pattern: patterns.minute.pattern,
  examples: ['2026-05-01 09:00'],
} as const;
export const date = {
  type: 'string',
  pattern: patterns.date.pattern,
  description: 'YYYY-MM-DD',
  examples: ['2026-05-14'],
} as const;
