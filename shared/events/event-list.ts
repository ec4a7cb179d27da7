import type { CallReader } from '../calls/call-reader.ts';
import { callView } from '../calls/rules/call.ts';
import type { Database } from '../platform/table/database.ts';
import { ifAbsent, ifUnchanged, keyRange, partitionRange } from '../platform/table/expressions.ts';
import { type Item, keys, timeKey } from '../platform/table/keys.ts';
import { optimistic } from '../platform/table/optimistic.ts';
import { dayMs, type FormatTime, type Instant, secondMs } from '../platform/time/time.ts';
import {
  cursorBehind,
  type EventCursor,
  type EventPosition,
  type EventType,
  eventsKeptMs,
  type ServiceEvent,
  shownFrom,
} from './rules/service-event.ts';

export type EventPage = { number: number; listed: Instant; events: ServiceEvent[] };

type EventsRead = { events: ServiceEvent[]; next: EventCursor; more: boolean };

/** A page stays far below DynamoDB's 400 KB. */
const pageEvents = 100;
const pageBytes = 100_000;
/** What one request reads at most, so that a filter that matches little has a bounded cost. */
const readBytes = 500_000;
/** About 10,000 events. */
const recentBytes = 3_000_000;

const pageOf = (item: Item): EventPage => ({
  number: Number(item.sk),
  listed: item.time as Instant,
  events: JSON.parse(item.events as string) as ServiceEvent[],
});

/** In their order, cut into texts of at most one page each. */
const pageTexts = (events: readonly ServiceEvent[]): string[] => {
  const texts: string[] = [];
  let [page, bytes]: [string[], number] = [[], 0];
  const close = () => {
    if (page.length > 0) texts.push(`[${page.join(',')}]`);
    [page, bytes] = [[], 0];
  };
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text);
    if (page.length === pageEvents || bytes + size > pageBytes) close();
    page.push(text);
    bytes += size;
  }
  close();
  return texts;
};

/**
 * The list of events, in pages with numbers. Events are never written into a page that exists: a writer reads the number
 * of the last page and puts its events under the next number, if that is still free. A writer that was slower than
 * another one does so again. So pages appear in the order of their numbers, however many writers there are, and a reader
 * that has read up to an event finds every later event behind it. Events that are told twice are listed twice, with the
 * same id.
 *
 * Pages expire. The number of the first page is the time in milliseconds, and so is that of the next page after all pages
 * have expired: a number is never given twice, because the list has far fewer pages than milliseconds. The item
 * `START` makes several writers of an empty list begin at the same number.
 *
 * DynamoDB reads the items of a range one after the other, so a page may be missing although a later page was read. Then
 * the reader looks for the missing page again before it goes on.
 */
export class EventList {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append(events: readonly ServiceEvent[], now: Instant): Promise<void> {
    for (const text of pageTexts(events)) await optimistic(() => this.#appendPage(text, now));
  }

  /** The position behind the last event. */
  async end(): Promise<EventPosition> {
    const last = await this.#last();
    return last === undefined ? { page: 0, index: 0 } : { page: last.number, index: last.events.length };
  }

  /** The position behind the last event that was listed before that time. */
  async positionAt(time: Instant): Promise<EventPosition> {
    const [first] = await this.#database.queryAll({ ...partitionRange(keys.events), Limit: 1 });
    const last = await this.#last();
    if (first === undefined || last === undefined) return { page: 0, index: 0 };
    let [low, high] = [pageOf(first).number, last.number + 1];
    // The numbers of pages have no gaps, except where all pages had expired: such a page counts as listed before.
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const page = await this.#database.get(keys.eventPage(middle));
      if (page === undefined || pageOf(page).listed < time) low = middle + 1;
      else high = middle;
    }
    return { page: low, index: 0 };
  }

  /** The events with these ids, as far as they are among the newest ones. */
  async findRecent(ids: ReadonlySet<string>): Promise<ServiceEvent[]> {
    const found = new Map<string, ServiceEvent>();
    let bytes = 0;
    const range = { ...partitionRange(keys.events), ScanIndexForward: false };
    for await (const item of this.#database.query(range)) {
      for (const event of pageOf(item).events) if (ids.has(event.id)) found.set(event.id, event);
      bytes += (item.events as string).length;
      if (found.size === ids.size || bytes >= recentBytes) break;
    }
    return [...found.values()];
  }

