import { createHash } from 'node:crypto';
import { allEnded } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { ifAbsent, ifUnchanged, keyRange, partitionRange } from '../platform/table/expressions.ts';
import { type Item, keys, timeKey } from '../platform/table/keys.ts';
import { optimistic } from '../platform/table/optimistic.ts';
import { dayMs, type Instant, secondMs } from '../platform/time/time.ts';
import { EarlierPages, type EventPage, pageOf } from './earlier-pages.ts';
import {
  cursorBehind,
  type EventCursor,
  type EventFilter,
  type EventPosition,
  eventsKeptMs,
  type ServiceEvent,
  shownFrom,
} from './rules/service-event.ts';

type EventsRead = { events: ServiceEvent[]; next: EventCursor; more: boolean };

/** `offset`: number of events of the sheet before this page. */
type Entry = { name: string; offset: number; count: number };
type Sheet = { number: number; begun: Instant; entries: Entry[]; count: number };

/**
 * A page to read. `from`: how many of its events were read before. `behind`: the position behind
 * the first `count` of them.
 */
type PageRead<Position = EventPosition> = EventPage & { from: number; behind: (count: number) => Position };
/** A page of a sheet, or an earlier page. It changes only its part of the position. */
type PageOfOne = PageRead<Partial<EventPosition>>;

/** A page of this size stays far below DynamoDB's 400 KB. */
const pageEvents = 100;
const pageBytes = 100_000;
/** Pages of a full sheet. Up to 1 KB, naming a further page costs one write unit. */
export const sheetPages = 40;
/** Pages that are read in one call. */
const pagesAtOnce = 20;
/** Bytes that one request reads at most, also with a filter that matches little. */
const readBytes = 500_000;
/** About 10,000 events. */
const recentBytes = 3_000_000;

/**
 * The events in their order, cut into pages. The name of a page is a hash of its text, and the
 * number of its events.
 */
const pagesOf = (events: readonly ServiceEvent[]): { name: string; text: string }[] => {
  const pages: { name: string; text: string }[] = [];
  let page: string[] = [];
  let bytes = 0;
  const close = () => {
    if (page.length === 0) return;
    const text = `[${page.join(',')}]`;
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    pages.push({ name: `${hash}.${page.length}`, text });
    page = [];
    bytes = 0;
  };
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text);
    if (page.length === pageEvents || bytes + size > pageBytes) close();
    page.push(text);
    bytes += size;
  }
  close();
  return pages;
};

const sheetOf = (item: Item): Sheet => {
  let count = 0;
  const entries = (item.pages as string[]).map((name) => {
    const entry = { name, offset: count, count: Number(name.slice(name.indexOf('.') + 1)) };
    count += entry.count;
    return entry;
  });
  return { number: Number(item.sk), begun: item.time as Instant, entries, count };
};

const isFull = ({ entries }: Sheet) => entries.length >= sheetPages;

/** Groups of pages, each read in one call. Together they have as many events as are wanted. */
const readTogether = (entries: readonly Entry[], wanted: number): Entry[][] => {
  const groups: Entry[][] = [];
  let events = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    if (events >= wanted || groups.at(-1)?.length === pagesAtOnce) {
      groups.push([]);
      events = 0;
    }
    groups.at(-1)?.push(entry);
    events += entry.count;
  }
  return groups;
};

/** The pages of both kinds, by the time at which they were listed. */
async function* byTime(
  earlier: AsyncGenerator<PageOfOne>,
  ofSheet: AsyncGenerator<PageOfOne>,
): AsyncGenerator<PageOfOne> {
  let [first, second] = await Promise.all([earlier.next(), ofSheet.next()]);
  while (!first.done || !second.done) {
    if (!first.done && (second.done || first.value.listed <= second.value.listed)) {
      yield first.value;
      first = await earlier.next();
    } else if (!second.done) {
      yield second.value;
      second = await ofSheet.next();
    }
  }
}

