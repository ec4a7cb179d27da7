import { type LongestPhones, noPhones } from '../../domain/contacts/phone-number.ts';
import type { Database, Item, TransactItem } from '../table/index.ts';
import { blocksPerPage, keys, setIfUnchanged } from '../table/index.ts';
import { countsOf, noCounts, withCounts } from './live-counts.ts';
import { bytesOfItem, nextVersion, type VersionedBytes } from './versioned-bytes.ts';

type Change = {
  /** How many sequence numbers of the page are given out from then on. */
  given?: number;
  /** Contacts of a block from then on. */
  lives?: readonly (readonly [block: number, live: number])[];
  longest?: LongestPhones | undefined;
};

/** What a data source begins with; while it is there, the data source is. One that is built in needs none. */
export const firstDirectoryPage = (dataSourceId: string): Item => ({
  ...keys.directoryPage(dataSourceId, 0),
  bytes: noCounts,
  v: 1,
  next: 0,
  longest: noPhones,
});

/** How many sequence numbers of the page are given out. */
export const givenIn = (page: Item | undefined) => (page?.next as number | undefined) ?? 0;

/** The longest phone numbers that a data source has ever had, told by its first page; unknown in older data. */
export const longestIn = (firstPage: Item | undefined): LongestPhones | undefined =>
  firstPage === undefined ? noPhones : (firstPage.longest as LongestPhones | undefined);

/**
 * One page of the directory as it was read. Every write of a page is made here, whoever adds, deletes or
 * imports contacts, and only in the version that was read.
 */
export class DirectoryPage {
  readonly #database: Database;
  readonly #dataSourceId: string;
  readonly #bytes: VersionedBytes;
  readonly number: number;
  readonly given: number;
  /** Of the first page. */
  readonly longest: LongestPhones | undefined;

  constructor(database: Database, dataSourceId: string, number: number, item: Item | undefined) {
    this.#database = database;
    this.#dataSourceId = dataSourceId;
    this.#bytes = bytesOfItem(item);
    this.number = number;
    this.given = givenIn(item);
    this.longest = number === 0 ? longestIn(item) : undefined;
  }

  liveOf(block: number): number {
    return countsOf(this.#bytes.bytes)[block % blocksPerPage] ?? 0;
  }

  /** Remembers longer phone numbers before a contact bears one, for half of what a transaction costs. @throws Lost */
  async raise(longest: LongestPhones): Promise<void> {
    await this.#database.update(
      keys.directoryPage(this.#dataSourceId, this.number),
      setIfUnchanged(this.#bytes.version ?? 0, {
        UpdateExpression: 'SET #longest = :longest',
        ExpressionAttributeNames: { '#longest': 'longest' },
        ExpressionAttributeValues: { ':longest': longest },
      }),
    );
  }

  /** The page after the change, if nobody wrote it since. */
  changed({ given = this.given, lives = [], longest = this.longest }: Change): TransactItem {
    const key = keys.directoryPage(this.#dataSourceId, this.number);
    const bytes = withCounts(
      this.#bytes.bytes,
      lives.map(([block, live]) => [block % blocksPerPage, live]),
    );
    const others = { next: given, ...(longest === undefined ? {} : { longest }) };
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
