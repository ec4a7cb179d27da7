import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { clearedMark, copiedMark } from '../events/changes-with-events.ts';
import { allEnded } from '../platform/table/concurrency.ts';
import { assertReadable } from '../platform/table/data-format.ts';
import { Database, type TableClient } from '../platform/table/database.ts';
import { type Item, isCallKey, type Key, keys } from '../platform/table/keys.ts';

/**
 * Parts of a table that are read at once. Eight of them write about as fast as a new on-demand
 * table takes items.
 */
const segments = 8;
const allSegments = Array.from({ length: segments }, (_, segment) => segment);

type TablePart = { segment: number; after?: Key | undefined };

/** Works on all segments at once. After an error it ends when no segment is written any more. */
const eachSegment = (work: (segment: number) => Promise<void>) => allEnded(allSegments.map(work));

/**
 * Every item of a table, or of one segment, in pages of at most 1 MB. The next page begins after
 * the key `last`. For commands: no request may read a whole table.
 */
export async function* tablePages(
  client: TableClient,
  table: string,
  part?: TablePart,
): AsyncGenerator<{ items: Item[]; last: Key | undefined }> {
  let last = part?.after;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        ...(part && { Segment: part.segment, TotalSegments: segments }),
        ...(last && { ExclusiveStartKey: last }),
      }),
    );
    last = page.LastEvaluatedKey as Key | undefined;
    yield { items: (page.Items ?? []) as Item[], last };
  } while (last !== undefined);
}

const isFormat = ({ pk, sk }: Item) => pk === keys.format.pk && sk === keys.format.sk;

/**
 * Stands in the target in place of its format until the copy is complete, so that functions refuse
 * the table. An interrupted copy continues in each segment behind `after`; `null`: the whole
 * segment was copied. A copy by an earlier version noted no segments and is started again.
 */
type CopyMark = {
  restoredFrom: string;
  isCleared: boolean;
  after?: Record<string, Key | null>;
  copied: number;
};

type TableCopy = {
  from: string;
  to: string;
  /** First deletes the items of the target. */
  replaces: boolean;
  onProgress?: (copied: number) => void;
};

const countItems = async (client: TableClient, table: string): Promise<number> => {
  let count = 0;
  await eachSegment(async (segment) => {
    for await (const { items } of tablePages(client, table, { segment })) count += items.length;
  });
  return count;
};

const isEmpty = async (client: TableClient, table: string): Promise<boolean> => {
  for await (const { items } of tablePages(client, table)) if (!items.every(isFormat)) return false;
  return true;
};

/**
 * Webhooks are switched off. Their receivers have had events that the copy does not know of, or
 * would get events again.
 */
const copyOf = (item: Item): Item => {
  if (item.pk === keys.webhooks) return { ...item, enabled: false };
  return isCallKey(item.pk) ? { ...item, [copiedMark]: true } : item;
};

/** Items whose deletion is an event: the records of tasks and data sources, and ended erasures. */
const hasEventWhenDeleted = ({ pk, sk }: Item) => sk === keys.task('').sk || pk === keys.erasures;

/** The stream keeps each change, and the functions read it when they run again. */
const clear = async (client: TableClient, table: string): Promise<void> => {
  const database = new Database(client, table);
  await eachSegment(async (segment) => {
    for await (const { items } of tablePages(client, table, { segment })) {
      const records = items.filter(hasEventWhenDeleted);
      await database.putAll(records.map(({ pk, sk }) => ({ pk, sk, [clearedMark]: true })));
      await database.deleteAll(items.filter((item) => !isFormat(item)));
    }
  });
};

/**
 * Copies a table of the service into another one, and counts the items of both. The memory is that
 * of one page for each segment. An interrupted copy continues when it is started again. Nothing
 * else may write to the two tables meanwhile.
 * @throws Error with one sentence for the operator
 */
export const copyTable = async (
  client: TableClient,
  copy: TableCopy,
): Promise<{ from: number; to: number }> => {
  const { from, to, replaces } = copy;
  const target = new Database(client, to);
  const format = await new Database(client, from).get(keys.format);
  assertReadable(Number(format?.format));
  const found = (await target.get(keys.format)) as Item & Partial<CopyMark>;
  const isResumed = found?.restoredFrom !== undefined;
  if (isResumed && found.restoredFrom !== from)
    throw new Error(`${to} holds half a copy of ${found.restoredFrom}: complete that copy first`);
  if (!isResumed && !replaces && !(await isEmpty(client, to)))
    throw new Error(`${to} is not empty; with --replace its data is deleted first`);
  const mark = isResumed ? (found as CopyMark) : { restoredFrom: from, isCleared: false, copied: 0 };
  await copyItems(client, target, copy, mark);
  // The format comes last. From here on the functions serve the table.
  await target.put(format!);
  return { from: await countItems(client, from), to: await countItems(client, to) };
};

const copyItems = async (
  client: TableClient,
  target: Database,
  { from, to, onProgress = () => {} }: TableCopy,
  begun: CopyMark,
): Promise<void> => {
  let mark = begun;
  let saved = Promise.resolve();
  const save = (changes: Partial<CopyMark> = {}) => {
    mark = { ...mark, ...changes };
    // One after the other, so that an older mark does not replace a newer one.
    saved = saved.then(() => target.put({ ...keys.format, ...mark }));
    return saved;
  };
  if (!mark.isCleared) {
    await save();
    await clear(client, to);
    await save({ isCleared: true });
  }
  const copySegment = async (segment: number): Promise<void> => {
    const after = mark.after?.[segment];
    if (after === null) return;
    for await (const { items, last } of tablePages(client, from, { segment, after })) {
      const others = items.filter((item) => !isFormat(item));
      await target.putAll(others.map(copyOf));
      const copied = mark.copied + others.length;
      onProgress(copied);
      await save({ after: { ...mark.after, [segment]: last ?? null }, copied });
    }
  };
  await eachSegment(copySegment);
};
