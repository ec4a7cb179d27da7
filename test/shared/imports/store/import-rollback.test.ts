import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../../shared/app/open-stores.ts';
import type { Contacts } from '../../../../shared/contacts/index.ts';
import {
  abandonmentOf,
  type ContactImport,
  type ImportOptions,
  type ImportRow,
} from '../../../../shared/imports/rules/contact-import.ts';
import { removeRows } from '../../../../shared/imports/store/import-blocks.ts';
import type { ImportRecords } from '../../../../shared/imports/store/import-records.ts';
import type { ImportedContacts } from '../../../../shared/imports/store/imported-contacts.ts';
import { type Database, keys } from '../../../../shared/platform/table/index.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { overtaken, type TableCall } from '../../../support/engines/overtaken.ts';
import { contactAndGuard, seedEmptyDataSource } from '../../../support/engines/seed-contacts.ts';
import { between, goneAfter } from '../../../support/service/crash-point.ts';

const now = 1_700_000_000_000;
const noRows = { importCount: 0, successCount: 0, failCount: 0, updateCount: 0 };
const rowsOf = (count: number): ImportRow[] =>
  Array.from({ length: count }, (_, i) => ({
    line: i + 2,
    phoneNumber: String(1_000_000 + i),
    fields: { customerName: `Customer ${i}` },
  }));
const crash = new Error('the process is gone');

describe.each(engines)('the rollback of an import on $name', ({ open, sized }) => {
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
  const rollBack = async ({ dataSourceId, importId }: ContactImport) => {
    const held = await begun(dataSourceId, importId);
    if (held.status !== 'RUNNING') return;
    await records.abandon(held, 'no more');
    await imports.rollBack(held);
    await imports.fail(held, abandonmentOf('no more'), noRows, now);
  };
  /** As `goneAfter`. The answer waits for the calls under way, as an import's hold does before another runner begins. */
  const dyingAfter = (calls: number) => {
    const underWay: Promise<unknown>[] = [];
    const noted = between(table.client, (send) => (command) => {
      const answer = send(command);
      underWay.push(answer);
      return answer;
    });
    const gone = goneAfter(table.client, calls, crash);
    return async () => {
      gone.restore();
      noted.restore();
      await Promise.allSettled(underWay);
    };
  };
  const leftOf = async (dataSourceId: string, rows: readonly ImportRow[]) => {
    const guards = await database.batchGet(
      rows.map(({ phoneNumber }) => keys.phone(dataSourceId, phoneNumber)),
    );
    const hidden = await database.batchGet(
      Array.from({ length: 400 }, (_, seq) => keys.contact(dataSourceId, seq)),
    );
    const blocks = await database.batchGet([0, 1, 2, 3].map((block) => keys.block(dataSourceId, block)));
    const phones = hidden.flatMap((item) => (item === undefined ? [] : [item.phone]));
    return {
      phones,
      guards: guards.filter((guard) => guard),
      blocks: blocks.filter((block) => block).length,
    };
  };

  it('leaves nothing of it, wherever the import broke off', async () => {
    const rows = rowsOf(200);
    for (let calls = 0; calls < 40; calls += sized(1, 4)) {
      const id = await aDataSource();
      await contacts.add(id, { phoneNumber: '1000007', fields: {} }, now);
      const held = await anImport(id);
      const settled = dyingAfter(calls);
      const isWritten = await imports.writeRows(held, { rows, importCount: 200 }, now).then(
        () => true,
        () => false,
      );
      await settled();
      await rollBack(held);
      const { phones, guards, blocks } = await leftOf(id, rows);
      expect([phones, guards.length, blocks]).toEqual([['1000007'], 1, 1]);
      if (isWritten) return;
    }
    throw new Error('the import was never written');
  });

  it('ends the same after a crash before any of its calls, and dialing goes on', async () => {
    const rows = rowsOf(60);
    let crashes = 0;
    for (let calls = 0; calls < 400; calls += sized(7, 23)) {
      const id = await aDataSource();
      await contacts.add(id, { phoneNumber: '1000007', fields: {} }, now);
      const held = await anImport(id);
      await imports.writeRows(held, { rows, importCount: 60 }, now);
      const behind = await contacts.add(id, { phoneNumber: '777', fields: {} }, now);
      const settled = dyingAfter(calls);
      const hasEnded = await rollBack(held).then(
        () => true,
        () => false,
      );
      await settled();
      if (!hasEnded) {
        crashes++;
        await rollBack(held);
      }
      expect(await records.find(id, held.importId)).toMatchObject({
        status: 'FAILED',
        message: 'no more',
        ...noRows,
      });
      const { contacts: claimable, nextSeq } = await contacts.claimable(id, 0, 500);
      expect(claimable.map(({ phoneNumber }) => phoneNumber)).toEqual(['1000007', '777']);
      expect(nextSeq).toBe(behind.seq + 1);
      // The numbers are free again, and the reserved sequence numbers are not given out twice.
      const again = await anImport(id);
      const written = await imports.writeRows(again, { rows, importCount: 60 }, now);
      expect(written.rejected.map(({ phoneNumber }) => phoneNumber)).toEqual(['1000007']);
      expect(written.reservation!.firstSeq).toBeGreaterThan(behind.seq);
      if (hasEnded) break;
    }
    expect(crashes).toBeGreaterThanOrEqual(sized(15, 4));
  });

  it('takes away no number that another contact has by now', async () => {
    const id = await aDataSource();
    const held = await anImport(id);
    await imports.writeRows(held, { rows: rowsOf(3), importCount: 3 }, now);
    await database.put({ ...keys.phone(id, '1000001'), seq: 900 });
    await rollBack(held);
    expect((await leftOf(id, rowsOf(3))).guards).toMatchObject([{ seq: 900 }]);
  });

  it('takes away no number that another contact gets at that moment', async () => {
    const id = await aDataSource();
    const held = await anImport(id);
    await imports.writeRows(held, { rows: rowsOf(1), importCount: 1 }, now);
    const guard = { ...keys.phone(id, '1000000'), seq: 900 };
    const isDelete = ({ name }: TableCall) => name === 'Delete';
    const slow = overtaken(table, isDelete, () => database.put(guard));
    await openStores(slow.database).importedContacts.rollBack(await begun(id, held.importId));
    expect((await leftOf(id, rowsOf(1))).guards).toEqual([guard]);
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
