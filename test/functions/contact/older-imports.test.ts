import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { ImportObjects } from '../../../shared/imports/import-objects.ts';
import type { NewImport } from '../../../shared/imports/rules/contact-import.ts';
import { contactsCsv, listed, phoneAt, phones } from '../../support/files/contact-files.ts';
import { anImportOf, withSmallParts } from '../../support/files/large-files.ts';
import { useApi } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';

const api = useApi();
const count = 300;
const inFile = Array.from({ length: count }, (_, at) => phoneAt(at));
const rows = inFile.map((phoneNumber, at) => ({ line: at + 2, phoneNumber, fields: {} }));

/** The import, held by a runner that dies. */
const begun = async (dataSourceId: string, importId: string) => {
  const hold = { owner: 'dead', now: Date.now(), until: Date.now(), dead: 'all' as const };
  return (await openStores(api.database).importRecords.begin(dataSourceId, importId, hold)).import;
};

const goOn = async ({ importer }: Pick<Awaited<ReturnType<typeof anImportOf>>, 'importer'>) =>
  workOffAt(api.database, [importer.worker()], Date.now(), { takesOver: true });

describe('an import that 0.4 has begun', () => {
  it('ends with the file for which 0.4 has reserved its rows, whatever lies under its key now', async () => {
    const { id } = await api.aDataSource();
    const import_ = await anImportOf(api.database, id, await contactsCsv(2, 1000));
    const { importId, importer, objects } = import_;
    await objects.put(`uploads/${id}/${importId}`, await contactsCsv(count), 'application/octet-stream');
    const stores = openStores(api.database);
    await stores.importedContacts.writeRows(
      await begun(id, importId),
      { rows, importCount: count },
      Date.now(),
    );
    await goOn(import_);
    expect(await importer.find(id, importId)).toMatchObject({ status: 'DONE', successCount: count });
    expect(phones(await listed(api, id))).toEqual(inFile);
  });

  it('ends with the stored body of a batch of contacts', async () => {
    const { id } = await api.aDataSource();
    const import_ = await anImportOf(api.database, id, Buffer.alloc(0));
    const importId = 'batch00000000000';
    const objectKey = `uploads/${id}/${importId}`;
    const contacts = [{ phoneNumber: '123' }, { phoneNumber: 'none' }, { phoneNumber: '456' }];
    await import_.objects.put(objectKey, JSON.stringify({ contacts }), 'application/json');
    const known = { dataSourceId: id, importId, objectKey, fileName: 'batchAdd', fileSize: 9, createTime: 1 };
    const batch = { ...known, isBatch: true } as NewImport;
    await openStores(api.database).importRecords.create(batch);
    await goOn(import_);
    expect(await import_.importer.find(id, importId)).toMatchObject({
      ...{ status: 'DONE', successCount: 2, failCount: 1 },
      details: [{ row: 2, code: 'INVALID_PHONE' }],
    });
    expect(phones(await listed(api, id))).toEqual(['123', '456']);
  });

  it.each([0, 1])('ends when its last part is written (task in state %i)', async (state) => {
    withSmallParts(100);
    const { id } = await api.aDataSource();
    await api.aTaskIn(state, { dataSourceId: id });
    const import_ = await anImportOf(api.database, id, await contactsCsv(count));
    const { importId, importer, objects } = import_;
    let parts = 0;
    await importer.run(id, importId, { isTimeUp: () => ++parts > 2 });
    const { importedContacts } = openStores(api.database);
    const held = await begun(id, importId);
    const last = { rows: rows.slice(200), importCount: 100, firstBlock: 16 };
    const written = await importedContacts.writeRows(held, last, Date.now());
    const end = { rejected: [], cells: [], lives: written.lives, zones: { count: 0, values: [] } };
    await objects.put(`${held.cut!.folder}/000002.outcome.json`, JSON.stringify(end), 'application/json');
    const placed = { parts: 3, blocks: 24, successCount: count, failCount: 0, updateCount: 0 };
    await importedContacts.endPart(held, written, placed, Date.now(), Date.now());
    await goOn(import_);
    expect(await importer.find(id, importId)).toMatchObject({ status: 'DONE', successCount: count });
    expect(phones(await listed(api, id))).toEqual(inFile);
  });
});

it('gives back the rejected rows that 0.4 has stored', async () => {
  const { id } = await api.aDataSource();
  const { importId, importer, objects } = await anImportOf(api.database, id, Buffer.alloc(0));
  const stored = { titles: ['phoneNumber', 'importError'], rows: [['none', 'is wrong']] };
  await objects.put(`uploads/${id}/${importId}.rejected.json`, JSON.stringify(stored), 'application/json');
  const files = { objects: async () => objects, now: Date.now, formatTime: String };
  const { titles, batches } = (await new ImportObjects(files).getRejected(
    await importer.find(id, importId),
  ))!;
  const found: string[][] = [];
  for await (const batch of batches) found.push(...batch);
  expect({ titles, rows: found }).toEqual(stored);
});
