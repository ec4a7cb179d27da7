import { eventsKeptMs } from '../../domain/events/event-cursor.ts';
import { secondMs } from '../../domain/time.ts';
import type { Attempt } from '../../domain/webhooks/progress.ts';
import { type Database, keyRange, keys, partitionRange } from '../table/index.ts';

/** What is kept of each webhook. */
export const keptRows = 1000;
/** Rows that a request reads at most. */
const readAtMost = 300;

/** An attempt with its number, which counts from 0. */
export type DeliveryRow = Attempt & { number: number };

/** The last attempts to deliver to a webhook. They lie in a ring: an attempt overwrites the one a thousand before it. */
export class DeliveryRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(webhookId: string, first: number, attempts: readonly Attempt[]): Promise<void> {
    const items = attempts.map((attempt, at) => ({
      ...keys.deliveryRow(webhookId, (first + at) % keptRows),
      number: first + at,
      attempt: JSON.stringify(attempt),
      ttl: Math.ceil((attempt.time + eventsKeptMs) / secondMs),
    }));
    if (items.length > 0) await this.#database.putAll(items);
  }

  /**
   * The newest first, of the attempts before the number `before`. `next`: the number before which the next page begins;
   * a page with a filter may be short and still have a next page.
   */
  async page(
    webhookId: string,
    { before, pageSize, count }: { before: number; pageSize: number; count: number },
    isWanted: (row: DeliveryRow) => boolean,
  ): Promise<{ rows: DeliveryRow[]; next: number | null }> {
    const oldest = Math.max(0, count - keptRows);
    const rows: DeliveryRow[] = [];
    let seen = 0;
    let last = before;
    for await (const row of this.#backwards(webhookId, before, oldest)) {
      if (rows.length === pageSize || seen === readAtMost) return { rows, next: last };
      seen++;
      last = row.number;
      if (isWanted(row)) rows.push(row);
    }
    return { rows, next: null };
  }

  /** Every row, in no order. */
  async all(webhookId: string): Promise<DeliveryRow[]> {
    return (await this.#database.queryAll(partitionRange(keys.deliveryRows(webhookId)))).map(rowOf);
  }

  /** A ring is read backwards in two parts: down to its first slot, then from its last slot on. */
  async *#backwards(webhookId: string, before: number, oldest: number): AsyncGenerator<DeliveryRow> {
    for (let to = before - 1; to >= oldest; ) {
      const from = Math.max(oldest, to - (to % keptRows));
      const [low, high] = [from, to].map((number) => keys.deliveryRow(webhookId, number % keptRows).sk);
      const range = keyRange(keys.deliveryRows(webhookId), low!, high!);
      for await (const item of this.#database.query({ ...range, ScanIndexForward: false })) {
        const row = rowOf(item);
        // A newer attempt may have taken the slot.
        if (row.number >= from && row.number <= to) yield row;
      }
      to = from - 1;
    }
  }
}

const rowOf = ({ number, attempt }: Record<string, unknown>): DeliveryRow => ({
  ...(JSON.parse(attempt as string) as Attempt),
  number: number as number,
});
