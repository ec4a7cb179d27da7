import type { Attributes } from './attribute-value.ts';
import { invalid } from './errors.ts';
import type { Storage } from './storage.ts';
import { changesOf, expiryPrefix, type Table, type Tables } from './tables.ts';

type TimeToLive = { TableName: string; TimeToLiveSpecification: { AttributeName: string; Enabled: boolean } };

/** Items that are written from now on expire at the time in the attribute, in epoch seconds. */
export const updateTimeToLive = (_: Storage, tables: Tables, request: TimeToLive) => {
  const { TableName, TimeToLiveSpecification } = request;
  if (!TimeToLiveSpecification.Enabled) throw invalid('Time to live cannot be disabled in this engine');
  tables.expire(TableName, TimeToLiveSpecification.AttributeName);
  return { TimeToLiveSpecification };
};

/**
 * Removes the expired items. The cost depends only on their number.
 * @returns how many were removed
 */
export const removeExpired = async (storage: Storage, tables: Tables, seconds: number): Promise<number> => {
  let removed = 0;
  for (const table of tables.all) removed += await removeFrom(storage, table, seconds);
  await storage.settled();
  return removed;
};

const removeFrom = async (storage: Storage, table: Table, seconds: number): Promise<number> => {
  let removed = 0;
  for await (const found of storage.values({ gte: expiryPrefix(table), lt: expiryPrefix(table, seconds) })) {
    const { key } = found as { key: string };
    const item = storage.get(key) as Attributes | undefined;
    // The item was written again since, with a later expiry.
    if (item === undefined || !(Number(item[table.timeToLive!]?.N) < seconds)) continue;
    storage.stage(changesOf(table, key, item, undefined), [{ before: item, after: undefined }]);
    removed++;
  }
  return removed;
};
