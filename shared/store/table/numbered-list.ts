import type { Database, TransactItem } from './database.ts';
import { keys } from './keys.ts';

/** What a filter needs of a task, a data source or an import. */
export type NumberedHeader = { id: string; name?: string; status?: number };

/**
 * All tasks, all data sources, or all imports of a data source, in the order they were added. Entries are
 * numbered without gaps and never removed, so a page without a filter is one short range. A filter reads all headers.
 */
export class NumberedList<H extends NumberedHeader> {
  readonly #database: Database;
  readonly #partition: string;

  constructor(database: Database, partition: string) {
    this.#database = database;
    this.#partition = partition;
  }

  async count(): Promise<number> {
    const item = await this.#database.get(keys.listCount(this.#partition));
    return Number(item?.count ?? 0);
  }

  /** Adds a header under the next free number. Refused when another entry took that number first. */
  entry(number: number, header: H): TransactItem[] {
    return [
      this.#database.updateOf(keys.listCount(this.#partition), {
        UpdateExpression: 'SET #count = :next',
        ConditionExpression: number === 0 ? 'attribute_not_exists(#count)' : '#count = :number',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':next': number + 1, ...(number === 0 ? {} : { ':number': number }) },
      }),
      this.revision(number, header),
    ];
  }

  revision(number: number, header: H): TransactItem {
    return this.#database.putOf({ ...keys.header(this.#partition, number), ...header });
  }

  /** Ids of one page, newest first. */
  async page(offset: number, limit: number, keep?: (header: H) => boolean) {
    return keep === undefined ? this.#range(offset, limit) : this.#filtered(offset, limit, keep);
  }

  /** Every header that `keep` accepts, newest first. */
  async headers(keep: (header: H) => boolean): Promise<H[]> {
    return (await this.#headers(0, Number.MAX_SAFE_INTEGER)).filter(keep);
  }

  async #range(offset: number, limit: number): Promise<{ total: number; ids: string[] }> {
    const total = await this.count();
    const last = total - 1 - offset;
    if (last < 0) return { total, ids: [] };
    const headers = await this.#headers(Math.max(0, last - limit + 1), last);
    return { total, ids: headers.map(({ id }) => id) };
  }

  async #filtered(offset: number, limit: number, keep: (header: H) => boolean) {
    const kept = await this.headers(keep);
    return { total: kept.length, ids: kept.slice(offset, offset + limit).map(({ id }) => id) };
  }

  async #headers(first: number, last: number): Promise<H[]> {
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': this.#partition,
        ':first': keys.header(this.#partition, first).sk,
        ':last': keys.header(this.#partition, Math.min(last, 999_999_999)).sk,
      },
      ScanIndexForward: false,
    });
    return items as unknown as H[];
  }
}
