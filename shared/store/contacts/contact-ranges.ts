import type { Contact } from '../../domain/contacts/contact.ts';
import { chunkOf, concurrently, type Database, keyRange, keys, nearRuns, seqKey } from '../table/index.ts';
import { contactOfItem } from './contact-items.ts';

/** About as many contacts as one read unit carries: nearer neighbours cost less in one range than each by key. */
const nearby = 8;
/** A query of fewer contacts costs no less than reading each by its key, in one call for up to 100. */
const worthQuery = 4;
const queriesAtOnce = 16;

/** `last`: the last `limit` contacts instead of the first. */
type RangeEnd = { limit?: number; last?: boolean };

/** The contacts stored between two sequence numbers of one chunk, both included, in order. */
export const readContactRange = async (
  database: Database,
  dataSourceId: string,
  from: number,
  to: number,
  { limit, last = false }: RangeEnd = {},
): Promise<Contact[]> => {
  if (to < from) return [];
  const items = await database.queryAll({
    ...(limit === undefined ? {} : { Limit: limit }),
    ScanIndexForward: !last,
    ...keyRange(keys.contactPartition(dataSourceId, chunkOf(from)), seqKey(from), seqKey(to)),
  });
  const contacts = items.map((item) => contactOfItem(dataSourceId, item));
  return last ? contacts.reverse() : contacts;
};

/** The contacts of an ascending list of sequence numbers. Deleted contacts are skipped. */
export const readContactList = async (
  database: Database,
  dataSourceId: string,
  seqs: readonly number[],
): Promise<Contact[]> => {
  const runs = nearRuns(seqs, nearby);
  const [ranges, singles] = await Promise.all([
    concurrently(
      runs.filter((run) => run.length >= worthQuery),
      queriesAtOnce,
      (run) => readContactRange(database, dataSourceId, run[0]!, run.at(-1)!),
    ),
    database.batchGet(
      runs
        .filter((run) => run.length < worthQuery)
        .flat()
        .map((seq) => keys.contact(dataSourceId, seq)),
    ),
  ]);
  const found = new Map(ranges.flat().map((contact) => [contact.seq, contact]));
  for (const item of singles) if (item) found.set(Number(item.sk), contactOfItem(dataSourceId, item));
  return seqs.flatMap((seq) => found.get(seq) ?? []);
};
