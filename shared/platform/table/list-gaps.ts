import { noBytes, type PackedBytes, unpackBytes, withBytes } from './packed-bytes.ts';

const bitsPerByte = 8;
const maskOf = (number: number) => 1 << (number % bitsPerByte);

/** The numbers of a list whose entries were removed: one bit each, packed. Numbers are never given out again. */
export class ListGaps {
  readonly #packed: PackedBytes;
  readonly #bits: Uint8Array;

  constructor(packed: PackedBytes = noBytes) {
    this.#packed = packed;
    this.#bits = unpackBytes(packed);
  }

  has(number: number): boolean {
    return ((this.#bits[Math.floor(number / bitsPerByte)] ?? 0) & maskOf(number)) !== 0;
  }

  with(number: number): PackedBytes {
    const at = Math.floor(number / bitsPerByte);
    return withBytes(this.#packed, [[at, (this.#bits[at] ?? 0) | maskOf(number)]]);
  }

  /**
   * The numbers of the entries `offset` to `offset + limit` of all below `end`, counted from the newest. Answers the
   * first and the last of them, and how many they are.
   */
  range(end: number, offset: number, limit: number): { first: number; last: number; count: number } {
    const range = { first: end, last: -1, count: 0 };
    for (let number = end - 1, at = 0; number >= 0 && range.count < limit; number--) {
      if (this.has(number)) continue;
      if (at++ < offset) continue;
      range.first = number;
      range.last = Math.max(range.last, number);
      range.count++;
    }
    return range;
  }
}
