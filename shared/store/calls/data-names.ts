import { type Database, type Item, keys, optimistic } from '../table/index.ts';

/** An export has a column for each of these names. Further names share one column. */
export const namesAtMost = 200;

const namesIn = (item: Item | undefined): string[] => (item?.names as string[] | undefined) ?? [];

/** The names of `data` that calls of the task have used, in the order of their first use. */
export const readDataNames = async (database: Database, taskId: string): Promise<string[]> =>
  namesIn(await database.get(keys.dataNames(taskId)));

/**
 * Remembers names of `data`, so that an export knows its columns before its first row. Called before the call is written.
 * `read`: the names as they were read; nothing is written unless one is new.
 */
export const rememberDataNames = async (
  database: Database,
  taskId: string,
  names: readonly string[],
  read: Item | undefined,
): Promise<void> => {
  const key = keys.dataNames(taskId);
  const freshIn = (item: Item | undefined) => {
    const known = namesIn(item);
    return names.filter((name) => !known.includes(name)).slice(0, namesAtMost - known.length);
  };
  if (freshIn(read).length === 0) return;
  await optimistic(async () => {
    const item = await database.get(key);
    const [known, fresh] = [namesIn(item).length, freshIn(item)];
    if (fresh.length === 0) return;
    await database.update(key, {
      UpdateExpression: 'SET #names = list_append(if_not_exists(#names, :none), :fresh)',
      ConditionExpression: known === 0 ? 'attribute_not_exists(#names)' : 'size(#names) = :known',
      ExpressionAttributeNames: { '#names': 'names' },
      ExpressionAttributeValues: { ':none': [], ':fresh': fresh, ...(known > 0 && { ':known': known }) },
    });
  });
};