/**
 * The list of events. Each batch of events is a *page*, under a key of its own. A *sheet* names up
 * to 40 pages, in the order of the list. Sheets have numbers without gaps.
 *
 * A writer puts its pages first. Then it adds their names to the last sheet, in one update. If the
 * last sheet is full, it begins the next one. DynamoDB never refuses an addition because of another
 * addition, so writers do not hold each other up, except at the end of a sheet. Nothing is added to
 * a full sheet, and a sheet begins only when the sheet before it is full. So names appear at the
 * end of the list only. A reader that has read up to an event finds every later event behind it,
 * and the batches of one writer stay in their order.
 *
 * If a writer dies before it has named its pages, no reader sees them, and the stream sends the
 * batch again. If the batch was named before, the writer finds the name, which is a hash of the
 * text. If the stream sends the batch in other parts, its events are listed twice, with the same
 * ids.
 *
 * Sheets and pages expire. The number of the first sheet is the time in milliseconds, and so is
 * that of the next sheet after all sheets have expired. A number is never given twice, because the
 * list has far fewer sheets than milliseconds. The item `START` makes several writers of an empty
 * list begin at the same number.
 *
 * The list also has the pages of release 0.5 (`EarlierPages`). A position has a place in both. A
 * cursor of 0.5 has no place in the sheets, so its reader begins with the first sheet. While an
 * update replaces the functions, writers of both releases are at work. Then pages are ordered by
 * the times at which they were listed. The reader reads the sheet before the pages of 0.5, so it
 * shows no page of the sheet without the pages of 0.5 that were listed before.
 */
export class EventList {
  readonly #database: Database;
  readonly #earlier: EarlierPages;

  constructor(database: Database) {
    this.#database = database;
    this.#earlier = new EarlierPages(database);
  }

  /** Lists all of the events or none. */
  async append(events: readonly ServiceEvent[], now: Instant): Promise<void> {
    const ttl = Math.ceil((now + eventsKeptMs + dayMs) / secondMs);
    const pages = pagesOf(events);
    if (pages.length === 0) return;
    const putPage = ({ name, text }: (typeof pages)[number]) =>
      this.#database.put({ ...keys.eventPage(name), time: now, events: text, ttl });
    await allEnded(pages.map(putPage));
    const names = pages.map(({ name }) => name);
    await optimistic(() => this.#addToSheet(names, now, ttl));
  }

  /** The position behind the last event. */
  async end(): Promise<EventPosition> {
    const last = await this.#lastSheet();
    return {
      page: await this.#earlier.end(),
      index: 0,
      sheet: last?.number ?? 0,
      sheetIndex: last?.count ?? 0,
    };
  }

  /** A position before all events that were listed at that time or later, by at most one sheet. */
  async positionAt(time: Instant): Promise<EventPosition> {
    const position = { page: await this.#earlier.listedSince(time), index: 0, sheetIndex: 0 };
    const [first] = await this.#sheetsFrom(0, 1);
    const last = await this.#lastSheet();
    if (first === undefined || last === undefined) return { ...position, sheet: 0 };
    let low = first.number;
    let high = last.number;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [sheet] = await this.#sheetsFrom(middle, 1);
      if (sheet !== undefined && sheet.begun < time) low = sheet.number;
      else high = middle - 1;
    }
    return { ...position, sheet: low };
  }

  /** The events with these ids, if they are among the newest ones. */
  async findRecent(ids: ReadonlySet<string>): Promise<ServiceEvent[]> {
    const found = new Map<string, ServiceEvent>();
    let bytes = 0;
    for await (const { events, size } of this.#newestFirst()) {
      for (const event of events) if (ids.has(event.id)) found.set(event.id, event);
      bytes += size;
      if (found.size === ids.size || bytes >= recentBytes) break;
    }
    return [...found.values()];
  }

  /**
   * The events behind a cursor, or from the oldest one on, that `isWanted` accepts. `next` may move
   * on even if there is no event.
   */
  async read(
    after: EventCursor | undefined,
    isWanted: EventFilter,
    limit: number,
    now: Instant,
  ): Promise<EventsRead> {
    const oldest = after === undefined ? now - eventsKeptMs : shownFrom(now);
    const events: ServiceEvent[] = [];
    let position: EventPosition = after ?? { page: 0, index: 0 };
    let bytes = 0;
    for await (const page of this.#pagesBehind(position, limit)) {
      const { listed, size, from, behind } = page;
      if (bytes >= readBytes) return { events, next: cursorBehind(behind(from), listed, now), more: true };
      bytes += size;
      const shown = listed < oldest ? [] : page.events;
      for (let at = from; at < shown.length; at++) {
        if (events.length === limit)
          return { events, next: cursorBehind(behind(at), listed, now), more: true };
        if (isWanted(shown[at]!)) events.push(shown[at]!);
      }
      position = behind(page.events.length);
    }
    return { events, next: { ...position, time: now }, more: false };
  }

  async *#pagesBehind(begin: EventPosition, wanted: number): AsyncGenerator<PageRead> {
    let position = begin;
    for (;;) {
      const sheet = await this.#sheetBehind(position);
      const ofSheet = this.#pagesOf(sheet, position, wanted);
      for await (const page of byTime(this.#earlierPages(position), ofSheet)) {
        const before = position;
        const behind = (count: number) => ({ ...before, ...page.behind(count) });
        yield { ...page, behind };
        position = behind(page.events.length);
      }
      if (sheet === undefined) return;
      position = { ...position, sheet: sheet.number, sheetIndex: sheet.count };
      if (!isFull(sheet)) return;
    }
  }

  async *#earlierPages({ page, index }: EventPosition): AsyncGenerator<PageOfOne> {
    for await (const { number, ...read } of this.#earlier.from(page)) {
      const { length } = read.events;
      // The end of a page is the beginning of the next one, which costs less to read.
      const behind = (count: number) =>
        count === length ? { page: number + 1, index: 0 } : { page: number, index: count };
      yield { ...read, from: number === page ? index : 0, behind };
    }
  }

