import type { Numbering } from '../../domain/contacts/phone-number.ts';
import type { PhoneList } from './phone-list.ts';

/**
 * Calls `found` with the index of each number of `numbers` that is on the list, in the same spelling or in another. This
 * is the rule by which a lease looks up one number, for all numbers at once.
 */
export const findShared = (
  numbers: PhoneList,
  list: PhoneList,
  { spellings, sameEnd }: Numbering,
  found: (index: number) => void,
): void => {
  const { sorted } = numbers;
  let at = 0;
  for (let index = 0; index < sorted.length; index++) {
    const packed = sorted[index]!;
    while (at < list.size && list.sorted[at]! < packed) at++;
    const isThere = list.sorted[at] === packed;
    // To ask for spellings takes a thousand times as long as to compare ends of numbers.
    const mayBeThere = !isThere && sameEnd > 0 && list.mayHold(numbers, index, sameEnd);
    if (isThere || (mayBeThere && isSpelledOn(list, numbers.phoneAt(index), spellings))) found(index);
  }
};

const isSpelledOn = (list: PhoneList, phoneNumber: string, spellings: Numbering['spellings']): boolean =>
  spellings(phoneNumber, (text) => list.has(text)).length > 0;

/** How many of `ends` are among `others`, both ascending. */
export const countShared = (ends: Uint32Array, others: Uint32Array): number => {
  let count = 0;
  let at = 0;
  for (const end of ends) {
    while (at < others.length && others[at]! < end) at++;
    if (others[at] === end) count++;
  }
  return count;
};
