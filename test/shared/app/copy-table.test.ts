import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyTable, tablePages } from '../../../shared/app/copy-table.ts';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { clearedMark } from '../../../shared/events/changes-with-events.ts';
import { createWebhook } from '../../../shared/events/rules/webhook.ts';
import { Webhooks } from '../../../shared/events/webhooks.ts';
import {
  assertFormat,
  dataFormat,
  OtherDataFormat,
  setUpTable,
} from '../../../shared/platform/table/data-format.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { type Item, keys } from '../../../shared/platform/table/keys.ts';
import { createTableInput } from '../../../shared/platform/table/table.ts';
import { engines } from '../../support/engines/engines.ts';
import { seedContacts } from '../../support/engines/seed-contacts.ts';
import { between, goneAfter } from '../../support/service/crash-point.ts';

const dataSourceId = '0123456789abcdef';
const crash = new Error('the process is gone');

describe.each(engines)('a restored table on $name', ({ open, sized }) => {
  /** The restored table with contacts in it, and the stack's table beside it. */
  const twoTables = async (contacts = sized(500, 200)) => {
    const { client, sdk, tableName: from, database: source, close } = await open();
    onTestFinished(close);
    const to = `test-${randomUUID()}`;
    await sdk.send(new CreateTableCommand(createTableInput(to)));
    await setUpTable(source);
    await seedContacts(source, dataSourceId, contacts);
    await source.put({ ...keys.listCount(keys.list('dataSource')), count: 1 });
    const target = new Database(client, to);
    const itemsOf = async (table: string) => {
      const items: Item[] = [];
      for await (const page of tablePages(client, table)) items.push(...page.items);
      return items.sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
    };
    const copy = (replaces = false, onProgress = (_copied: number) => {}) =>
      copyTable(client, { from, to, replaces, onProgress });
    return { client, source, from, to, target, itemsOf, copy };
  };

  it('is copied item by item, counted, and served from the stack', async () => {
    const { from, to, target, itemsOf, copy } = await twoTables();
    let told = 0;
    const counts = await copy(false, (copied) => {
      expect(copied).toBeGreaterThanOrEqual(told);
      told = copied;
    });
    const items = await itemsOf(to);
    // All but the mark of the format, which is written last.
    expect(told).toBe(items.length - 1);
    expect(items).toEqual(await itemsOf(from));
    expect(counts).toEqual({ from: items.length, to: items.length });
    await assertFormat(target);
    expect((await openStores(target).contacts.page(dataSourceId, { offset: 0, limit: 1 })).total).toBe(
      sized(500, 200),
    );
  });

  it('has its webhooks switched off', async () => {
    const { source, target, copy } = await twoTables(1);
    const settings = { url: 'https://receiver.example.com', taskIds: [], expandCall: false, description: '' };
    const id = '0'.repeat(16);
    const position = { page: 0, index: 0, time: 1 };
    await new Webhooks(source).add(createWebhook(settings, id, 'whsec_secret', 1), position);
    await copy();
    const found = await new Webhooks(source).find(id);
    expect(await new Webhooks(target).find(id)).toEqual({ ...found, enabled: false });
  });

  it('replaces the data of the stack only when told so', async () => {
    const { from, to, target, itemsOf, copy } = await twoTables(10);
    await setUpTable(target);
    await target.putAll([
      { pk: 'DS#other', sk: 'META' },
      { pk: `DS#${dataSourceId}#P#110`, sk: 'P', seq: 99 },
    ]);
    const before = await itemsOf(to);
    await expect(copy()).rejects.toThrow(/is not empty; with --replace/);
    expect(await itemsOf(to)).toEqual(before);
    await copy(true);
    expect(await itemsOf(to)).toEqual(await itemsOf(from));
  });

  it('is copied into a table whose only item is its format', async () => {
    const { from, to, target, itemsOf, copy } = await twoTables(10);
    await setUpTable(target);
    await copy();
    expect(await itemsOf(to)).toEqual(await itemsOf(from));
  });

  it('is complete although the copy is interrupted at any call; functions refuse half a copy', async () => {
    const { client, from, to, target, itemsOf, copy } = await twoTables(100);
    const whole = await itemsOf(from);
    let refused = 0;
    for (let calls = 1; ; calls += sized(4, 12)) {
      await target.putAll(Array.from({ length: 30 }, (_, i) => ({ pk: 'DS#other', sk: `${i}` })));
      const { restore } = goneAfter(client, calls, crash);
      const isWhole = await copy(true).then(
        () => true,
        () => false,
      );
      restore();
      if (isWhole) break;
      // The first calls of a copy only read, and the last ones only count.
      if ((await target.get(keys.format))?.restoredFrom !== undefined) {
        await expect(assertFormat(target)).rejects.toThrow(/half a copy/);
        refused++;
      }
      await copy(true);
      expect(await itemsOf(to)).toEqual(whole);
    }
    expect(refused).toBeGreaterThan(sized(6, 2));
  });

  it('continues behind the last page that it copied', async () => {
    const { client, source, from, to, itemsOf, copy } = await twoTables(10);
    // Four megabytes, in eight segments.
    const text = 'x'.repeat(35_000);
    await source.putAll(Array.from({ length: 100 }, (_, i) => ({ pk: `DS#large${i}`, sk: 'META', text })));
    /** A copy writes the items as they are; before, it marks those that it deletes. */
    const isPut = (command: unknown) =>
      command instanceof BatchWriteCommand &&
      Object.values(command.input.RequestItems ?? {}).some(
        ([request]) => request?.PutRequest && !request.PutRequest.Item?.[clearedMark],
      );
    const writesOf = async (run: () => Promise<unknown>, diesAfter = Number.POSITIVE_INFINITY) => {
      let writes = 0;
      const { restore } = between(client, (send) => async (command) => {
        if (isPut(command) && writes >= diesAfter) throw crash;
        if (isPut(command)) writes++;
        return send(command);
      });
      await run().finally(restore);
      return writes;
    };
    const all = await writesOf(() => copy());
    await expect(writesOf(() => copy(true), 4)).rejects.toThrow(crash);
    const rest = await writesOf(() => copy(true));
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(0.7 * all);
    expect(await itemsOf(to)).toEqual(await itemsOf(from));
  });

  it.each([
    // Items of one key are in one segment: what deletes them is sent in eight batches at once.
    ['one segment', 200, (i: number) => ({ pk: 'DS#large', sk: `${i}` })],
    // Few enough for one batch in each segment.
    ['several segments', 40, (i: number) => ({ pk: `DS#large${i}`, sk: '0' })],
  ])('is complete although batches in %s of a copy that failed arrive late', async (_, length, keyOf) => {
    const { client, source, from, to, itemsOf, copy } = await twoTables(10);
    await source.putAll(Array.from({ length }, (_each, i) => keyOf(i)));
    await copy();
    const whole = await itemsOf(from);
    let [seen, underWay] = [0, 0];
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { restore } = between(client, (send) => async (command) => {
      const isLarge =
        command instanceof BatchWriteCommand && JSON.stringify(command.input).includes('DS#large');
      if (isLarge && ++seen === 4) throw crash;
      if (isLarge && seen < 4) await arrival;
      underWay++;
      return send(command).finally(() => underWay--);
    });
    const resumed = copy(true).catch(() => copy());
    // Nothing is under way except the late batches: the copy waits for them, or it was resumed and
    // has ended.
    for (let quiet = 0; quiet < 100; quiet = underWay > 0 || seen < 4 ? 0 : quiet + 1) await setImmediate();
    arrive();
    expect(await resumed).toEqual({ from: whole.length, to: whole.length });
    restore();
    expect(await itemsOf(to)).toEqual(whole);
  });

  it('has its marks in their order, and continues a copy of an earlier version', async () => {
    const { client, source, target, copy } = await twoTables(10);
    await source.putAll(Array.from({ length: 200 }, (_, i) => ({ pk: `DS#${i}`, sk: 'META' })));
    let [marks, failing] = [0, false];
    const seen: number[] = [];
    const { restore } = between(client, (send) => async (command) => {
      const { Item } = command.input as { Item?: Item };
      if (command instanceof BatchWriteCommand && !failing) {
        failing = true;
        throw crash;
      }
      if (Item?.restoredFrom === undefined) return send(command);
      seen.push(++marks);
      return send(command).finally(() => marks--);
    });
    await expect(copy()).rejects.toThrow(crash);
    restore();
    expect(new Set(seen)).toEqual(new Set([1]));
    // An earlier version copied in one segment, and noted where it was.
    const { after: _, ...mark } = (await target.get(keys.format))!;
    await target.put({ ...mark, after: { pk: 'DS#99', sk: 'META' } });
    const { from, to } = await copy();
    expect(to).toBe(from);
  });

  it('refuses a table that holds no data of the service, of a later version, or half a copy of another', async () => {
    const { client, from, to, target, copy } = await twoTables(10);
    await expect(copyTable(client, { from: to, to: from, replaces: true })).rejects.toThrow(OtherDataFormat);
    await target.put({ ...keys.format, format: dataFormat + 1 });
    await expect(copyTable(client, { from: to, to: from, replaces: true })).rejects.toThrow(/later version/);
    await target.put({ ...keys.format, restoredFrom: 'another', isCleared: true, copied: 0 });
    await expect(copy(true)).rejects.toThrow(/half a copy of another/);
  });
});
