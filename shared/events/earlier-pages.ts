import type { Database } from '../platform/table/database.ts';
import { keyRange, partitionRange } from '../platform/table/expressions.ts';
import { type Item, keys, timeKey } from '../platform/table/keys.ts';
import type { Instant } from '../platform/time/time.ts';
import type { ServiceEvent } from './rules/service-event.ts';

/** Events that were listed together. `size` is in characters of their JSON. */
export type EventPage = { listed: Instant; events: ServiceEvent[]; size: number };
type NumberedPage = EventPage & { number: number };

export const pageOf = (item: Item): EventPage => {
  const text = item.events as string;
  return { listed: item.time as Instant, events: JSON.parse(text) as ServiceEvent[], size: text.length };
};

const numberedPageOf = (item: Item): NumberedPage => ({ ...pageOf(item), number: Number(item.sk) });

/**
 * The pages that release 0.5 listed. They are read until they have expired. Release 0.6 writes
 * none. While an update replaces the functions, a writer of 0.5 may add some more.
 *
 * Pages have numbers without gaps, under one key. A writer of 0.5 puts a page under the number
 * behind the last page, if that number is still free. So a page never changes, and a reader that
 * has read all pages up to a number finds every later event behind it.
 *
 * DynamoDB reads the items of a range one after the other, so a page may be missing although a
 * later page was read. Then the reader looks for the missing page again before it goes on.
 */
export class EarlierPages {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The pages from this number on, without a missing page between them. */
  async *from(first: number): AsyncGenerator<NumberedPage> {
    let next = first;
    for (let isWhole = false; !isWhole; ) {
      isWhole = true;
      for await (const item of this.#database.query(keyRange(keys.earlierEvents, timeKey(next), ':'))) {
        const page = numberedPageOf(item);
        if (page.number > next && (await this.#find(page.number - 1)) !== undefined) {
          isWhole = false;
          break;
        }
        yield page;
        next = page.number + 1;
      }
    }
  }

  async *newestFirst(): AsyncGenerator<EventPage> {
    const range = { ...partitionRange(keys.earlierEvents), ScanIndexForward: false };
    for await (const item of this.#database.query(range)) yield pageOf(item);
  }

  /** @returns the number behind the last page; 0 if there is no page */
  async end(): Promise<number> {
    const last = await this.#first({ ScanIndexForward: false });
    return last === undefined ? 0 : last.number + 1;
  }

  /** @returns the number of the first page that was listed at that time or later */
  async listedSince(time: Instant): Promise<number> {
    const first = await this.#first({});
    if (first === undefined) return 0;
    let low = first.number;
    let high = await this.end();
    // There are gaps only where all pages had expired. A missing page counts as listed before.
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const page = await this.#find(middle);
      if (page === undefined || page.listed < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #find(number: number): Promise<NumberedPage | undefined> {
    const item = await this.#database.get(keys.earlierEventPage(number));
    return item && numberedPageOf(item);
  }

  async #first(order: { ScanIndexForward?: false }): Promise<NumberedPage | undefined> {
    const [item] = await this.#database.queryAll({
      ...partitionRange(keys.earlierEvents),
      ...order,
      Limit: 1,
    });
    return item && numberedPageOf(item);
  }
}
