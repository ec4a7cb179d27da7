import { invalid } from './errors.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 16;
const idPattern = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** An opaque, URL-safe id of 80 random bits. The alphabet has no look-alikes. */
export const idFrom = (random: Uint8Array): string =>
  Array.from({ length: idLength }, (_, i) => alphabet[(random[i] ?? 0) % alphabet.length]).join('');

/** Whether a client's id has the format of our ids. Other ids are treated as not found. */
export const isId = (text: string): boolean => idPattern.test(text);

/** The id of the do-not-call list. It is the only id that the service did not generate. */
export const doNotCallId = 'do-not-call';

/** A data source that exists without having been added. */
export const isBuiltIn = (id: string): boolean => id === doNotCallId;

export const nameAtMost = 100;

/** How a name is stored, compared and returned: trimmed, NFC, 1-100 code points. */
export const normaliseName = (field: string, raw: string): string => {
  const name = raw.trim().normalize('NFC');
  const length = [...name].length;
  if (length === 0) throw invalid(field, 'must not be empty', 'REQUIRED');
  if (length > nameAtMost)
    throw invalid(field, `must have at most ${nameAtMost} characters, has ${length}`, 'TOO_LONG');
  return name;
};

/**
 * Equal for texts that differ only in case. Upper case comes last, because lower case alone keeps
 * the final sigma apart.
 */
const caseless = (text: string) => text.toLowerCase().toUpperCase();

/** A filter for fuzzy matching. @returns undefined if there is nothing to filter */
export const fuzzyFilter = (raw: string | undefined): string | undefined => {
  const text = raw?.trim().normalize('NFC');
  return text ? caseless(text) : undefined;
};

export const matchesFuzzily = (name: string, filter: string | undefined): boolean =>
  filter === undefined || caseless(name).includes(filter);

/** The name of a field without case, `_`, `-` and spaces, which people write in different ways. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Texts of a fixed format: the pattern that is checked, and an example of how to write it. */
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

/** The words that a client sees instead of the pattern. */
export const wordsOfPattern = (pattern: unknown): string =>
  Object.values(patterns).find((each) => each.pattern === pattern)?.words ??
  'does not have the required format';

const longestText = 2000;

/** JSON schemas of the values in task settings. */
export const text = { type: 'string', maxLength: longestText } as const;
export const priority = {
  type: 'integer',
  minimum: 1,
  maximum: 5,
  description: '1 is served first, 5 last',
  examples: [2],
} as const;
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
