import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../../shared/app/open-stores.ts';
import type { Contacts } from '../../../../shared/contacts/index.ts';
import {
  abandonmentOf,
  type ContactImport,
  type ImportRow,
  type ImportRows,
} from '../../../../shared/imports/rules/contact-import.ts';
import type { ImportRecords } from '../../../../shared/imports/store/import-records.ts';
import type { ImportedContacts } from '../../../../shared/imports/store/imported-contacts.ts';
import { Agenda, callsOf } from '../../../../shared/platform/agenda/index.ts';
import { type Database, keys, seqsPerPage } from '../../../../shared/platform/table/index.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { seedEmptyDataSource } from '../../../support/engines/seed-contacts.ts';
import { writeAndCommit } from '../../../support/files/imports.ts';
import { between, goneAfter } from '../../../support/service/crash-point.ts';

const now = 1_700_000_000_000;
const holdMs = 60_000;
const rowsOf = (count: number, first = 0): ImportRow[] =>
  Array.from({ length: count }, (_, i) => ({
    line: i + 2,
    phoneNumber: String(1_000_000 + first + i),
    fields: { customerName: `Customer ${first + i}`, vip: 'no' },
  }));
const phonesOf = (rows: readonly { phoneNumber: string }[]) => rows.map(({ phoneNumber }) => phoneNumber);
const crash = new Error('the process is gone');

