import type { Contact } from '../../domain/contacts/contact.ts';
import { readPhoneFilter } from '../../domain/contacts/phone-number.ts';
import { type BlockPart, bytesOfItem, type Directory, liveSlots, readDirectory } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { blockOf, blockSize, chunkOf, concurrently, groupedBy, keys, readAhead } from '../table/index.ts';
import { readContactRange } from './contact-ranges.ts';
import { searchContacts } from './contact-search.ts';

export type ContactQuery = { offset: number; limit: number; phoneNumber?: string | undefined };
export type ContactPage = { total: number; rows: Contact[] };
type SeqRange = { from: number; to: number };

/** Sparse data may need one call for each row of a page. */
const callsAtOnce = 16;
/** Chunks that an export reads ahead: about 300 KB each, 8 MB at most. */
const chunksAhead = 4;

const firstSeq = (block: number) => block * blockSize;
const lastSeq = (block: number) => firstSeq(block) + blockSize - 1;

/** One range for each chunk that contains some of the blocks. */
const rangesOf = (blocks: readonly number[], { from, to }: SeqRange): SeqRange[] =>
  groupedBy(blocks, (block) => chunkOf(firstSeq(block))).map((group) => ({
    from: Math.max(from, firstSeq(group[0]!)),
    to: Math.min(to, lastSeq(group.at(-1)!)),
  }));

/** The last contacts of a block with gaps: they can be read from its end, so their first slot need not be known. */
const isEndOfGaps = ({ live, skip, take }: BlockPart) => skip > 0 && skip + take === live && live < blockSize;

const everything: SeqRange = { from: 0, to: Number.POSITIVE_INFINITY };

/** Reads contacts in the order they were added. Contacts of an unfinished import are not visible yet. */
export class ContactReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws ServiceError notFound when there is no such data source */
  async page(dataSourceId: string, { offset, limit, phoneNumber }: ContactQuery): Promise<ContactPage> {
    const filter = readPhoneFilter(phoneNumber);
    if (filter !== undefined) return searchContacts(this.#database, dataSourceId, filter, { offset, limit });
    const directory = await readDirectory(this.#database, dataSourceId);
    const parts = directory.parts(offset, limit);
    const [only] = parts;
    if (only && parts.length === 1 && isEndOfGaps(only)) {
      return { total: directory.total, rows: await this.#lastOf(dataSourceId, directory, only) };
    }
    const range = await this.#rangeOf(dataSourceId, parts);
    const rows = await this.#read(
      dataSourceId,
      directory,
      rangesOf(
        parts.map((part) => part.block),
        range,
      ),
    );
    return { total: directory.total, rows };
  }

  /** All contacts, in batches of some hundreds, with few of them in memory. @throws ServiceError notFound */
  async *scan(dataSourceId: string): AsyncGenerator<Contact[]> {
    const directory = await readDirectory(this.#database, dataSourceId);
    yield* readAhead(rangesOf(directory.blocks, everything), chunksAhead, (range) =>
      this.#read(dataSourceId, directory, [range]),
    );
  }

  /** Without the contacts that were added after the directory was read: they belong to no page yet. */
  async #read(dataSourceId: string, directory: Directory, ranges: SeqRange[]): Promise<Contact[]> {
    const read = await concurrently(ranges, callsAtOnce, ({ from, to }) =>
      readContactRange(this.#database, dataSourceId, from, to),
    );
    return read.flat().filter(({ seq }) => seq < directory.end && directory.holds(blockOf(seq)));
  }

  /** Stops at the numbers that were given out when the directory was read, as `#read` does. */
  #lastOf(dataSourceId: string, { end }: Directory, { block, take }: BlockPart): Promise<Contact[]> {
    const to = Math.min(lastSeq(block), end - 1);
    return readContactRange(this.#database, dataSourceId, firstSeq(block), to, { limit: take, last: true });
  }

  /** Where a page begins and ends. A block is read only if the page takes a part of it and it has gaps. */
  async #rangeOf(dataSourceId: string, parts: readonly BlockPart[]): Promise<SeqRange> {
    const unclear = parts.filter(({ live, take }) => take < live && live < blockSize);
    const items = await this.#database.batchGet(unclear.map(({ block }) => keys.block(dataSourceId, block)));
    const slotsOf = new Map(unclear.map(({ block }, i) => [block, liveSlots(bytesOfItem(items[i]).bytes)]));
    const seqAt = ({ block, live }: BlockPart, nth: number, otherwise: number) =>
      firstSeq(block) + (live === blockSize ? nth : (slotsOf.get(block)?.[nth] ?? otherwise));
    const first = parts[0];
    const last = parts.at(-1);
    if (first === undefined || last === undefined) return everything;
    return {
      from: first.skip === 0 ? firstSeq(first.block) : seqAt(first, first.skip, blockSize),
      to: seqAt(last, last.skip + last.take - 1, blockSize - 1),
    };
  }
}
