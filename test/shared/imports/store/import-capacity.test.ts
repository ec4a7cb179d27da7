import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../../shared/app/runtime/imports.ts';
import type { Contacts } from '../../../../shared/contacts/index.ts';
import type { ImportRow } from '../../../../shared/imports/rules/contact-import.ts';
import type { ImportRecords } from '../../../../shared/imports/store/import-records.ts';
import type { ImportedContacts } from '../../../../shared/imports/store/imported-contacts.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { meter } from '../../../support/engines/meter.ts';
import { seedEmptyDataSource } from '../../../support/engines/seed-contacts.ts';
import { writeAndCommit } from '../../../support/files/imports.ts';

const count = 10_000;
const now = 1_700_000_000_000;
const rows: ImportRow[] = Array.from({ length: count }, (_, i) => ({
  line: i + 2,
  phoneNumber: `+86138${String(i).padStart(8, '0')}`,
  fields: { customerName: `Customer ${i}`, address: `${i} Long Road, Springfield`, orderAmount: '12.50' },
}));

describe('an import of 10,000 rows', () => {
  let table: OpenTable;
  let imports: ImportedContacts;
  let records: ImportRecords;
  let contacts: Contacts;
  let measure: ReturnType<typeof meter>['measure'];
  beforeAll(async () => {
    table = await engines[0]!.open();
    imports = openStores(table.database).importedContacts;
    records = openStores(table.database).importRecords;
    contacts = openStores(table.database).contacts;
    ({ measure } = meter(table.client));
  });
  afterAll(() => table.close());

  const imported = async (dataSourceId: string, importId: string, some = rows) => {
    const file = { objectKey: importId, fileName: 'a.csv', fileSize: 1 };
    await records.create({ importId, dataSourceId, ...file, createTime: now });
    const lease = { owner: importId, now, until: now + 60_000 };
    const claim = await records.begin(dataSourceId, importId, lease);
    return writeAndCommit(imports, claim.import, { rows: some, importCount: some.length }, now);
  };

  it('costs 2.1 write units and 0.09 calls a row, and 1.1 and next to no read units when done again', async () => {
    const id = '1'.padStart(16, '0');
    await seedEmptyDataSource(table.database, id);
    const first = await measure(() => imported(id, 'first'));
    expect(first.wcu / count).toBeLessThanOrEqual(2.1);
    expect(first.calls / count).toBeLessThanOrEqual(0.09);
    expect(first.rcu / count).toBeLessThanOrEqual(0.01);
    const again = await measure(() => imported(id, 'again'));
    expect(again.wcu / count).toBeLessThanOrEqual(1.1);
    expect(again.rcu / count).toBeLessThanOrEqual(0.01);
    expect(await contacts.count(id)).toBe(count);
  });

  it('gives each phone number to one of two that run at once', async () => {
    const id = '2'.padStart(16, '0');
    await seedEmptyDataSource(table.database, id);
    const some = rows.slice(0, 2000);
    const both = await Promise.all([imported(id, 'one', some), imported(id, 'two', some)]);
    expect(both[0].import.successCount + both[1].import.successCount).toBe(some.length);
    const phones = new Set<string>();
    for await (const chunk of contacts.scan(id)) for (const each of chunk) phones.add(each.phoneNumber);
    expect([await contacts.count(id), phones.size]).toEqual([some.length, some.length]);
  });
});
