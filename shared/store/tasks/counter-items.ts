import {
  counterGroups,
  type Database,
  type Item,
  keys,
  Lost,
  optimistic,
  partitionRange,
  prefixRange,
} from '../table/index.ts';

/** The counts of results are in the parts of the counter, not in itself. */
const hasParts = ({ isSplit }: Item) => isSplit === true;
const shardOf = ({ sk }: Item) => sk.slice(0, keys.taskCounter('', 0).sk.length);

/** The counter items of a task, with the parts of those that are split. Each is read as a whole, but not all at one instant. */
export const readCounterItems = (database: Database, taskId: string): Promise<Item[]> =>
  readWithParts(database, taskId, () =>
    database.queryAll(prefixRange(keys.task(taskId).pk, keys.taskCounterPrefix)),
  );

/**
 * `read`: reads the counters, and perhaps neighbours of theirs. A part that is closed was joined to its counter after the
 * counter was read: then all is read again, or its counts would be missing.
 */
export const readWithParts = (
  database: Database,
  taskId: string,
  read: () => Promise<Item[]>,
): Promise<Item[]> =>
  optimistic(async () => {
    const items = await read();
    const split = new Set(items.filter(hasParts).map(shardOf));
    if (split.size === 0) return items;
    const groups = Array.from({ length: counterGroups }, (_, group) => keys.counterGroup(taskId, group));
    const found = await Promise.all(groups.map((pk) => database.queryAll(partitionRange(pk))));
    const parts = found.flat().filter((part) => split.has(shardOf(part)));
    if (parts.some(({ isClosed }) => isClosed)) throw new Lost('a counter was joined');
    return [...items, ...parts];
  });
