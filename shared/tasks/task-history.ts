import type { Database, TransactItem } from '../platform/table/database.ts';
import { keyRange, prefixRange } from '../platform/table/expressions.ts';
import { type Item, keys } from '../platform/table/keys.ts';
import type { HistoryEntry } from './rules/task-changes.ts';

const entryOf = ({ pk, sk, ...entry }: Item) => entry as unknown as HistoryEntry;
const numberOf = ({ sk }: Item) => Number(sk.slice(keys.historyPrefix.length));

/** For the transaction of the change. Entries are numbered without gaps. */
export const historyEntry = (
  database: Database,
  taskId: string,
  number: number,
  entry: HistoryEntry,
): TransactItem => database.putOf({ ...keys.historyEntry(taskId, number), ...entry });

/** Newest first, with the total. */
export const readHistory = async (database: Database, taskId: string, offset: number, limit: number) => {
  const [latest] = await database.queryAll({
    ...prefixRange(keys.task(taskId).pk, keys.historyPrefix),
    ScanIndexForward: false,
    Limit: 1,
  });
  const total = latest === undefined ? 0 : numberOf(latest) + 1;
  if (offset >= total) return { total, rows: [] };
  const to = total - 1 - offset;
  const items = await database.queryAll({
    ...keyRange(
      keys.task(taskId).pk,
      keys.historyEntry(taskId, Math.max(0, to - limit + 1)).sk,
      keys.historyEntry(taskId, to).sk,
    ),
    ScanIndexForward: false,
  });
  return { total, rows: items.map(entryOf) };
};
