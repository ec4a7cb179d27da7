import { type Agenda, parked } from '../platform/agenda/agenda.ts';
import type { Work } from '../platform/agenda/work.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import { keyRange, partitionRange } from '../platform/table/expressions.ts';
import { keys } from '../platform/table/keys.ts';
import { type Instant, secondMs } from '../platform/time/time.ts';
import type { Attempt, Delivery } from './rules/progress.ts';
import { type EventCursor, eventsKeptMs } from './rules/service-event.ts';

const deliveryWork = (webhookId: string, id: string): Work => ({ kind: 'delivery', group: webhookId, id });
const stretchWork = (webhookId: string, id: string): Work => ({ kind: 'stretch', group: webhookId, id });

/** Deliveries that a client asked for are due at once, before all others. */
export const askedFor: Instant = 0;

/** An event that waits for an attempt of its own. `id` is the id of its entry. */
export type WaitingDelivery = Delivery & { id: string; due: Instant };

/** A period whose events are sent again: the events behind `position`. */
export type Stretch = { id: string; from: Instant; to: Instant; position: EventCursor };

const notesOf = ({ event, attempt }: Delivery) => ({ event: JSON.stringify(event), attempt });

/** Events and stretches that wait to be sent, besides the events behind the position. */
export class WaitingDeliveries {
  readonly #agenda: Agenda;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  /** Waiting deliveries that are due, by due time. */
  async due(webhookId: string, now: Instant, limit: number): Promise<WaitingDelivery[]> {
    const line = { kind: 'delivery', group: webhookId } as const;
    const listed = await this.#agenda.due(line, now, limit);
    // The index lags: an entry may have been attempted a moment ago.
    const entries = await this.#agenda.findAll(listed);
    return entries
      .filter((entry) => entry.due <= now)
      .map(({ id, due, notes }) => ({
        id,
        due,
        event: JSON.parse(notes.event as string) as Delivery['event'],
        attempt: notes.attempt as number,
      }))
      .sort((a, b) => a.due - b.due);
  }

  /** When the first delivery is due. @returns undefined if that is not before `until` */
  async firstDue(webhookId: string, until: Instant): Promise<Instant | undefined> {
    const [first] = await this.#agenda.due({ kind: 'delivery', group: webhookId }, until, 1);
    return first?.due;
  }

  /** Counts up to `most`. */
  async count(webhookId: string, most: number): Promise<number> {
    return (await this.#agenda.listed('delivery', webhookId, most)).length;
  }

  waitOf(webhookId: string, id: string, due: Instant, delivery: Delivery): TransactItem {
    return this.#agenda.scheduleOf(deliveryWork(webhookId, id), due, notesOf(delivery));
  }

  doneOf(webhookId: string, id: string): TransactItem {
    return this.#agenda.doneOf(deliveryWork(webhookId, id));
  }

  /** Adds the delivery unless it waits already. */
  async ask(webhookId: string, id: string, event: Delivery['event']): Promise<void> {
    await this.#agenda.add(deliveryWork(webhookId, id), askedFor, notesOf({ event, attempt: 1 }));
  }

  async askForStretch(webhookId: string, { id, ...stretch }: Stretch): Promise<void> {
    await this.#agenda.add(stretchWork(webhookId, id), parked, stretch);
  }

  async firstStretch(webhookId: string): Promise<Stretch | undefined> {
    const [entry] = await this.#agenda.listed('stretch', webhookId, 1);
    if (entry === undefined) return undefined;
    const { from, to, position } = entry.notes as unknown as Stretch;
    return { id: entry.id, from, to, position };
  }

  moveStretchOf(webhookId: string, { id, ...stretch }: Stretch): TransactItem {
    return this.#agenda.scheduleOf(stretchWork(webhookId, id), parked, stretch);
  }

  endStretchOf(webhookId: string, id: string): TransactItem {
    return this.#agenda.doneOf(stretchWork(webhookId, id));
  }
}

/** Rows that are kept of each webhook. */
export const keptRows = 1000;
/** Maximum of rows that a request reads. */
const readAtMost = 300;

/** An attempt with its number, counted from 0. */
export type DeliveryRow = Attempt & { number: number };

/**
 * The last attempts to deliver to a webhook. They lie in a ring: an attempt overwrites the one a
 * thousand before it.
 */
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
   * Attempts before the number `before`, newest first. The next page begins before the number
   * `next`. A page with a filter may be short and still have a next page.
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

  /** A ring is read backwards in two ranges: down to its first slot, then from its last slot on. */
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
