import { invalid } from './errors.ts';

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

/** Equal for texts that differ in case only. Upper case first: lower case alone would keep the final sigma apart. */
const caseless = (text: string) => text.toLowerCase().toUpperCase();

/** A filter for fuzzy matching; `undefined` when there is nothing to filter. */
export const fuzzyFilter = (raw: string | undefined): string | undefined => {
  const text = raw?.trim().normalize('NFC');
  return text ? caseless(text) : undefined;
};

export const matchesFuzzily = (name: string, filter: string | undefined): boolean =>
  filter === undefined || caseless(name).includes(filter);
