import { countsOf, withCounts } from '../../domain/live-counts.ts';
import { withoutPhone, withPhone } from '../../domain/phone-block.ts';
import type { Database, Item, TransactItem } from '../database.ts';
import { blockOf, blocksPerPage, keys, pageOf, seqsPerPage, slotOf } from '../keys.ts';
import { nextInPage } from './directory.ts';
import { bytesOfItem, nextVersion, type VersionedBytes } from './versioned-bytes.ts';

const indexInPage = (seq: number) => blockOf(seq) % blocksPerPage;

/** The place of one contact, as read: the contact, its phone block and its directory page. */
export class ContactSlot {
  readonly #database: Database;
  readonly #dataSourceId: string;
  readonly #block: VersionedBytes;
  readonly #directory: VersionedBytes;
  /** Sequence numbers given out in this directory page. */
  readonly #given: number;
  readonly seq: number;
  /** Missing also while its import is unfinished. */
  readonly contact: Item | undefined;

  private constructor(
    database: Database,
    dataSourceId: string,
    seq: number,
    [contact, directory, block]: (Item | undefined)[],
  ) {
    this.#database = database;
    this.#dataSourceId = dataSourceId;
    this.#block = bytesOfItem(block);
    this.#directory = bytesOfItem(directory);
    this.#given = nextInPage(directory);
    this.seq = seq;
    this.contact = this.#live > 0 ? contact : undefined;
  }

  /** The block is needed only by those who change it. */
  static async read(database: Database, dataSourceId: string, seq: number, withBlock: boolean) {
    const items = await database.batchGet([
      keys.contact(dataSourceId, seq),
      keys.directoryPage(dataSourceId, pageOf(blockOf(seq))),
      ...(withBlock ? [keys.block(dataSourceId, blockOf(seq))] : []),
    ]);
    return new ContactSlot(database, dataSourceId, seq, items);
  }

  /** Whether the next contact to be added belongs here. */
  get isNext(): boolean {
    return this.#given === this.seq % seqsPerPage;
  }

  get #live(): number {
    return countsOf(this.#directory.bytes)[indexInPage(this.seq)] ?? 0;
  }

  /** Writes the phone number into the block, or takes it out, if nobody changed the block since. */
  putPhone(phoneNumber: string | undefined): TransactItem {
    const { bytes } = this.#block;
    const slot = slotOf(this.seq);
    const key = keys.block(this.#dataSourceId, blockOf(this.seq));
    const next = phoneNumber === undefined ? withoutPhone(bytes, slot) : withPhone(bytes, slot, phoneNumber);
    return this.#database.putOf(...nextVersion(key, this.#block, next));
  }

  /**
   * Changes the block's live count, if nobody changed the directory page since. The sequence number
   * counts as given out from then on: contacts become visible in the order of their numbers.
   */
  putLive(change: 1 | -1): TransactItem {
    const key = keys.directoryPage(this.#dataSourceId, pageOf(blockOf(this.seq)));
    const next = withCounts(this.#directory.bytes, [[indexInPage(this.seq), this.#live + change]]);
    const given = Math.max(this.#given, (this.seq % seqsPerPage) + 1);
    return this.#database.putOf(...nextVersion(key, this.#directory, next, { next: given }));
  }
}
