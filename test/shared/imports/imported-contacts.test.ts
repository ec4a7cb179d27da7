import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { Contacts } from '../../../shared/contacts/contacts.ts';
import type { ImportRecords } from '../../../shared/imports/import-records.ts';
import type { ImportedContacts } from '../../../shared/imports/imported-contacts.ts';
import type { ContactImport, ImportRow, ImportRows } from '../../../shared/imports/rules/contact-import.ts';
import { rowsPerPlan } from '../../../shared/imports/run/import-phones.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys, seqsPerPage } from '../../../shared/platform/table/keys.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';
import { writeAndCommit } from '../../support/files/imports.ts';
import { between } from '../../support/service/crash-point.ts';

const now = 1_700_000_000_000;
const holdMs = 60_000;
const rowsOf = (count: number, first = 0): ImportRow[] =>
  Array.from({ length: count }, (_, i) => ({
    line: i + 2,
    phoneNumber: String(1_000_000 + first + i),
    fields: { customerName: `Customer ${first + i}`, vip: 'no' },
  }));
const phonesOf = (rows: readonly { phoneNumber: string }[]) => rows.map(({ phoneNumber }) => phoneNumber);

describe.each(engines)('imports on $name', ({ open }) => {
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
  const openRanges = (dataSourceId: string) =>
    database.queryAll({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :open)',
      ExpressionAttributeValues: { ':pk': keys.dataSource(dataSourceId).pk, ':open': keys.openRangePrefix },
    });

  it.each([0, seqsPerPage - 200, seqsPerPage - 128, seqsPerPage - 1, seqsPerPage])(
    'leaves no gap behind its blocks, from number %d on, also into a new directory page',
    async (next) => {
      const id = await aDataSource(next);
      await imported(id, rowsOf(300));
      const found = await contacts.add(id, { phoneNumber: '777', fields: {} }, now);
      expect(found.seq).toBe(Math.ceil(next / 128) * 128 + 384);
      expect((await database.get(keys.directoryPage(id, 0)))?.longest).toEqual({ bare: 7, plus: 0 });
      expect(await listed(id)).toEqual([...phonesOf(rowsOf(300)), '777']);
    },
  );

  it('shows nothing before the commit, and dialing waits in front of it', async () => {
    const id = await aDataSource();
    await contacts.add(id, { phoneNumber: '5551', fields: {} }, now);
    const found = await begun(id, await anImport(id));
    const file = { rows: rowsOf(200), importCount: 200 };
    const written = await imports.writeRows(found, file, now);
    await contacts.add(id, { phoneNumber: '7771', fields: {} }, now);
    const { contacts: visible, nextSeq } = await contacts.visibleFrom(id, 0, 50);
    expect([phonesOf(visible), nextSeq]).toEqual([['5551'], 128]);
    expect(await listed(id)).toEqual(['5551', '7771']);
    expect(await contacts.find(id, `${id}-3k`)).toBeUndefined();
    for (const phoneNumber of [undefined, '1']) {
      const { total, rows } = await contacts.page(id, { offset: 0, limit: 50, phoneNumber });
      expect([total, ...phonesOf(rows)]).toEqual([2, '5551', '7771']);
    }
    await imports.commit(found, written, { importCount: 200, successCount: 200, failCount: 0 }, now);
    expect((await contacts.visibleFrom(id, 0, 50)).contacts).toHaveLength(50);
    expect(await openRanges(id)).toEqual([]);
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

  it('shows as it goes how many rows it has added and rejected', async () => {
    const id = await aDataSource();
    await imported(id, rowsOf(10));
    const found = await begun(id, await anImport(id));
    await imports.writeRows(found, { rows: rowsOf(rowsPerPlan + 1), importCount: rowsPerPlan + 3 }, now);
    const counts = { importCount: rowsPerPlan + 3, successCount: rowsPerPlan - 10, failCount: 12 };
    expect(await records.find(id, found.importId)).toMatchObject(counts);
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
