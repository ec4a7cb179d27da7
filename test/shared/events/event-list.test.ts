import { describe, expect, it } from 'vitest';
import { EventList, sheetPages } from '../../../shared/events/event-list.ts';
import type { EventCursor, ServiceEvent } from '../../../shared/events/rules/service-event.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import { start } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { atEveryCall, overtaken, type TableCall } from '../../support/engines/overtaken.ts';
import { listAsBefore } from '../../support/service/listed-before.ts';

const event = (id: string, data = {}): ServiceEvent => ({
  id,
  type: 'task.state_changed',
  time: new Date(start).toISOString(),
  data,
});
const eventsNamed = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => event(`${name}-${i}`));
const all = () => true;

/** Follows `next` until there is no more. */
const readOn = async (list: EventList, after: EventCursor | undefined, limit: number, now = start) => {
  const ids: string[] = [];
  let cursor = after;
  for (;;) {
    const { events, next, more } = await list.read(cursor, all, limit, now);
    ids.push(...events.map(({ id }) => id));
    cursor = next;
    if (!more) return { ids, next };
  }
};

describe.each(engines)('the list of events on $name', ({ open, sized }) => {
  const withList = async (use: (list: EventList, table: OpenTable) => Promise<void>) => {
    const table = await open();
    await use(new EventList(table.database), table);
    await table.close();
  };

  it('is read in order, whatever the limit, and goes on behind the last event', () =>
    withList(async (list) => {
      const empty = await list.read(undefined, all, 10, start);
      expect(empty).toMatchObject({ events: [], more: false });
      await list.append(eventsNamed('a', 250), start);
      await list.append(eventsNamed('b', 3), start + 1);
      const expected = [...eventsNamed('a', 250), ...eventsNamed('b', 3)].map(({ id }) => id);
      for (const limit of [7, 100, 253, 500]) {
        const { ids, next } = await readOn(list, empty.next, limit);
        expect(ids).toEqual(expected);
        expect(await list.read(next, all, 10, start)).toMatchObject({ events: [], more: false });
      }
      const end = { ...(await list.end()), time: start };
      await list.append(eventsNamed('c', 2), start + 2);
      expect((await readOn(list, end, 10)).ids).toEqual(['c-0', 'c-1']);
    }));

  it('shows every event to a reader that asks while several writers append', () =>
    withList(async (list, { database }) => {
      const [writers, batches] = [4, sized(12, 5)];
      let isWritten = false;
      const writing = Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          for (let batch = 0; batch < batches; batch++)
            await new EventList(database).append(eventsNamed(`${writer}-${batch}`, 5), start + batch);
        }),
      ).then(() => {
        isWritten = true;
      });
      const seen: string[] = [];
      let cursor: EventCursor | undefined;
      for (let isLast = false; !isLast; ) {
        isLast = isWritten;
        // The embedded engine answers at once: writers that wait for their next try must get their
        // turn.
        await new Promise((resolve) => setImmediate(resolve));
        const { ids, next } = await readOn(list, cursor, 7);
        seen.push(...ids);
        cursor = next;
      }
      await writing;
      expect(seen).toHaveLength(writers * batches * 5);
      expect(new Set(seen).size).toBe(seen.length);
      // The batches of one writer are in their order.
      const ofFirst = seen.filter((id) => id.startsWith('0-')).map((id) => id.split('-').map(Number));
      expect(ofFirst).toEqual(ofFirst.toSorted(([, a = 0, x = 0], [, b = 0, y = 0]) => a - b || x - y));
    }));

  it('keeps every event, wherever another writer overtakes a writer', () =>
    atEveryCall({ open }, async ({ table, slow, overtake }) => {
      const list = new EventList(table.database);
      await list.append(eventsNamed('first', 1), start);
      const appended = ['first-0', 'slow-0'];
      overtake(async () => {
        await list.append(eventsNamed('fast', 1), start);
        appended.push('fast-0');
      });
      await new EventList(slow).append(eventsNamed('slow', 1), start);
      const { ids } = await readOn(list, undefined, 10);
      expect(ids.toSorted()).toEqual(appended.toSorted());
    }));

  it('is read from a time on, with at most one sheet of earlier events', () =>
    withList(async (list, { database }) => {
      const earlier = [0, 10, 10, 10, 20];
      for (const [at, time] of earlier.entries())
        await listAsBefore(database, [event(`old-${at}`)], start + time);
      const times = Array.from({ length: 3 * sheetPages }, (_, at) => 30 + at);
      for (const [at, time] of times.entries()) await list.append([event(`${at}`)], start + time);
      const readSince = async (time: number) => {
        const position = { ...(await list.positionAt(start + time)), time: start };
        return (await readOn(list, position, 100)).ids;
      };
      for (let time = -1; time <= 21; time++) {
        const later = [...earlier.keys()].filter((at) => earlier[at]! >= time).map((at) => `old-${at}`);
        expect(await readSince(time)).toEqual([...later, ...[...times.keys()].map(String)]);
      }
      for (const at of [0, 1, sheetPages - 1, sheetPages, sheetPages + 1, times.length - 1]) {
        const ids = (await readSince(times[at]!)).map(Number);
        expect(ids[0]).toBeGreaterThanOrEqual(at - sheetPages);
        expect(ids).toEqual([...times.keys()].slice(ids[0]));
        expect(ids).toContain(at);
      }
    }));

  it('goes on behind a cursor of release 0.5, and passes over a page that is gone', () =>
    withList(async (list, { database }) => {
      await listAsBefore(database, eventsNamed('old', 3), start);
      await listAsBefore(database, [event('gone')], start);
      await listAsBefore(database, [event('last')], start);
      const [first] = await database.queryAll(partitionRange(keys.earlierEvents));
      const page = Number(first?.sk);
      await database.delete(keys.earlierEventPage(page + 1));
      const cursors = [
        { page: 0, index: 0, time: start },
        { page, index: 2, time: start },
        { page, index: 3, time: start },
        { page: page + 3, index: 0, time: start },
      ];
      await list.append(eventsNamed('new', 2), start + 1);
      const all = ['old-0', 'old-1', 'old-2', 'last', 'new-0', 'new-1'];
      for (const [at, from] of [0, 2, 3, 4].entries())
        for (const limit of [1, 10])
          expect((await readOn(list, cursors[at], limit)).ids).toEqual(all.slice(from));
      const found = (await list.findRecent(new Set(['old-1', 'new-1']))).map(({ id }) => id);
      expect(found.toSorted()).toEqual(['new-1', 'old-1']);
    }));

  it('shows every event in its order while functions of release 0.5 list too', () =>
    withList(async (list, { database }) => {
      const count = 3 * sheetPages;
      const write = async (at: number) => {
        await listAsBefore(database, [event(`${3 * at}`)], start + 2 * at);
        await list.append([event(`${3 * at + 1}`), event(`${3 * at + 2}`)], start + 2 * at + 1);
      };
      const readSome = async (after: EventCursor | undefined) => list.read(after, all, 2, start + 2 * count);
      // The reader falls behind, as each step lists three events and reads two.
      const seen: string[] = [];
      let cursor: EventCursor | undefined;
      for (let at = 0; at < count; at++) {
        await write(at);
        const { events, next } = await readSome(cursor);
        seen.push(...events.map(({ id }) => id));
        cursor = next;
      }
      seen.push(...(await readOn(list, cursor, 100)).ids);
      expect(seen.map(Number)).toEqual([...Array(3 * count).keys()]);
      const end = { ...(await list.end()), time: start };
      await listAsBefore(database, [event('late')], start);
      expect((await readOn(list, end, 10)).ids).toEqual(['late']);
    }));

  it.each([
    ['fills the sheet', sheetPages - 1],
    ['begins the next sheet', sheetPages],
  ])('keeps every event when another writer %s just before', async (_, count) => {
    await withList(async (list, table) => {
      for (let at = 0; at < count; at++) await list.append([event(`${at}`)], start);
      const isForSheet = ({ written }: TableCall) => written.some(({ pk }) => pk === keys.eventSheets);
      const faster = () => list.append([event('fast')], start);
      const { database, isOvertaken } = overtaken(table, isForSheet, faster);
      await new EventList(database).append([event('slow')], start);
      expect(isOvertaken()).toBe(true);
      const ids = (await readOn(list, undefined, 100)).ids;
      expect(ids.slice(count)).toEqual(['fast', 'slow']);
      const sheets = await table.database.queryAll(partitionRange(keys.eventSheets));
      expect(sheets.map(({ pages }) => (pages as string[]).length)).toEqual([
        sheetPages,
        count + 2 - sheetPages,
      ]);
    });
  });

  it('waits for a page of release 0.5 that it did not see between two others', () =>
    withList(async (_, { client, database, tableName }) => {
      for (const name of ['a', 'b', 'c']) await listAsBefore(database, [event(name)], start);
      const [, second] = await database.queryAll(partitionRange(keys.earlierEvents));
      // A range that was read before the second page was there, and after the third was.
      let isTorn = true;
      const torn = {
        send: async (command: Parameters<typeof client.send>[0]) => {
          const answer = (await client.send(command)) as { Items?: { sk: string }[] };
          if (answer.Items === undefined || answer.Items.length < 3 || !isTorn) return answer;
          isTorn = false;
          return { ...answer, Items: answer.Items.filter(({ sk }) => sk !== second?.sk) };
        },
      };
      const reader = new EventList(new Database(torn as never, tableName));
      expect((await readOn(reader, undefined, 10)).ids).toEqual(['a', 'b', 'c']);
      expect(isTorn).toBe(false);
    }));

  it('appends once when the answer to its write got lost, and when a batch is sent again', () =>
    withList(async (list, { client, tableName }) => {
      const forgetful = {
        send: async (command: Parameters<typeof client.send>[0]) => {
          const answer = await client.send(command);
          // The SDK sends it again, and the condition of the first write does not hold any more.
          return /^(Put|Update)Command$/.test(command.constructor.name) ? client.send(command) : answer;
        },
      };
      await list.append([event('a')], start);
      const writer = new EventList(new Database(forgetful as never, tableName));
      for (let at = 0; at < sheetPages; at++) await writer.append([event(`b-${at}`)], start);
      await writer.append([event(`b-${sheetPages - 1}`)], start + 1);
      const ids = ['a', ...eventsNamed('b', sheetPages).map(({ id }) => id)];
      expect((await readOn(list, undefined, 100)).ids).toEqual(ids);
    }));

  it('hides events after 30 days, and goes on behind them when all have expired', () =>
    withList(async (list, { database }) => {
      const begin = { page: 0, index: 0, time: start };
      await list.append([event('old')], start);
      const { next } = await readOn(list, undefined, 10);
      const later = start + 30 * dayMs + 1;
      const hidden = await list.read(undefined, all, 10, later);
      expect(hidden.events).toEqual([]);
      // A reader that began with the oldest event has an hour more, and the page is there for
      // longer.
      const ofReader = async (now: number) => (await list.read(begin, all, 10, now)).events.length;
      const hour = dayMs / 24;
      expect([await ofReader(later), await ofReader(later + hour)]).toEqual([1, 0]);
      const [sheet] = await database.queryAll(partitionRange(keys.eventSheets));
      const page = keys.eventPage((sheet!.pages as string[])[0]!);
      const stored = [sheet, await database.get(page)];
      expect(stored.map((item) => item?.ttl)).toEqual(Array(2).fill((start + 31 * dayMs) / 1000));
      expect((await list.read(hidden.next, all, 10, later)).events).toEqual([]);
      await database.deleteAll([page, sheet!]);
      const silent = await list.read({ ...next, time: later }, all, 10, later);
      await list.append([event('new')], later + dayMs);
      expect((await readOn(list, silent.next, 10, later + dayMs)).ids).toEqual(['new']);
      expect((await readOn(list, undefined, 10, later + dayMs)).ids).toEqual(['new']);
    }));

  it('begins once when several writers find it empty', () =>
    withList(async (list, { database }) => {
      const writers = ['a', 'b', 'c', 'd'];
      // Again when all pages have expired.
      for (const now of [start, start + 31 * dayMs]) {
        await Promise.all(
          writers.map((name, i) => new EventList(database).append([event(name)], now + 50 - 10 * i)),
        );
        expect((await readOn(list, undefined, 1, now)).ids.toSorted()).toEqual(writers);
        const { sheet } = await list.end();
        expect(sheet).toBeGreaterThan(now);
        const sheets = await database.queryAll(partitionRange(keys.eventSheets));
        expect(sheets.map(({ sk }) => Number(sk))).toEqual([sheet]);
        await database.deleteAll(sheets);
      }
    }));

  it('reads a bounded part of the list for a filter that matches nothing', () =>
    withList(async (list) => {
      const large = { text: 'x'.repeat(30_000) };
      await list.append(
        Array.from({ length: 40 }, (_, i) => event(`large-${i}`, large)),
        start,
      );
      const first = await list.read(undefined, () => false, 10, start);
      expect(first).toMatchObject({ events: [], more: true });
      // Behind events that are hidden, and not removed yet, the cursor has not expired.
      const later = start + 31 * dayMs;
      const hidden = await list.read(undefined, all, 10, later);
      expect(hidden).toMatchObject({ events: [], more: true, next: { time: later - 30 * dayMs } });
      const found = async () => (await list.findRecent(new Set(['large-0', 'large-39']))).map(({ id }) => id);
      expect((await found()).toSorted()).toEqual(['large-0', 'large-39']);
      const rest = await readOn(list, first.next, 500);
      expect(rest.ids.length).toBeGreaterThan(0);
      expect(rest.ids.length).toBeLessThan(40);
      // Single events are found among the newest ones only.
      await list.append(
        Array.from({ length: 70 }, (_, i) => event(`larger-${i}`, large)),
        start,
      );
      expect(await found()).toEqual(['large-39']);
    }));
});
