import { type Database, Lost, type TransactItem } from './database.ts';
import { keyRange } from './expressions.ts';
import { keys } from './keys.ts';
import { noBytes, type PackedBytes, unpackBytes, withBytes } from './packed-bytes.ts';

/** The highest number that a key can have. */
const highestNumber = 999_999_999;
const bitsPerByte = 8;
const maskOf = (number: number) => 1 << (number % bitsPerByte);

/** The numbers of removed entries of a list, one bit each, packed. They are never reused. */
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
   * The entries from `offset` to `offset + limit` of all below `end`, counted from the newest.
   * @returns the first and the last of their numbers, and how many entries they are
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

/** What a filter needs of a task, a data source or an import. */
export type NumberedHeader = { id: string; name?: string; status?: number };

/** The item `COUNT`: the next free number, how many entries were removed, and which. */
type Numbers = { next: number; removed: number; gaps: ListGaps };

/**
 * All tasks, all data sources, or all imports of a data source, in the order they were added.
 * Entries are numbered, and the list knows the numbers of removed entries. So a page without a
 * filter is one short range. A filter reads all headers.
 */
export class NumberedList<H extends NumberedHeader> {
  readonly #database: Database;
  readonly #partition: string;

  constructor(database: Database, partition: string) {
    this.#database = database;
    this.#partition = partition;
  }

  async nextNumber(): Promise<number> {
    return (await this.#numbers()).next;
  }

  /** Adds a header under the next free number. Refused if another entry took that number first. */
  entry(number: number, header: H): TransactItem[] {
    return [
      this.#database.updateOf(keys.listCount(this.#partition), {
        UpdateExpression: 'SET #count = :next',
        ConditionExpression: number === 0 ? 'attribute_not_exists(#count)' : '#count = :number',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':next': number + 1, ...(number === 0 ? {} : { ':number': number }) },
      }),
      this.revision(number, header),
    ];
  }

  revision(number: number, header: H): TransactItem {
    return this.#database.putOf({ ...keys.header(this.#partition, number), ...header });
  }

  /** Removes a header. Refused if another entry was removed since the numbers were read. */
  async removal(number: number): Promise<TransactItem[]> {
    const { removed, gaps } = await this.#numbers();
    return [
      this.#database.updateOf(keys.listCount(this.#partition), {
        UpdateExpression: 'SET gaps = :gaps, removed = :next',
        ConditionExpression: removed === 0 ? 'attribute_not_exists(removed)' : 'removed = :removed',
        ExpressionAttributeValues: {
          ':gaps': gaps.with(number),
          ':next': removed + 1,
          ...(removed === 0 ? {} : { ':removed': removed }),
        },
      }),
      this.#database.deleteOf(keys.header(this.#partition, number)),
    ];
  }

  /**
   * @returns the ids of one page, newest first, and the number of all that `keep` accepts
   * @throws Lost if an entry of the page was removed meanwhile
   */
  async page(offset: number, limit: number, keep?: (header: H) => boolean) {
    return keep === undefined ? this.#range(offset, limit) : this.#filtered(offset, limit, keep);
  }

  /** Every header that `keep` accepts, newest first. */
  async headers(keep: (header: H) => boolean): Promise<H[]> {
    return (await this.#headers(0, Number.MAX_SAFE_INTEGER)).filter(keep);
  }

  async #range(offset: number, limit: number): Promise<{ total: number; ids: string[] }> {
    const { next, removed, gaps } = await this.#numbers();
    const total = next - removed;
    const { first, last, count } = gaps.range(next, offset, limit);
    if (count === 0) return { total, ids: [] };
    const headers = await this.#headers(first, last);
    if (headers.length !== count) throw new Lost();
    return { total, ids: headers.map(({ id }) => id) };
  }

  async #filtered(offset: number, limit: number, keep: (header: H) => boolean) {
    const kept = await this.headers(keep);
    return { total: kept.length, ids: kept.slice(offset, offset + limit).map(({ id }) => id) };
  }

  async #numbers(): Promise<Numbers> {
    const item = await this.#database.get(keys.listCount(this.#partition));
    return {
      next: Number(item?.count ?? 0),
      removed: Number(item?.removed ?? 0),
      gaps: new ListGaps(item?.gaps as Uint8Array | undefined),
    };
  }

  async #headers(first: number, last: number): Promise<H[]> {
    const from = keys.header(this.#partition, first).sk;
    const to = keys.header(this.#partition, Math.min(last, highestNumber)).sk;
    const range = keyRange(this.#partition, from, to);
    const items = await this.#database.queryAll({ ...range, ScanIndexForward: false });
    return items as unknown as H[];
  }
}
