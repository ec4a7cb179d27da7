import { notFound } from '../platform/rules/errors.ts';
import { isBuiltIn, isId } from '../platform/rules/names.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import { keyRange, prefixRange, type Range } from '../platform/table/expressions.ts';
import {
  blockOf,
  blockSize,
  blocksPerPage,
  type Item,
  keys,
  pageOf,
  seqsPerPage,
} from '../platform/table/keys.ts';
import { unpackBytes } from '../platform/table/packed-bytes.ts';
import { type Instant, latest } from '../platform/time/time.ts';
import { bytesOfItem, changeTimeIn, givenIn, longestIn } from './directory-page.ts';
import type { LongestPhones } from './rules/phone-number.ts';

/** A block that a run of contacts touches: `take` of its `live` contacts after the first `skip`. */
export type BlockPart = { block: number; live: number; skip: number; take: number };

/**
 * The number of contacts in each block. A block without contacts is empty, or belongs to an
 * unfinished import.
 */
export class Directory {
  readonly #liveOf = new Map<number, number>();
  readonly total: number;
  /** The longest phone numbers ever. Unknown in older data, and if the first page was not read. */
  readonly longest: LongestPhones | undefined;
  /** The first sequence number that was not given out. */
  readonly end: number;
  /** When contacts were last added or deleted. `null` if none was, and unknown in older data. */
  readonly changeTime: Instant | null;
  /** Grows when contacts are added or deleted. */
  readonly version: number;

  constructor(pages: readonly Item[]) {
    let total = 0;
    for (const page of pages) {
      const first = numberOf(page) * blocksPerPage;
      unpackBytes(bytesOfItem(page).bytes).forEach((live, at) => {
        if (live === 0) return;
        this.#liveOf.set(first + at, live);
        total += live;
      });
    }
    this.total = total;
    const [first] = pages;
    this.longest = first && longestIn(first);
    this.end = Math.max(0, ...pages.map((page) => numberOf(page) * seqsPerPage + givenIn(page)));
    this.changeTime = latest(pages.map(changeTimeIn));
    this.version = pages.reduce((sum, { v }) => sum + Number(v), 0);
  }

