import type { HistoryEntry } from '../domain/task-history.ts';
import type { Database, Item, TransactItem } from './database.ts';
import { keys } from './keys.ts';

const entryOf = ({ pk, sk, ...entry }: Item) => entry as unknown as HistoryEntry;
const numberOf = ({ sk }: Item) => Number(sk.slice(keys.historyPrefix.length));

/** What was done to each task: entries numbered without gaps, each written together with what it tells of. */
export class TaskHistory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** To land with what it tells of or not at all. */
  entry(taskId: string, number: number, entry: HistoryEntry): TransactItem {
    return this.#database.putOf({ ...keys.historyEntry(taskId, number), ...entry });
  }

  /** Newest first, and how many there are; a task of the time before histories has none of its first moves. */
  async page(taskId: string, offset: number, limit: number) {
    const [first, last] = await Promise.all([this.#end(taskId, true), this.#end(taskId, false)]);
    if (first === undefined || last === undefined) return { total: 0, rows: [] };
    const total = last - first + 1;
    if (offset >= total) return { total, rows: [] };
    const to = last - offset;
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': keys.task(taskId).pk,
        ':from': keys.historyEntry(taskId, Math.max(first, to - limit + 1)).sk,
        ':to': keys.historyEntry(taskId, to).sk,
      },
      ScanIndexForward: false,
    });
    return { total, rows: items.map(entryOf) };
  }

  async #end(taskId: string, isOldest: boolean): Promise<number | undefined> {
    const [item] = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': keys.task(taskId).pk, ':prefix': keys.historyPrefix },
      ScanIndexForward: isOldest,
      Limit: 1,
    });
    return item && numberOf(item);
  }
}