describe.each(engines)('imports on $name', ({ open, sized }) => {
  let table: OpenTable;
  let database: Database;
  let imports: ImportedContacts;
  let records: ImportRecords;
  let contacts: Contacts;
  let ids = 0;

  beforeAll(async () => {
    table = await open();
    ({ database } = table);
    imports = openStores(database).importedContacts;
    records = openStores(database).importRecords;
    contacts = openStores(database).contacts;
  });
  afterAll(() => table.close());

  const aDataSource = async (next = 0) => {
    const id = `${ids++}`.padStart(16, '0');
    await seedEmptyDataSource(database, id, next);
    return id;
  };
  const run = (found: ContactImport, file: ImportRows, at = now) => writeAndCommit(imports, found, file, at);
  const anImport = async (dataSourceId: string) => {
    const importId = `import${ids++}`;
    const file = { objectKey: `imports/${dataSourceId}/${importId}`, fileName: 'a.csv', fileSize: 10 };
    await records.create({ importId, dataSourceId, ...file, createTime: now });
    return importId;
  };
  const begun = async (dataSourceId: string, importId: string, dead?: 'all') => {
    const owner = `runner${ids++}`;
    const claim = await records.begin(dataSourceId, importId, { owner, now, until: now + holdMs, dead });
    expect(claim.state).toBe('run');
    return claim.import;
  };
  const imported = async (dataSourceId: string, rows: ImportRow[]) => {
    const found = await begun(dataSourceId, await anImport(dataSourceId));
    return run(found, { rows, importCount: rows.length });
  };
  const listed = async (dataSourceId: string) => {
    const phones: string[] = [];
    for await (const chunk of contacts.scan(dataSourceId)) phones.push(...phonesOf(chunk));
    expect(await contacts.count(dataSourceId)).toBe(phones.length);
    return phones;
  };
  const pendingIds = async () => (await new Agenda(database).listed('import')).map(({ id }) => id);
  const openRanges = (dataSourceId: string) =>
    database.queryAll({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :open)',
      ExpressionAttributeValues: { ':pk': keys.dataSource(dataSourceId).pk, ':open': keys.openRangePrefix },
    });

  it('adds the rows in file order behind the contacts there are', async () => {
    const id = await aDataSource();
    await contacts.add(id, { phoneNumber: '555', fields: {} }, now);
    const { import: ended, rejected } = await imported(id, rowsOf(300));
    expect(ended).toMatchObject({ status: 'DONE', importCount: 300, successCount: 300, failCount: 0 });
    expect(rejected).toEqual([]);
    await contacts.add(id, { phoneNumber: '777', fields: {} }, now);
    expect(await listed(id)).toEqual(['555', ...phonesOf(rowsOf(300)), '777']);
    expect(await contacts.page(id, { offset: 299, limit: 3 })).toMatchObject({
      total: 302,
      rows: [
        { fields: { customerName: 'Customer 298' }, createTime: now },
        { phoneNumber: '1000299' },
        { phoneNumber: '777' },
      ],
    });
    expect(await contacts.fieldNames(id)).toEqual(['vip']);
    expect(await records.find(id, ended.importId)).toMatchObject({ status: 'DONE', successCount: 300 });
  });

  it.each([0, seqsPerPage - 128, seqsPerPage])(
    'leaves no gap behind its blocks, from number %d on',
    async (first) => {
      const id = await aDataSource(first);
      await imported(id, rowsOf(200));
      const next = await contacts.add(id, { phoneNumber: '777', fields: {} }, now);
      expect(next.seq).toBe(first + 256);
      expect(await listed(id)).toEqual([...phonesOf(rowsOf(200)), '777']);
    },
  );

  it('reports rows whose phone number exists and keeps the contact', async () => {
    const id = await aDataSource();
    await contacts.add(id, { phoneNumber: '1000001', fields: { customerName: 'first' } }, now);
    const { import: ended, rejected } = await imported(id, rowsOf(3));
    expect(rejected.map(({ row, code }) => [row, code])).toEqual([[3, 'DUPLICATE']]);
    expect(ended).toMatchObject({ successCount: 2, failCount: 1 });
    const again = await imported(id, rowsOf(3));
    expect(again.import).toMatchObject({ importCount: 3, successCount: 0, failCount: 3 });
    expect(await listed(id)).toEqual(['1000001', '1000000', '1000002']);
    expect((await contacts.page(id, { offset: 0, limit: 1 })).rows[0]?.fields).toEqual({
      customerName: 'first',
    });
  });

  it('imports a file without a valid row', async () => {
    const id = await aDataSource();
    const found = await begun(id, await anImport(id));
    const { import: ended } = await run(found, { rows: [], importCount: 4 });
    expect(ended).toMatchObject({ status: 'DONE', importCount: 4, successCount: 0, failCount: 4 });
    expect(await pendingIds()).not.toContain(found.importId);
  });

  it.each([128 * 800 - 200, 128 * 800 - 1, 128 * 800])(
    'goes on behind number %d into a new directory page',
    async (next) => {
      const id = await aDataSource(next);
      await imported(id, rowsOf(300));
      const firstPage = await database.get(keys.directoryPage(id, 0));
      expect(firstPage?.longest).toEqual({ bare: 7, plus: 0 });
      await contacts.add(id, { phoneNumber: '777', fields: {} }, now);
      expect(await listed(id)).toEqual([...phonesOf(rowsOf(300)), '777']);
    },
  );

  it('shows nothing before the commit, and dialing waits in front of it', async () => {
    const id = await aDataSource();
    const found = await begun(id, await anImport(id));
    const file = { rows: rowsOf(200), importCount: 200 };
    const written = await imports.writeRows(found, file, now);
    const { contacts: claimable, nextSeq } = await contacts.claimable(id, 0, 50);
    expect([claimable, nextSeq, await listed(id)]).toEqual([[], 0, []]);
    expect(await contacts.find(id, `${id}-0`)).toBeUndefined();
    for (const phoneNumber of ['1', '1000000'])
      expect(await contacts.page(id, { offset: 0, limit: 9, phoneNumber })).toEqual({ total: 0, rows: [] });
    await imports.commit(found, written, { importCount: 200, successCount: 200, failCount: 0 }, now);
    expect((await contacts.claimable(id, 0, 50)).contacts).toHaveLength(50);
    expect(await openRanges(id)).toEqual([]);
  });

  it('shows the contacts on both sides of an unfinished import, and none of its own', async () => {
    const id = await aDataSource();
    await contacts.add(id, { phoneNumber: '5551', fields: {} }, now);
    const found = await begun(id, await anImport(id));
    await imports.writeRows(found, { rows: rowsOf(100), importCount: 100 }, now);
    await contacts.add(id, { phoneNumber: '7771', fields: {} }, now);
    expect(await listed(id)).toEqual(['5551', '7771']);
    for (const phoneNumber of [undefined, '1']) {
      const { total, rows } = await contacts.page(id, { offset: 0, limit: 50, phoneNumber });
      expect([total, ...phonesOf(rows)]).toEqual([2, '5551', '7771']);
    }
  });

  it('ends the same after a crash before or after any call', async () => {
    // What a crash leaves is the same on every engine: on the second one every third call is enough.
    const step = sized(1, 3);
    let crashes = 0;
    for (let calls = 0; calls < 30; calls += step) {
      const id = await aDataSource();
      await contacts.add(id, { phoneNumber: '1000007', fields: {} }, now);
      const importId = await anImport(id);
      const file = { rows: rowsOf(60), importCount: 60 };
      const found = await begun(id, importId);
      const dialing = callsOf({ id: importId, dataSourceId: id });
      await new Agenda(database).add(dialing, now + holdMs);
      const { restore } = goneAfter(table.client, calls, crash);
      const hasEnded = await run(found, file).then(
        () => true,
        () => false,
      );
      restore();
      // A crash after the commit leaves nothing to do.
      const isDone = hasEnded || (await records.find(id, importId))?.status === 'DONE';
      if (isDone) expect((await new Agenda(database).find(dialing))?.due).toBe(now);
      await contacts.add(id, { phoneNumber: '777', fields: {} }, now);
      if (!isDone) {
        crashes++;
        expect(await pendingIds()).toContain(importId);
        expect((await listed(id)).toSorted()).toEqual(['1000007', '777']);
        const { rejected } = await run(await begun(id, importId, 'all'), file, now + 5);
        expect(phonesOf(rejected)).toEqual(['1000007']);
      }
      const later = { owner: 'later', now, until: now + holdMs, dead: 'all' as const };
      expect(await records.begin(id, importId, later)).toMatchObject({
        state: 'done',
        import: { successCount: 59, failCount: 1 },
      });
      expect((await listed(id)).toSorted()).toEqual([...phonesOf(rowsOf(60)), '777'].toSorted());
      expect([await pendingIds(), await openRanges(id)]).toEqual([
        expect.not.arrayContaining([importId]),
        [],
      ]);
      if (hasEnded) break;
    }
    expect(crashes).toBeGreaterThanOrEqual(Math.floor(10 / step));
  });

  it.each(['lost, and the SDK sends the same again', 'an error'])(
    'knows its own claims again when the answer after their effect is %s',
    async (how) => {
      const id = await aDataSource();
      await imported(id, rowsOf(10));
      let lost = 0;
      const told = new Set<string>();
      const { restore } = between(table.client, (send) => async (command) => {
        const text = JSON.stringify(command.input);
        if (!(command instanceof BatchExecuteStatementCommand) || told.has(text)) return send(command);
        lost++;
        await send(command);
        if (how !== 'an error') return { ...(await send(command)), $metadata: { attempts: 2 } };
        told.add(text);
        const Responses = command.input.Statements!.map(() => ({ Error: { Code: 'InternalServerError' } }));
        return { Responses, $metadata: { attempts: 1 } };
      });
      const { import: ended, rejected } = await imported(id, rowsOf(60)).finally(restore);
      expect(lost).toBe(3);
      expect(phonesOf(rejected)).toEqual(phonesOf(rowsOf(10)));
      expect(ended).toMatchObject({ successCount: 50, failCount: 10 });
      expect(await listed(id)).toEqual(phonesOf(rowsOf(60)));
    },
  );

  it('lets one of five runners run an import, and tells the others', async () => {
    const id = await aDataSource();
    const importId = await anImport(id);
    const claims = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        openStores(database).importRecords.begin(id, importId, { owner: `r${n}`, now, until: now + holdMs }),
      ),
    );
    expect(claims.map(({ state }) => state).toSorted()).toEqual(['busy', 'busy', 'busy', 'busy', 'run']);
    const mine = claims.find(({ state }) => state === 'run')!.import;
    await run(mine, { rows: rowsOf(10), importCount: 10 });
    const late = await records.begin(id, importId, {
      owner: 'late',
      now: now + 2 * holdMs,
      until: now + 3 * holdMs,
    });
    expect(late).toMatchObject({ state: 'done', import: { successCount: 10 } });
    expect(await listed(id)).toEqual(phonesOf(rowsOf(10)));
  });

  it('takes over when the lease ran out, and the old runner cannot commit', async () => {
    const id = await aDataSource();
    const importId = await anImport(id);
    const old = await begun(id, importId);
    const later = { owner: 'later', now: now + holdMs, until: now + 2 * holdMs };
    const taken = await records.begin(id, importId, later);
    expect(taken.state).toBe('run');
    const file = { rows: rowsOf(10), importCount: 10 };
    await expect(run(old, file)).rejects.toMatchObject({ code: 'conflict' });
    await run(taken.import, file);
    expect(await listed(id)).toEqual(phonesOf(rowsOf(10)));
  });

  it('is not committed by a runner whose rows another one has committed', async () => {
    const id = await aDataSource();
    const old = await begun(id, await anImport(id));
    const file = { rows: rowsOf(3), importCount: 3 };
    const written = await imports.writeRows(old, file, now);
    await run(await begun(id, old.importId, 'all'), file);
    const counts = { importCount: 3, successCount: 3, failCount: 0 };
    await expect(imports.commit(old, written, counts, now)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('takes no more rows than it has reserved for, which belong to the next import', async () => {
    const id = await aDataSource();
    const old = await begun(id, await anImport(id));
    await imports.writeRows(old, { rows: rowsOf(128), importCount: 128 }, now);
    const again = await begun(id, old.importId, 'all');
    const plan = await database.get(keys.importPlan(id, old.importId, 0));
    // Longer than the bucket keeps the file.
    expect(plan?.ttl).toBe(now / 1000 + 35 * 86_400);
    const more = imports.writeRows(again, { rows: rowsOf(129), importCount: 129 }, now);
    await expect(more).rejects.toThrow('the file of the import has changed');
  });

  it('shows no fewer rows than before, although a resumed import begins again', async () => {
    const id = await aDataSource();
    const found = await begun(id, await anImport(id));
    const counts = { importCount: 9, successCount: 5, failCount: 1, updateCount: 0 };
    await records.showProgress(found, counts);
    const resumed = await begun(id, found.importId, 'all');
    await records.showProgress(resumed, { ...counts, successCount: 2 });
    expect(await records.find(id, found.importId)).toMatchObject(counts);
  });

  it('fails an import that has written nothing, and no other', async () => {
    const id = await aDataSource();
    const importId = await anImport(id);
    await records.fail(id, importId, abandonmentOf('no phoneNumber title'), now + 1);
    expect(await records.find(id, importId)).toMatchObject({
      status: 'FAILED',
      message: 'no phoneNumber title',
    });
    expect(await pendingIds()).not.toContain(importId);
    const found = await begun(id, await anImport(id));
    await imports.writeRows(found, { rows: rowsOf(3), importCount: 3 }, now);
    await expect(records.fail(id, found.importId, abandonmentOf('x'), now)).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(records.fail(id, 'none', abandonmentOf('x'), now)).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  it('creates an import once, and only for a data source that exists', async () => {
    const id = await aDataSource();
    const importId = await anImport(id);
    await begun(id, importId);
    const again = { importId, dataSourceId: id, objectKey: 'k', fileName: 'b', fileSize: 1, createTime: 1 };
    expect(await records.create(again)).toMatchObject({ status: 'RUNNING', fileName: 'a.csv' });
    const missing = { code: 'notFound', message: 'data source does not exist' };
    await expect(records.create({ ...again, dataSourceId: 'none' })).rejects.toMatchObject(missing);
  });

  it('writes nothing when there are too many field names', async () => {
    const id = await aDataSource();
    const names = Array.from({ length: 999 }, (_, i) => `name${i}`);
    await database.put({ ...keys.fieldNames(id), names: new Set(names) });
    const rows = rowsOf(2).map((row) => ({ ...row, fields: { x: '1', y: '2' } }));
    await expect(imported(id, rows)).rejects.toMatchObject({ code: 'invalid' });
    expect((await imported(id, rowsOf(2))).import.successCount).toBe(2);
  });
});
