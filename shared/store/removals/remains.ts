import type { Database, Item, Key } from '../table/index.ts';

/** Items that are read and deleted at a time. A run that breaks off repeats at most the deletes of so many. */
const itemsAtOnce = 1024;

/** Whether a run must stop. The next run finds what it left. */
export type IsTimeUp = () => boolean;

type Step = {
  /** What is only found through these items. It is deleted before them. */
  alsoOf?: (items: readonly Item[]) => Key[];
  isKept?: (item: Item) => boolean;
  atOnce?: number;
};

/** Deletes the items of a partition in bounded steps. Answers whether nothing is left. */
export const removePartition = async (
  database: Database,
  pk: string,
  isTimeUp: IsTimeUp,
  { alsoOf, isKept = () => false, atOnce = itemsAtOnce }: Step = {},
): Promise<boolean> => {
  // Before every sort key. A condition on a key takes no empty text.
  let after = ' ';
  while (!isTimeUp()) {
    const items = await database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': pk, ':after': after },
      Limit: atOnce,
    });
    const left = items.filter((item) => !isKept(item));
    if (alsoOf) await database.deleteAll(alsoOf(left));
    await database.deleteAll(left);
    if (items.length < atOnce) return true;
    after = items.at(-1)!.sk;
  }
  return false;
};

/** As `removePartition`, one partition after the other. */
export const removePartitions = async (
  database: Database,
  partitions: Iterable<string>,
  isTimeUp: IsTimeUp,
): Promise<boolean> => {
  for (const pk of partitions) if (!(await removePartition(database, pk, isTimeUp))) return false;
  return true;
};
