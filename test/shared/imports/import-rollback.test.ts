import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { Contacts } from '../../../shared/contacts/contacts.ts';
import { removeRows } from '../../../shared/imports/import-blocks.ts';
import type { ImportRecords } from '../../../shared/imports/import-records.ts';
import type { ImportedContacts } from '../../../shared/imports/imported-contacts.ts';
import type {
  ContactImport,
  ImportOptions,
  ImportRow,
} from '../../../shared/imports/rules/contact-import.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { overtaken, type TableCall } from '../../support/engines/overtaken.ts';
import { contactAndGuard, seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';

const now = 1_700_000_000_000;
const rowsOf = (count: number): ImportRow[] =>
  Array.from({ length: count }, (_, i) => ({
    line: i + 2,
    phoneNumber: String(1_000_000 + i),
    fields: { customerName: `Customer ${i}` },
  }));

describe.each(engines)('the rollback of an import on $name', ({ open }) => {
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

  const aDataSource = async () => {
    const id = `${ids++}`.padStart(16, '0');
    await seedEmptyDataSource(database, id, 0);
    return id;
  };
  const begun = async (dataSourceId: string, importId: string): Promise<ContactImport> => {
    const hold = { owner: `runner${ids++}`, now, until: now + 60_000, dead: 'all' as const };
    return (await records.begin(dataSourceId, importId, hold)).import;
  };
  const anImport = async (dataSourceId: string, options: ImportOptions = {}) => {
    const importId = `import${ids++}`;
    const file = { objectKey: `imports/${dataSourceId}/${importId}`, fileName: 'a.csv', fileSize: 10 };
    await records.create({ importId, dataSourceId, ...file, options, createTime: now });
    return begun(dataSourceId, importId);
  };
  it('takes away no number that another contact gets at that moment', async () => {
    const id = await aDataSource();
    const held = await anImport(id);
    await imports.writeRows(held, { rows: rowsOf(1), importCount: 1 }, now);
    const guard = { ...keys.phone(id, '1000000'), seq: 900 };
    const isDelete = ({ name }: TableCall) => name === 'Delete';
    const slow = overtaken(table, isDelete, () => database.put(guard));
    await openStores(slow.database).importedContacts.rollBack(await begun(id, held.importId));
    expect(await database.get(keys.phone(id, '1000000'))).toEqual(guard);
  });

  it('leaves nothing at the end of a wide range', async () => {
    const id = await aDataSource();
    const held = await anImport(id);
    const wide = { firstSeq: 0, blocks: 130, time: now };
    const [contact, guard] = contactAndGuard(id, 129 * 128 + 5);
    await database.putAll([contact, { ...guard, importId: held.importId }]);
    await removeRows(database, held, wide);
    const left = [contact, guard].map(({ pk, sk }) => ({ pk, sk }));
    expect(await database.batchGet(left)).toEqual([undefined, undefined]);
  });

  it('names the contacts that the import has updated', async () => {
    const id = await aDataSource();
    await contacts.add(id, { phoneNumber: '1000001', fields: {} }, now);
    await contacts.add(id, { phoneNumber: '555', fields: {} }, now);
    const held = await anImport(id, { onDuplicate: 'update' });
    await imports.writeRows(held, { rows: rowsOf(3), importCount: 3 }, now);
    const again = await begun(id, held.importId);
    await records.abandon(again, 'no more');
    expect(await imports.rollBack(again)).toEqual(['1000001']);
    expect(await imports.rollBack(again)).toEqual(['1000001']);
    const { rows } = await contacts.page(id, { offset: 0, limit: 9 });
    expect(rows.map(({ phoneNumber, fields }) => [phoneNumber, fields.customerName])).toEqual([
      ['1000001', 'Customer 1'],
      ['555', undefined],
    ]);
  });

  it('lets no runner show rows of an abandoned import', async () => {
    const id = await aDataSource();
    const held = await anImport(id);
    const written = await imports.writeRows(held, { rows: rowsOf(3), importCount: 3 }, now);
    await records.cancel(id, held.importId, 'no more');
    const counts = { importCount: 3, successCount: 3, failCount: 0 };
    await expect(imports.commit(held, written, counts, now)).rejects.toMatchObject({ code: 'conflict' });
    expect(await contacts.count(id)).toBe(0);
  });
});
