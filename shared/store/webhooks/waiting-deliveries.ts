import type { EventCursor } from '../../domain/events/event-cursor.ts';
import type { Instant } from '../../domain/time.ts';
import type { Delivery } from '../../domain/webhooks/progress.ts';
import { type Agenda, deliveryWork, parked, stretchWork } from '../agenda/index.ts';
import type { TransactItem } from '../table/index.ts';

/** Deliveries that a client asked for are due at once, before all others. */
export const askedFor: Instant = 0;

/** An event that waits for an attempt of its own. `id`: of its entry. */
export type WaitingDelivery = Delivery & { id: string; due: Instant };

/** Events of a stretch of time that are sent again: those behind `position`. */
export type Stretch = { id: string; from: Instant; to: Instant; position: EventCursor };

const notesOf = ({ event, attempt }: Delivery) => ({ event: JSON.stringify(event), attempt });

/** The events and stretches that wait to be sent to a webhook, beside those behind its position. */
export class WaitingDeliveries {
  readonly #agenda: Agenda;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  /** Those that are due, in the order of their due times. */
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

  /** When the first one is due, if that is before `until`. */
  async firstDue(webhookId: string, until: Instant): Promise<Instant | undefined> {
    const [first] = await this.#agenda.due({ kind: 'delivery', group: webhookId }, until, 1);
    return first?.due;
  }

  /** Counts no further than `most`. */
  async count(webhookId: string, most: number): Promise<number> {
    return (await this.#agenda.listed('delivery', webhookId, most)).length;
  }

  waitOf(webhookId: string, id: string, due: Instant, delivery: Delivery): TransactItem {
    return this.#agenda.scheduleOf(deliveryWork(webhookId, id), due, notesOf(delivery));
  }

  doneOf(webhookId: string, id: string): TransactItem {
    return this.#agenda.doneOf(deliveryWork(webhookId, id));
  }

  /** Unless the delivery waits already. */
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
