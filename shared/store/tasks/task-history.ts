import type { HistoryEntry } from '../../domain/tasks/task-history.ts';
import { type Database, type Item, keyRange, keys, prefixRange, type TransactItem } from '../table/index.ts';

const entryOf = ({ pk, sk, ...entry }: Item) => entry as unknown as HistoryEntry;
const numberOf = ({ sk }: Item) => Number(sk.slice(keys.historyPrefix.length));

/** What was done to each task. Entries are numbered without gaps, and written with the change they describe. */
export class TaskHistory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** For the transaction that makes the change. */
  entry(taskId: string, number: number, entry: HistoryEntry): TransactItem {
    return this.#database.putOf({ ...keys.historyEntry(taskId, number), ...entry });
  }

  /** Newest first, with the total. */
  async page(taskId: string, offset: number, limit: number) {
    const total = await this.#count(taskId);
    if (offset >= total) return { total, rows: [] };
    const to = total - 1 - offset;
    const items = await this.#database.queryAll({
      ...keyRange(
        keys.task(taskId).pk,
        keys.historyEntry(taskId, Math.max(0, to - limit + 1)).sk,
        keys.historyEntry(taskId, to).sk,
      ),
      ScanIndexForward: false,
    });
    return { total, rows: items.map(entryOf) };
  }

  async #count(taskId: string): Promise<number> {
    const [item] = await this.#database.queryAll({
      ...prefixRange(keys.task(taskId).pk, keys.historyPrefix),
      ScanIndexForward: false,
      Limit: 1,
    });
    return item === undefined ? 0 : numberOf(item) + 1;
  }
}
