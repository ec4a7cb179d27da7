import { type EffectRecord, once, type RequestKey } from '../../platform/requests/effects.ts';
import type { Database, TransactItem } from '../../platform/table/database.ts';
import { groupedBy } from '../../platform/table/groups.ts';
import { blockOf, type Item, keys, pageOf, slotOf } from '../../platform/table/keys.ts';
import { optimistic } from '../../platform/table/optimistic.ts';
import type { Instant } from '../../platform/time/time.ts';
import { ifNotLeasedSince, rememberNumbers } from '../contact-items.ts';
import { readNextSeq } from '../directory.ts';
import { bytesOfItem, DirectoryPage, nextVersion } from '../directory-page.ts';
import { withoutPhone } from '../phone-block.ts';
import type { NamedContact } from '../rules/contact.ts';

/**
 * A transaction has at most 100 items. A contact takes its guard, itself and perhaps a block and a
 * directory page of its own. The request may have one effect record.
 */
const contactsAtOnce = 24;

/** The visible contacts among the sequence numbers, with their blocks and directory pages. */
const readSlots = async (database: Database, dataSourceId: string, seqs: readonly number[]) => {
  const blocks = [...new Set(seqs.map(blockOf))];
  const pages = [...new Set(blocks.map(pageOf))];
  const items = await database.batchGet([
    ...seqs.map((seq) => keys.contact(dataSourceId, seq)),
    ...blocks.map((block) => keys.block(dataSourceId, block)),
    ...pages.map((page) => keys.directoryPage(dataSourceId, page)),
  ]);
  const blockItems = new Map(blocks.map((block, i) => [block, items[seqs.length + i]]));
  const directory = new Map(
    pages.map((page, i) => {
      const item = items[seqs.length + blocks.length + i];
      return [page, new DirectoryPage(database, dataSourceId, page, item)] as const;
    }),
  );
  const liveOf = (block: number) => directory.get(pageOf(block))!.liveOf(block);
  const contacts = seqs.flatMap((seq, i): { seq: number; item: Item }[] => {
    const item = items[i];
    return item === undefined || liveOf(blockOf(seq)) === 0 ? [] : [{ seq, item }];
  });
  return { contacts, blockItems, directory, liveOf };
};

/** `keepsNumbers`: calls of the contacts must be found by their numbers afterwards. */
type SomeSeqs = { dataSourceId: string; seqs: readonly number[]; now: Instant; keepsNumbers: boolean };

/**
 * Removes the contacts of at most 24 sequence numbers, in one transaction over guards, contacts,
 * phone blocks and directory pages. It needs the versions of blocks and pages that were read,
 * because every write that moves a number changes them too. `more` are other items of the
 * transaction. Without a contact nothing is written.
 * @returns the sequence numbers of the removed contacts
 */
export const removeSeqs = (
  database: Database,
  { dataSourceId, seqs, now, keepsNumbers }: SomeSeqs,
  more: EffectRecord<number[]> = () => [],
): Promise<number[]> =>
  optimistic(async () => {
    const { contacts, blockItems, directory, liveOf } = await readSlots(database, dataSourceId, seqs);
    if (contacts.length === 0) return [];
    const contactItems = contacts.map(({ item }) => item);
    if (keepsNumbers) await rememberNumbers(database, dataSourceId, contactItems);
    const removed = contacts.map(({ seq }) => seq);
    const byBlock = groupedBy(removed, blockOf);
    const blocks = byBlock.map((group): TransactItem => {
      const block = blockOf(group[0]!);
      const read = bytesOfItem(blockItems.get(block));
      const bytes = group.reduce((left, seq) => withoutPhone(left, slotOf(seq)), read.bytes);
      return database.putOf(...nextVersion(keys.block(dataSourceId, block), read, bytes));
    });
    const pages = groupedBy(byBlock, (group) => pageOf(blockOf(group[0]!))).map((groups): TransactItem => {
      const lives = groups.map((group) => {
        const block = blockOf(group[0]!);
        return [block, liveOf(block) - group.length] as const;
      });
      return directory.get(pageOf(lives[0]![0]))!.changed({ time: now, lives });
    });
    await database.transact([
      ...contacts.flatMap(({ seq, item }) => [
        database.deleteOf(keys.phone(dataSourceId, item.phone as string)),
        database.deleteOf(keys.contact(dataSourceId, seq), ifNotLeasedSince(item)),
      ]),
      ...blocks,
      ...pages,
      ...more(removed),
    ]);
    return removed;
  });

/** The sequence numbers that each name may mean. */
const resolve = async (database: Database, dataSourceId: string, named: readonly NamedContact[]) => {
  const phones = named.flatMap((each) => each.phones);
  const guards = await database.batchGet(phones.map((phone) => keys.phone(dataSourceId, phone)));
  const seqOf = new Map(phones.map((phone, i) => [phone, guards[i]?.seq as number | undefined]));
  return named.map(({ seqs, phones: own }) => [...seqs, ...own.flatMap((phone) => seqOf.get(phone) ?? [])]);
};

export type Removal = { deleteCount: number; notFound: string[] };

/**
 * Removes the named contacts, in transactions of some contacts each. With a request key, a repeat
 * continues where an earlier request ended, and answers for both: what each name means is recorded
 * first, and each transaction has an effect record.
 * @throws ServiceError notFound (data source)
 */
export const removeNamed = async (
  database: Database,
  dataSourceId: string,
  named: readonly NamedContact[],
  now: Instant,
  requestKey?: RequestKey,
): Promise<Removal> => {
  await readNextSeq(database, dataSourceId);
  const meant = await once(
    database,
    requestKey,
    'contact#named',
    async (effectRecord: EffectRecord<number[][]>) => {
      const seqs = await resolve(database, dataSourceId, named);
      const records = effectRecord(seqs);
      if (records.length > 0) await database.transact(records);
      return seqs;
    },
  );
  const seqs = [...new Set(meant.flat())].sort((a, b) => a - b);
  const removed = new Set<number>();
  for (let at = 0; at < seqs.length; at += contactsAtOnce) {
    const some = seqs.slice(at, at + contactsAtOnce);
    const done = await once(
      database,
      requestKey,
      `contact#remove#${some[0]}`,
      (record: EffectRecord<number[]>) =>
        removeSeqs(database, { dataSourceId, seqs: some, now, keepsNumbers: true }, record),
    );
    for (const seq of done) removed.add(seq);
  }
  const notFound = named.filter((_, i) => !meant[i]!.some((seq) => removed.has(seq))).map(({ name }) => name);
  return { deleteCount: removed.size, notFound };
};