  /** The number of contacts from a block on. */
  liveFrom(block: number): number {
    let live = 0;
    for (const [at, count] of this.#liveOf) if (at >= block) live += count;
    return live;
  }

  /** Whether each sequence number of the block that was given out belongs to a contact. */
  isWhole(block: number): boolean {
    return this.#liveOf.get(block) === Math.min(blockSize, this.end - block * blockSize);
  }

  /** The number of contacts in a block. */
  liveIn(block: number): number {
    return this.#liveOf.get(block) ?? 0;
  }

  holds(block: number): boolean {
    return this.#liveOf.has(block);
  }

  /** Blocks that hold contacts, in order. */
  get blocks(): number[] {
    return [...this.#liveOf.keys()];
  }

  /** The blocks of the contacts from `offset` to `offset + limit`, over the whole data source. */
  parts(offset: number, limit: number): BlockPart[] {
    const parts: BlockPart[] = [];
    let before = 0;
    for (const [block, live] of this.#liveOf) {
      if (before >= offset + limit) break;
      const skip = Math.max(0, offset - before);
      const take = Math.min(live, offset + limit - before) - skip;
      if (take > 0) parts.push({ block, live, skip, take });
      before += live;
    }
    return parts;
  }
}

const numberOf = (page: Item) => Number(page.sk.slice(keys.directoryPrefix.length));

const pagesOf = (dataSourceId: string) => prefixRange(keys.dataSource(dataSourceId).pk, keys.directoryPrefix);

/** The directory pages in their order. @throws ServiceError notFound */
export const queryPages = async (database: Database, dataSourceId: string, range: Partial<Range> = {}) => {
  const mayExist = isId(dataSourceId) || isBuiltIn(dataSourceId);
  const pages = mayExist ? await database.queryAll({ ...pagesOf(dataSourceId), ...range }) : [];
  if (pages.length === 0 && !isBuiltIn(dataSourceId)) throw notFound('data source');
  return pages;
};

/** @throws ServiceError notFound if the data source does not exist */
export const readDirectory = async (database: Database, dataSourceId: string): Promise<Directory> =>
  new Directory(await queryPages(database, dataSourceId));

/** Enough for a million contacts: less than one read unit with full blocks, three at most. */
const pagesAtFirst = 10;

/** The first pages; `all` reads the others too. */
export type DirectoryStart = {
  longest: LongestPhones | undefined;
  /** The directory of the pages that were read, and of some further pages. */
  with: (pages: readonly number[]) => Promise<Directory>;
  all: () => Promise<Directory>;
};

/** @throws ServiceError notFound if the data source does not exist */
export const readDirectoryStart = async (
  database: Database,
  dataSourceId: string,
): Promise<DirectoryStart> => {
  const pages = await queryPages(database, dataSourceId, { Limit: pagesAtFirst });
  const rest = keyRange(
    keys.dataSource(dataSourceId).pk,
    keys.directoryPage(dataSourceId, pagesAtFirst).sk,
    `${keys.directoryPrefix}~`,
  );
  // A page begins when the one before it is full.
  const last = pages.at(-1);
  const isAll = pages.length < pagesAtFirst || givenIn(last) < seqsPerPage;
  return {
    longest: longestIn(pages[0]),
    with: async (numbers) => {
      const others = numbers.filter((number) => number >= pagesAtFirst);
      const keysOf = others.map((number) => keys.directoryPage(dataSourceId, number));
      return new Directory([...pages, ...present(await database.batchGet(keysOf))]);
    },
    all: async () => new Directory(isAll ? pages : [...pages, ...(await database.queryAll(rest))]),
  };
};

/** Whether the data source exists. */
export const dataSourceExists = async (database: Database, dataSourceId: string): Promise<boolean> =>
  isBuiltIn(dataSourceId) ||
  (isId(dataSourceId) && (await database.get(keys.directoryPage(dataSourceId, 0))) !== undefined);

/** The sequence number that the next contact gets. @throws ServiceError notFound */
export const readNextSeq = async (database: Database, dataSourceId: string): Promise<number> => {
  const [last] = await queryPages(database, dataSourceId, { ScanIndexForward: false, Limit: 1 });
  return last === undefined ? 0 : numberOf(last) * seqsPerPage + givenIn(last);
};

/** A transaction step that fails unless the next contact gets `seq`. */
export const noneGivenFrom = (database: Database, dataSourceId: string, seq: number): TransactItem =>
  database.checkOf(keys.directoryPage(dataSourceId, pageOf(blockOf(seq))), {
    ConditionExpression: 'attribute_not_exists(pk) OR #next = :next',
    ExpressionAttributeNames: { '#next': 'next' },
    ExpressionAttributeValues: { ':next': seq % seqsPerPage },
  });

const present = (items: readonly (Item | undefined)[]): Item[] => items.filter((item) => item !== undefined);

/** The directory of a few pages only. */
export const readDirectoryOf = async (
  database: Database,
  dataSourceId: string,
  pages: readonly number[],
): Promise<Directory> =>
  new Directory(
    present(await database.batchGet(pages.map((page) => keys.directoryPage(dataSourceId, page)))),
  );

const queriesAtOnce = 16;

/** Empty for an unknown id. */
export const readAllPages = async (database: Database, dataSourceId: string): Promise<Directory> =>
  new Directory(await database.queryAll(pagesOf(dataSourceId)));

/** The whole directory of each data source, in two rounds of reads. Empty for an unknown id. */
export const readDirectories = async (
  database: Database,
  dataSourceIds: readonly string[],
): Promise<Directory[]> => {
  const firsts = await database.batchGet(dataSourceIds.map((id) => keys.directoryPage(id, 0)));
  return concurrently(dataSourceIds, queriesAtOnce, async (id) => {
    const first = firsts[dataSourceIds.indexOf(id)];
    if (first === undefined) return new Directory([]);
    const isFull = givenIn(first) === seqsPerPage;
    return isFull ? readAllPages(database, id) : new Directory([first]);
  });
};
