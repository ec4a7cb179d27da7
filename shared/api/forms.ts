/** Texts of a fixed form: the pattern for machines, and for people how to write it. */
export const forms = {
  clock: {
    pattern: '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    words: 'use HH:MM, for example 09:00',
  },
  timestamp: {
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    words: 'use YYYY-MM-DD HH:MM:SS, for example 2026-05-01 09:00:00',
  },
} as const;

/** What to say to a client instead of a pattern. */
export const wordsOfPattern = (pattern: unknown): string =>
  Object.values(forms).find((form) => form.pattern === pattern)?.words ?? 'does not have the right form';
