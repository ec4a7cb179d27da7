import { notFound } from '../../platform/rules/errors.ts';
import { isBuiltIn } from '../../platform/rules/names.ts';
import type { Database, TransactItem } from '../../platform/table/database.ts';
import {
  blockOf,
  blockSize,
  type Item,
  keys,
  pageOf,
  seqsPerPage,
  slotOf,
} from '../../platform/table/keys.ts';
import type { Instant } from '../../platform/time/time.ts';
import {
  bytesOfItem,
  DirectoryPage,
  nextVersion,
  type VersionedBytes,
  whileExists,
} from '../directory-page.ts';
import { withPhone } from '../phone-block.ts';
import { type LongestPhones, withLongest } from '../rules/phone-number.ts';

/**
 * What is read besides the contact and its directory page. A new phone number needs its block and
 * the first page.
 */
export type SlotParts = 'none' | 'block and first page';

/**
 * One sequence number as it was read: its contact, if there is one, its phone block and its
 * directory page.
 */
export class ContactSlot {
  readonly #database: Database;
  readonly #dataSourceId: string;
  readonly #block: VersionedBytes;
  readonly #page: DirectoryPage;
  readonly #firstPage: DirectoryPage;
  readonly seq: number;
  /** Also undefined while its import is unfinished. */
  readonly contact: Item | undefined;

  private constructor(database: Database, dataSourceId: string, seq: number, items: (Item | undefined)[]) {
    const [contact, page, block, firstPage] = items;
    const number = pageOf(blockOf(seq));
    this.#database = database;
    this.#dataSourceId = dataSourceId;
    this.#block = bytesOfItem(block);
    this.#page = new DirectoryPage(database, dataSourceId, number, page);
    this.#firstPage = number === 0 ? this.#page : new DirectoryPage(database, dataSourceId, 0, firstPage);
    this.seq = seq;
    this.contact = this.#live > 0 ? contact : undefined;
  }

  static async read(database: Database, dataSourceId: string, seq: number, parts: SlotParts = 'none') {
    const page = pageOf(blockOf(seq));
    const items = await database.batchGet([
      keys.contact(dataSourceId, seq),
      keys.directoryPage(dataSourceId, page),
      ...(parts === 'none' ? [] : [keys.block(dataSourceId, blockOf(seq))]),
      ...(parts === 'block and first page' && page > 0 ? [keys.directoryPage(dataSourceId, 0)] : []),
    ]);
    return new ContactSlot(database, dataSourceId, seq, items);
  }

  /** A slot that never had a contact. @throws ServiceError notFound (data source) */
  static async readFree(database: Database, dataSourceId: string, seq: number) {
    const page = pageOf(blockOf(seq));
    const items = await database.batchGet([
      keys.directoryPage(dataSourceId, page),
      keys.block(dataSourceId, blockOf(seq)),
      ...(page > 0 ? [keys.directoryPage(dataSourceId, 0)] : []),
    ]);
    const firstPage = items[page > 0 ? 2 : 0];
    if (firstPage === undefined && !isBuiltIn(dataSourceId)) throw notFound('data source');
    return new ContactSlot(database, dataSourceId, seq, [undefined, ...items]);
  }

  /** Whether the next new contact belongs here. */
  get isNext(): boolean {
    return this.#page.given === this.seq % seqsPerPage;
  }

  get #live(): number {
    return this.#page.liveOf(blockOf(this.seq));
  }

  /** How many contacts one write can add from here on. */
  get room(): number {
    return blockSize - slotOf(this.seq);
  }

  /** Adds the phone numbers of contacts from here on to the block and the directory. */
  add(phoneNumbers: readonly string[], time: Instant): Record<string, TransactItem> {
    const longest = this.#page === this.#firstPage ? this.#grown(phoneNumbers) : undefined;
    const begins = this.#page !== this.#firstPage && this.#page.isNew && !isBuiltIn(this.#dataSourceId);
    return {
      block: this.#putPhones(phoneNumbers),
      directory: this.#putLive(phoneNumbers.length, time, longest),
      ...(begins && { exists: whileExists(this.#database, this.#dataSourceId) }),
    };
  }

  /**
   * Called before `add`: raises the longest phone numbers if another page keeps them.
   * @throws Lost
   */
  async announce(phoneNumbers: readonly string[]): Promise<void> {
    const longest = this.#grown(phoneNumbers);
    if (longest !== undefined && this.#page !== this.#firstPage) await this.#firstPage.raise(longest);
  }

  changePhone(phoneNumber: string, time: Instant): Record<string, TransactItem> {
    const longest = this.#grown([phoneNumber]);
    return {
      block: this.#putPhones([phoneNumber]),
      ...(longest === undefined ? {} : { firstPage: this.#firstPage.changed({ time, longest }) }),
    };
  }

  /** @returns undefined unless one of the numbers is longer than all before */
  #grown(phoneNumbers: readonly string[]) {
    const { longest } = this.#firstPage;
    const next = longest && phoneNumbers.reduce(withLongest, longest);
    return next === longest ? undefined : next;
  }

  /** Writes the phone numbers into the block, if the block has not changed since it was read. */
  #putPhones(phoneNumbers: readonly string[]): TransactItem {
    const slot = slotOf(this.seq);
    const key = keys.block(this.#dataSourceId, blockOf(this.seq));
    const next = phoneNumbers.reduce(
      (bytes, phoneNumber, at) => withPhone(bytes, slot + at, phoneNumber),
      this.#block.bytes,
    );
    return this.#database.putOf(...nextVersion(key, this.#block, next));
  }

  /**
   * The sequence numbers count as given out from then on, because contacts become visible in the
   * order of their numbers.
   */
  #putLive(count: number, time: Instant, longest?: LongestPhones): TransactItem {
    const given = Math.max(this.#page.given, (this.seq % seqsPerPage) + count);
    const lives = [[blockOf(this.seq), this.#live + count]] as const;
    return this.#page.changed({ time, given, lives, longest });
  }
}