  /**
   * The events that `isWanted` accepts behind a cursor, or from the oldest one on. Without an event `next` may have moved
   * on all the same.
   */
  async read(
    after: EventCursor | undefined,
    isWanted: (event: ServiceEvent) => boolean,
    limit: number,
    now: Instant,
  ): Promise<EventsRead> {
    const oldest = after === undefined ? now - eventsKeptMs : shownFrom(now);
    const events: ServiceEvent[] = [];
    let [page, index] = [after?.page ?? 0, after?.index ?? 0];
    let bytes = 0;
    for await (const { number, listed, events: listedEvents, size } of this.#pages(page)) {
      const from = number === page ? index : 0;
      if (bytes >= readBytes)
        return { events, next: cursorBehind({ page: number, index: from }, listed, now), more: true };
      bytes += size;
      const shown = listed < oldest ? [] : listedEvents;
      for (let at = from; at < shown.length; at++) {
        if (events.length === limit)
          return { events, next: cursorBehind({ page: number, index: at }, listed, now), more: true };
        if (isWanted(shown[at]!)) events.push(shown[at]!);
      }
      [page, index] = [number, listedEvents.length];
    }
    return { events, next: { page, index, time: now }, more: false };
  }

  /** The pages from this number on, without a missing page between them. */
  async *#pages(first: number): AsyncGenerator<EventPage & { size: number }> {
    let next = first;
    for (let isWhole = false; !isWhole; ) {
      isWhole = true;
      for await (const item of this.#database.query(keyRange(keys.events, timeKey(next), ':'))) {
        const page = pageOf(item);
        if (page.number > next && (await this.#isListed(page.number - 1))) {
          isWhole = false;
          break;
        }
        yield { ...page, size: (item.events as string).length };
        next = page.number + 1;
      }
    }
  }

  async #isListed(number: number): Promise<boolean> {
    return (await this.#database.get(keys.eventPage(number))) !== undefined;
  }

  async #appendPage(text: string, now: Instant): Promise<void> {
    const last = await this.#last();
    // The answer to the same write got lost.
    if (last?.text === text) return;
    const number = (last?.number ?? (await this.#start(now))) + 1;
    const ttl = Math.ceil((now + eventsKeptMs + dayMs) / secondMs);
    await this.#database.put({ ...keys.eventPage(number), time: now, events: text, ttl }, ifAbsent);
  }

  async #last(): Promise<(EventPage & { text: string }) | undefined> {
    const range = { ...partitionRange(keys.events), ScanIndexForward: false, Limit: 1 };
    const [item] = await this.#database.queryAll(range);
    return item && { ...pageOf(item), text: item.events as string };
  }

  /** The number before the first page of an empty list. @throws Lost when another writer has begun the list */
  async #start(now: Instant): Promise<number> {
    const found = await this.#database.get(keys.eventStart);
    const number = found?.number as number | undefined;
    // Written by another writer that is about to put the first page.
    if (number !== undefined && now - number < eventsKeptMs) return number;
    const v = (found?.v as number | undefined) ?? 0;
    await this.#database.put({ ...keys.eventStart, number: now, v: v + 1 }, ifUnchanged(found && v));
    return now;
  }
}

/** `call`: of an event about a call, its record; `null` if there is none, or the person was erased. */
export type ExpandedEvent = ServiceEvent & { call?: ReturnType<typeof callView> | null };

const aboutCalls: ReadonlySet<EventType> = new Set(['call.ended', 'call.annotated', 'contact.settled']);

/** Events with the records of their calls as they are now: two batches of reads, each call once. */
export const withCalls = async (
  events: readonly ServiceEvent[],
  { callReader, formatTime }: { callReader: CallReader; formatTime: FormatTime },
  now: Instant,
): Promise<ExpandedEvent[]> => {
  const idOf = ({ data }: ServiceEvent) => data.callId as string | null;
  const ids = events.flatMap((event) => (aboutCalls.has(event.type) ? (idOf(event) ?? []) : []));
  const calls = await callReader.among([...new Set(ids)], now);
  return events.map((event) => {
    if (!aboutCalls.has(event.type)) return event;
    const call = calls.get(idOf(event) ?? '');
    return { ...event, call: call === undefined || call.isErased ? null : callView(call, formatTime) };
  });
};
