import type { Directory } from '../../contacts/directory.ts';
import { packedPhones, packPhone, readPhoneBlocks, unpackPhone } from '../../contacts/phone-block.ts';
import type { Numbering } from '../../contacts/rules/phone-number.ts';
import type { Database } from '../../platform/table/database.ts';
import { blockSize } from '../../platform/table/keys.ts';

/** The index of the first value that is not below `value`. */
const indexOf = (sorted: Float64Array | Uint32Array, value: number): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Digits of a packed phone number, from `1<digits>`. */
const digitCount = (prefixed: number): number => {
  let digits = 3;
  for (let next = 1e4; prefixed >= next; next *= 10) digits++;
  return digits;
};

/** The longest ends of numbers that are compared. They fit in 32 bits. */
const endDigits = 9;
const endRange = 10 ** endDigits;
/** Numbers of at least this many digits are told apart by their end alone. */
const longDigits = 11;

/** The last nine digits, backwards, so that equal ends are sorted together. Missing ones are 0. */
const lastBackwards = (prefixed: number, digits: number): number => {
  let rest = prefixed;
  let end = 0;
  for (let i = 0; i < endDigits; i++) {
    end = end * 10 + (i < digits ? rest % 10 : 0);
    rest = Math.floor(rest / 10);
  }
  return end;
};

/** How the numbers of a list end. */
type Ends = {
  /** By index: how many digits the number has, and its last nine digits backwards. */
  digits: Uint8Array;
  backwards: Uint32Array;
  /** The same ends ascending, by the digits of their numbers. Long numbers are together. */
  sorted: ReadonlyMap<number, Uint32Array>;
};

const endsOf = (packed: Float64Array): Ends => {
  const digits = Uint8Array.from(packed, (each) => digitCount(Math.floor(each / 2)));
  const backwards = Uint32Array.from(packed, (each, i) => lastBackwards(Math.floor(each / 2), digits[i]!));
  const classes = digits.map((each) => Math.min(each, longDigits));
  const sorted = [...new Set(classes)].map(
    (length) => [length, backwards.filter((_, i) => classes[i] === length).sort()] as const,
  );
  return { digits, backwards, sorted: new Map(sorted) };
};

/**
 * The phone numbers of a data source as packed numbers, ascending. A million take 8 MB, and two
 * lists are compared in one pass. A `Set` of a million takes 37 MB and seven times as long to make,
 * and cannot find ends.
 */
export class PhoneList {
  readonly sorted: Float64Array;
  #knownEnds: Ends | undefined;

  constructor(packed: Float64Array) {
    this.sorted = packed.slice().sort();
  }

  get size(): number {
    return this.sorted.length;
  }

  phoneAt(index: number): string {
    return unpackPhone(this.sorted[index]!);
  }

  has(phoneNumber: string): boolean {
    return this.indexOf(packPhone(phoneNumber)) !== undefined;
  }

  indexOf(packed: number): number | undefined {
    const index = indexOf(this.sorted, packed);
    return this.sorted[index] === packed ? index : undefined;
  }

  /**
   * The last nine digits, ascending, of the numbers that have at least nine digits and that `keep`
   * accepts by index.
   */
  lastNine(keep: (index: number) => boolean = () => true): Uint32Array {
    const ends = new Uint32Array(this.size);
    let count = 0;
    this.sorted.forEach((packed, index) => {
      const prefixed = Math.floor(packed / 2);
      if (prefixed >= endRange && keep(index)) ends[count++] = prefixed % endRange;
    });
    return ends.slice(0, count).sort();
  }

  /**
   * Whether the list may have another spelling of the number at an index of `numbers`: one of its
   * numbers ends with the same digits. See `sameEnd` of `Numbering`.
   */
  mayHold(numbers: PhoneList, index: number, sameEnd: number): boolean {
    const { digits, backwards } = numbers.#ends();
    const end = backwards[index]!;
    for (const [length, ends] of this.#ends().sorted) {
      const shorter = Math.min(digits[index]!, length);
      const span = 10 ** (endDigits - Math.max(4, Math.min(shorter - 3, sameEnd)));
      const from = end - (end % span);
      if (ends[indexOf(ends, from)]! < from + span) return true;
    }
    return false;
  }

  #ends(): Ends {
    this.#knownEnds ??= endsOf(this.sorted);
    return this.#knownEnds;
  }
}

/**
 * The packed phone numbers of a data source, and the sequence number of each, in the order in which
 * they were added.
 */
export type ReadPhones = { packed: Float64Array; seqs: Uint32Array };

export const readPhones = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
): Promise<ReadPhones> => {
  const blocks = await readPhoneBlocks(database, dataSourceId, directory);
  const packed = new Float64Array(blocks.length * blockSize);
  const seqs = new Uint32Array(blocks.length * blockSize);
  let count = 0;
  for (const { block, phones } of blocks) {
    packedPhones(phones).forEach((number, slot) => {
      if (number === 0) return;
      packed[count] = number;
      seqs[count++] = block * blockSize + slot;
    });
  }
  return { packed: packed.subarray(0, count), seqs: seqs.subarray(0, count) };
};

/**
 * Calls `found` with the index of each number of `numbers` that is on the list, in the same
 * spelling or another. This is the rule by which a lease looks up one number, for all numbers at
 * once.
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
    // Asking for spellings takes a thousand times as long as comparing ends of numbers.
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
