import type { Database, TransactItem } from './database.ts';
import { type Kind, keys } from './keys.ts';

/** The few words about a task or data source that a filter needs. */
export type Header = { id: string; name: string; status?: number };

/**
 * The roll of all tasks or all data sources in the order they were added. Entries are numbered without
 * gaps and never leave, so any page without a filter is one short range; a filter reads the headers.
 */
export class Roll {
  readonly #database: Database;
  readonly #kind: Kind;

  constructor(database: Database, kind: Kind) {
    this.#database = database;
    this.#kind = kind;
  }

  async count(): Promise<number> {
    const item = await this.#database.get(keys.rollCount(this.#kind));
    return Number(item?.count ?? 0);
  }

  /** Enters a header under the next free number; refused when another entry took the number first. */
  entry(number: number, header: Header): TransactItem[] {
    return [
      this.#database.updateOf(keys.rollCount(this.#kind), {
        UpdateExpression: 'SET #count = :next',
        ConditionExpression: number === 0 ? 'attribute_not_exists(#count)' : '#count = :number',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':next': number + 1, ...(number === 0 ? {} : { ':number': number }) },
      }),
      this.revision(number, header),
    ];
  }

  revision(number: number, header: Header): TransactItem {
    return this.#database.putOf({ ...keys.header(this.#kind, number), ...header });
  }

  /** Ids of one page, newest first. */
  async page(offset: number, limit: number, keep?: (header: Header) => boolean) {
    return keep === undefined ? this.#range(offset, limit) : this.#filtered(offset, limit, keep);
  }

  async #range(offset: number, limit: number): Promise<{ total: number; ids: string[] }> {
    const total = await this.count();
    const last = total - 1 - offset;
    if (last < 0) return { total, ids: [] };
    const headers = await this.#headers(Math.max(0, last - limit + 1), last);
    return { total, ids: headers.map(({ id }) => id) };
  }

  async #filtered(offset: number, limit: number, keep: (header: Header) => boolean) {
    const kept = (await this.#headers(0, Number.MAX_SAFE_INTEGER)).filter(keep);
    return { total: kept.length, ids: kept.slice(offset, offset + limit).map(({ id }) => id) };
  }

  async #headers(first: number, last: number): Promise<Header[]> {
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': keys.roll(this.#kind),
        ':first': keys.header(this.#kind, first).sk,
        ':last': keys.header(this.#kind, Math.min(last, 999_999_999)).sk,
      },
      ScanIndexForward: false,
    });
    return items as unknown as Header[];
  }
}
