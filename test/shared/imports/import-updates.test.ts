import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { Contacts } from '../../../shared/contacts/contacts.ts';
import type { ImportRecords } from '../../../shared/imports/import-records.ts';
import type { ImportRow, OnDuplicate } from '../../../shared/imports/rules/contact-import.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { deferredOf } from '../../../shared/tasks/task-work.ts';
import { newId } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';
import { writeAndCommit } from '../../support/files/imports.ts';
import { goneAfter } from '../../support/service/crash-point.ts';

const now = 1_700_000_000_000;
const holdMs = 60_000;
const phoneOf = (at: number) => String(13_800_000_000 + at);
const rowsBy = (by: string, ats: readonly number[]): ImportRow[] =>
  ats.map((at, i) => ({ line: i + 2, phoneNumber: phoneOf(at), fields: { customerName: by, [by]: 'x' } }));
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);
const crash = new Error('the process is gone');

describe.each(engines)('imports that update on $name', ({ open, sized }) => {
  /** Every call on the engine that is quick, some of them on the other. */
  const stride = sized(1, 5);
  let table: OpenTable;
  let contacts: Contacts;
  let records: ImportRecords;
  let ids = 0;
  beforeAll(async () => {
    table = await open();
    contacts = openStores(table.database).contacts;
    records = openStores(table.database).importRecords;
  });
  afterAll(() => table.close());

  const aDataSource = async () => {
    const id = `${ids++}`.padStart(16, '0');
    await seedEmptyDataSource(table.database, id);
    return id;
  };
  const create = async (dataSourceId: string, onDuplicate: OnDuplicate = 'update') => {
    const importId = `import${ids++}`;
    const file = { objectKey: importId, fileName: 'a.csv', fileSize: 1, options: { onDuplicate } };
    await records.create({ importId, dataSourceId, ...file, createTime: now });
    return importId;
  };
  const run = async (dataSourceId: string, importId: string, rows: ImportRow[]) => {
    const by = { owner: `r${ids++}`, now, until: now + holdMs, dead: 'all' as const };
    const begun = await records.begin(dataSourceId, importId, by);
    return writeAndCommit(
      openStores(table.database).importedContacts,
      begun.import,
      { rows, importCount: rows.length },
      now,
    );
  };
  const imported = async (id: string, rows: ImportRow[], onDuplicate?: OnDuplicate) =>
    run(id, await create(id, onDuplicate), rows);
  const fieldsOf = async (id: string) => {
    const fields = new Map<string, Record<string, string>>();
    for await (const chunk of contacts.scan(id))
      for (const contact of chunk) fields.set(contact.phoneNumber, contact.fields);
    expect(await contacts.count(id)).toBe(fields.size);
    return fields;
  };

  it('changes each contact once, though it crashes at any call and people edit meanwhile', async () => {
    let crashes = 0;
    for (let calls = 0, isDone = false; !isDone; calls += stride) {
      const id = await aDataSource();
      await imported(id, rowsBy('A', upTo(10)));
      const { rows } = await contacts.page(id, { offset: 0, limit: 1 });
      const importId = await create(id);
      const { restore } = goneAfter(table.client, calls, crash);
      isDone = await run(id, importId, rowsBy('B', upTo(20))).then(
        () => true,
        () => false,
      );
      restore();
      if (isDone) break;
      crashes++;
      const before = (await fieldsOf(id)).get(phoneOf(0));
      const changes = new Map([['customerName', 'edited']]);
      await contacts.update(id, rows[0]!.id, { changes }, now);
      const { import: ended } = await run(id, importId, rowsBy('B', upTo(20)));
      expect(ended).toMatchObject({ status: 'DONE', importCount: 20, successCount: 20 });
      const after = await fieldsOf(id);
      expect(after.get(phoneOf(0))?.customerName).toBe(before?.customerName === 'B' ? 'edited' : 'B');
      expect([after.size, after.get(phoneOf(9)), after.get(phoneOf(15))]).toEqual([
        20,
        { customerName: 'B', A: 'x', B: 'x' },
        { customerName: 'B', B: 'x' },
      ]);
    }
    expect(crashes * stride).toBeGreaterThanOrEqual(10);
  });

  it('has the tasks look at deferred contacts again whose zone it changed, though it crashes at any call', async () => {
    const agenda = new Agenda(table.database);
    for (let calls = 0, isDone = false; !isDone; calls += stride) {
      const [id, taskId] = [await aDataSource(), newId()];
      await imported(id, rowsBy('A', [0]));
      await agenda.add({ kind: 'calls', group: id, id: taskId }, now);
      const importId = await create(id);
      const rows = rowsBy('B', [0]).map((row) => ({ ...row, fields: { timeZone: 'Asia/Tokyo' } }));
      const { restore } = goneAfter(table.client, calls, crash);
      isDone = await run(id, importId, rows).then(
        () => true,
        () => false,
      );
      restore();
      if (!isDone) await run(id, importId, rows);
      expect(await agenda.find(deferredOf(taskId)), `after ${calls} calls`).toBeDefined();
    }
  });

  it('remembers the order of 200 columns beside 1000 names of the greatest length', async () => {
    const id = await aDataSource();
    const { importedContacts } = openStores(table.database);
    const names = upTo(1000).map((at) => `${'😀'.repeat(60)}${String(at).padStart(4, '0')}`);
    await importedContacts.rememberNames(id, names, names.slice(0, 200));
    const kept = (await table.database.get(keys.fieldNames(id)))!;
    expect([(kept.names as Set<string>).size, kept.order]).toEqual([1000, names.slice(0, 200)]);
  });

  it('remembers the order of the first 200 columns', async () => {
    const id = await aDataSource();
    const { importedContacts } = openStores(table.database);
    for (const by of ['a', 'b']) {
      const columns = upTo(150).map((at) => `${by}${at}`);
      await importedContacts.rememberNames(id, [], columns);
    }
    const { order } = (await table.database.get(keys.fieldNames(id)))!;
    expect(order).toEqual([...upTo(150).map((at) => `a${at}`), ...upTo(50).map((at) => `b${at}`)]);
  });

  it('ends as one after the other where two run at once, also beside one that skips', async () => {
    const some = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 30 });
    const way = fc.constantFrom<OnDuplicate>('update', 'skip');
    await fc.assert(
      fc.asyncProperty(some, some, some, way, async (there, a, b, onDuplicate) => {
        const jobs = [
          (id: string) => imported(id, rowsBy('A', a)),
          (id: string) => imported(id, rowsBy('B', b), onDuplicate),
        ];
        const ended = async (order: number[], atOnce = false) => {
          const id = await aDataSource();
          await imported(id, rowsBy('C', there));
          const run = order.map((at) => () => jobs[at]!(id));
          if (atOnce) await Promise.all(run.map((job) => job()));
          else for (const job of run) await job();
          return Object.fromEntries(await fieldsOf(id));
        };
        expect([await ended([0, 1]), await ended([1, 0])]).toContainEqual(await ended([0, 1], true));
      }),
      { numRuns: stride === 1 ? 4 : 1, seed: 7 },
    );
  });

  it('costs no more than adding the rows would, and nothing but reads where nothing changed', async () => {
    const id = await aDataSource();
    const count = stride === 1 ? 2000 : 100;
    await imported(id, rowsBy('A', upTo(count)));
    const { measure } = meter(table.client);
    const changed = await measure(() => imported(id, rowsBy('B', upTo(count))));
    const fixed = { wcu: 40, rcu: 30, calls: 30 };
    expect(changed.wcu).toBeLessThanOrEqual(fixed.wcu + count);
    expect(changed.rcu).toBeLessThanOrEqual(fixed.rcu + 2 * count);
    expect(changed.calls).toBeLessThanOrEqual(fixed.calls + 0.06 * count);
    const same = await measure(() => imported(id, rowsBy('B', upTo(count))));
    expect(same.wcu).toBeLessThanOrEqual(fixed.wcu);
    expect(same.calls).toBeLessThanOrEqual(fixed.calls + 0.02 * count);
  });
});