  async *#pagesOf(
    sheet: Sheet | undefined,
    position: EventPosition,
    wanted: number,
  ): AsyncGenerator<PageOfOne> {
    if (sheet === undefined) return;
    const { number, entries } = sheet;
    const read = position.sheet === number ? (position.sheetIndex ?? 0) : 0;
    const unread = entries.filter(({ offset, count }) => offset + count > read);
    for (const group of readTogether(unread, wanted)) {
      const items = await this.#database.batchGet(group.map(({ name }) => keys.eventPage(name)));
      for (const [at, { offset }] of group.entries()) {
        const item = items[at];
        // The page has expired.
        if (item === undefined) continue;
        const behind = (count: number) => ({ sheet: number, sheetIndex: offset + count });
        yield { ...pageOf(item), from: Math.max(0, read - offset), behind };
      }
    }
  }

  /** The sheet with the first event behind the position, or the sheet that will have it. */
  async #sheetBehind({ sheet = 0, sheetIndex = 0 }: EventPosition): Promise<Sheet | undefined> {
    const [first, second] = await this.#sheetsFrom(sheet, 2);
    const isRead = first?.number === sheet && isFull(first) && sheetIndex >= first.count;
    return isRead ? second : first;
  }

  async #sheetsFrom(number: number, count: number): Promise<Sheet[]> {
    const range = { ...keyRange(keys.eventSheets, timeKey(number), ':'), Limit: count };
    return (await this.#database.queryAll(range)).map(sheetOf);
  }

  async #lastSheet(): Promise<Sheet | undefined> {
    const range = { ...partitionRange(keys.eventSheets), ScanIndexForward: false, Limit: 1 };
    const [item] = await this.#database.queryAll(range);
    return item && sheetOf(item);
  }

  async *#newestFirst(): AsyncGenerator<EventPage> {
    const range = { ...partitionRange(keys.eventSheets), ScanIndexForward: false };
    for await (const sheet of this.#database.query(range)) {
      const newest = sheetOf(sheet).entries.toReversed();
      for (const group of readTogether(newest, pageEvents)) {
        const items = await this.#database.batchGet(group.map(({ name }) => keys.eventPage(name)));
        for (const item of items) if (item !== undefined) yield pageOf(item);
      }
    }
    yield* this.#earlier.newestFirst();
  }

  /** @throws Lost if the sheet has become full, or another writer has begun the next one */
  async #addToSheet(names: readonly string[], now: Instant, ttl: number): Promise<void> {
    const last = await this.#lastSheet();
    // The pages were added before: the batch was sent again, or the answer to the same write was
    // lost.
    if (last?.entries.some(({ name }) => name === names[0])) return;
    if (last === undefined || isFull(last)) {
      const number = (last?.number ?? (await this.#start(now))) + 1;
      await this.#database.put({ ...keys.eventSheet(number), time: now, pages: names, ttl }, ifAbsent);
      return;
    }
    await this.#database.update(keys.eventSheet(last.number), {
      UpdateExpression: 'SET pages = list_append(pages, :names), #ttl = :ttl',
      ConditionExpression: 'size(pages) < :full AND NOT contains(pages, :first)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':names': names, ':ttl': ttl, ':full': sheetPages, ':first': names[0] },
    });
  }

  /**
   * @returns the number before the first sheet of an empty list
   * @throws Lost if another writer has begun the list
   */
  async #start(now: Instant): Promise<number> {
    const found = await this.#database.get(keys.eventStart);
    const number = found?.number as number | undefined;
    // Another writer has written it, and is about to put the first sheet.
    if (number !== undefined && now - number < eventsKeptMs) return number;
    const v = (found?.v as number | undefined) ?? 0;
    await this.#database.put({ ...keys.eventStart, number: now, v: v + 1 }, ifUnchanged(found && v));
    return now;
  }
}
