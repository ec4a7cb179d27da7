import type { Database, TransactItem } from '../platform/table/database.ts';
import {
  type Condition,
  ifAbsent,
  ifPresent,
  ifUnchanged,
  prefixRange,
  setIfUnchanged,
} from '../platform/table/expressions.ts';
import { blocksPerPage, type Item, type Key, keys, seqsPerPage } from '../platform/table/keys.ts';
import { noBytes, unpackBytes, withBytes } from '../platform/table/packed-bytes.ts';
import type { Instant } from '../platform/time/time.ts';
import { type LongestPhones, noPhones } from './rules/phone-number.ts';

/** An item of packed bytes. It is replaced as a whole, on the version that was read. */
export type VersionedBytes = { bytes: Uint8Array; version: number | undefined };

export const bytesOfItem = (item: Item | undefined): VersionedBytes => ({
  bytes: (item?.bytes as Uint8Array | undefined) ?? new Uint8Array(0),
  version: item?.v as number | undefined,
});

/** The next version of the item, and the condition that it still has the version that was read. */
export const nextVersion = (
  key: Key,
  read: VersionedBytes,
  bytes: Uint8Array,
  others: Record<string, unknown> = {},
): [item: Item, condition: Condition] => [
  { ...key, ...others, bytes, v: (read.version ?? 0) + 1 },
  ifUnchanged(read.version),
];

type Change = {
  time: Instant;
  /** How many sequence numbers of the page are given out after the change. */
  given?: number;
  /** How many contacts a block has after the change. */
  lives?: readonly (readonly [block: number, live: number])[];
  longest?: LongestPhones | undefined;
};

/** A data source exists while its first page exists, but the built-in one always does. */
export const firstDirectoryPage = (dataSourceId: string): Item => ({
  ...keys.directoryPage(dataSourceId, 0),
  bytes: noBytes,
  v: 1,
  next: 0,
  longest: noPhones,
});

/** When contacts of the page were last added or deleted. Unknown in older data. */
export const changeTimeIn = (page: Item): Instant | undefined => page.changed as Instant | undefined;

/** How many sequence numbers of the page were given out. */
export const givenIn = (page: Item | undefined) => (page?.next as number | undefined) ?? 0;

/** The longest phone numbers ever of a data source, in its first page. Unknown in older data. */
export const longestIn = (firstPage: Item | undefined): LongestPhones | undefined =>
  firstPage === undefined ? noPhones : (firstPage.longest as LongestPhones | undefined);

/**
 * One page of the directory as it was read: the number of contacts in each of its blocks, packed as
 * runs of equal counts, since imported blocks are nearly all full. Every list and search reads all
 * pages of its data source, so pages must be small. Adding, deleting and importing contacts write
 * pages here, and only on the version that was read.
 */
export class DirectoryPage {
  readonly #database: Database;
  readonly #dataSourceId: string;
  readonly #bytes: VersionedBytes;
  readonly number: number;
  readonly given: number;
  /** Only the first page has it. */
  readonly longest: LongestPhones | undefined;

  constructor(database: Database, dataSourceId: string, number: number, item: Item | undefined) {
    this.#database = database;
    this.#dataSourceId = dataSourceId;
    this.#bytes = bytesOfItem(item);
    this.number = number;
    this.given = givenIn(item);
    this.longest = number === 0 ? longestIn(item) : undefined;
  }

  /** No sequence number of the page was given out yet. */
  get isNew(): boolean {
    return this.#bytes.version === undefined;
  }

  liveOf(block: number): number {
    return unpackBytes(this.#bytes.bytes)[block % blocksPerPage] ?? 0;
  }

  /**
   * Raises the longest phone numbers before a contact has such a number. This costs half as much as
   * a transaction.
   * @throws Lost
   */
  async raise(longest: LongestPhones): Promise<void> {
    await this.#database.update(
      keys.directoryPage(this.#dataSourceId, this.number),
      setIfUnchanged(this.#bytes.version ?? 0, { longest }),
    );
  }

  /** Writes the page after the change, if it still has the version that was read. */
  changed({ time, given = this.given, lives = [], longest = this.longest }: Change): TransactItem {
    const key = keys.directoryPage(this.#dataSourceId, this.number);
    const bytes = withBytes(
      this.#bytes.bytes,
      lives.map(([block, live]) => [block % blocksPerPage, live]),
    );
    const others = { next: given, changed: time, longest };
    return this.#database.putOf(...nextVersion(key, this.#bytes, bytes, others));
  }
}

export const readDirectoryPages = async (
  database: Database,
  dataSourceId: string,
  numbers: readonly number[],
): Promise<DirectoryPage[]> => {
  const items = await database.batchGet(numbers.map((number) => keys.directoryPage(dataSourceId, number)));
  return numbers.map((number, i) => new DirectoryPage(database, dataSourceId, number, items[i]));
};

/**
 * For a transaction that begins a page. The condition on the page itself, that it does not exist,
 * also holds in a deleted data source.
 */
export const whileExists = (database: Database, dataSourceId: string): TransactItem =>
  database.checkOf(keys.directoryPage(dataSourceId, 0), ifPresent);

/** A transaction has at most 100 items. This leaves room for the other items of a deletion. */
const pagesInDeletion = 85;

/**
 * Deletes the pages of a data source: the steps of the transaction that ends it, and the pages that
 * do not fit. The transaction fails if a sequence number from `end` on was given out. Afterwards no
 * writer of contacts succeeds, because each needs the last page as it was, or the first page, or
 * both.
 */
export const deletePages = (database: Database, dataSourceId: string, pages: readonly Item[]) => {
  const last = pages.at(-1);
  const number = (page: Item) => Number(page.sk.slice(keys.directoryPrefix.length));
  const ifLast: Condition = {
    ConditionExpression: '#next = :next',
    ExpressionAttributeNames: { '#next': 'next' },
    ExpressionAttributeValues: { ':next': givenIn(last) },
  };
  const inOne = pages.length > pagesInDeletion ? [pages[0]!, ...pages.slice(1 - pagesInDeletion)] : pages;
  const after = keys.directoryPage(dataSourceId, last === undefined ? 0 : number(last) + 1);
  return {
    end: last === undefined ? 0 : number(last) * seqsPerPage + givenIn(last),
    steps: [
      ...inOne.map(({ pk, sk }) => database.deleteOf({ pk, sk }, sk === last?.sk ? ifLast : {})),
      database.checkOf(after, ifAbsent),
    ],
    others: pages.filter((page) => !inOne.includes(page)).map(({ pk, sk }): Key => ({ pk, sk })),
  };
};

/** Sequence numbers that an unfinished import has reserved. */
type OpenRange = {
  firstSeq: number;
  endSeq: number;
  importId: string;
  /** The import changes existing contacts, so no other import may run at the same time. */
  isAlone: boolean;
};

export const openRangeItem = (dataSourceId: string, { firstSeq, isAlone, ...range }: OpenRange): Item => ({
  ...keys.openRange(dataSourceId, firstSeq),
  ...range,
  ...(isAlone ? { isAlone } : {}),
});

export const readOpenRanges = async (database: Database, dataSourceId: string): Promise<OpenRange[]> => {
  const items = await database.queryAll(prefixRange(keys.dataSource(dataSourceId).pk, keys.openRangePrefix));
  return items.map(({ sk, endSeq, importId, isAlone }) => ({
    firstSeq: Number(sk.slice(keys.openRangePrefix.length)),
    endSeq: endSeq as number,
    importId: importId as string,
    isAlone: isAlone === true,
  }));
};
