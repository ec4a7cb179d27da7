import { describe, expect, it } from 'vitest';
import { withFiles } from '../../../shared/app/runtime/files.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { checkContactFile } from '../../../shared/imports/checked-rows.ts';
import { importWork } from '../../../shared/imports/import-records.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { overtaken, type TableCall, watchedBy } from '../../support/engines/overtaken.ts';
import { contactsCsv } from '../../support/files/contact-files.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';
import { anObjectStore } from '../../support/service/object-store.ts';
import { quietSeconds, sweepRemovals, watched } from '../../support/service/removal.ts';

const importId = '0'.repeat(16);
/** Three runs of rows, each with a plan of its own. */
const rowCount = 2_100;

describe('an import into a data source that is deleted meanwhile', () => {
  const table = watched(engines[0]!);
  const clock = new TestClock();
  const api = useApi({ engine: table, now: clock.now });

  /** The data source is deleted just before the n-th plan of the import is written. */
  const interrupted = async (nth: number) => {
    const { id } = await api.aDataSource();
    const { objects } = anObjectStore();
    let plans = 0;
    const isPlan = ({ written }: TableCall) =>
      written.some(({ pk }) => pk.includes('#PLAN#')) && ++plans === nth;
    const { database } = overtaken(table.table, isPlan, async () =>
      succeeded(await api.post('/api/dataSource/delete', { id })),
    );
    const stores = createRuntime({ ...serviceSettings({}), now: clock.now }, database);
    const { importer } = withFiles(stores, { database, objects: async () => objects });
    const file = await contactsCsv(rowCount);
    return { id, importer, objects, file };
  };
  const expectNothingLeft = async (
    id: string,
    objects: Awaited<ReturnType<typeof anObjectStore>>['objects'],
  ) => {
    expectError(await api.get(`/api/dataSource/${id}/contact/import/${importId}`), 404, /does not exist/);
    clock.advance(quietSeconds);
    await sweepRemovals(table.table, clock.now, { objects });
    const items = await table.items();
    expect(items.filter(({ pk }) => pk.startsWith(`DS#${id}`)).map(({ sk }) => sk)).toEqual(['GONE']);
    expect(items.filter(({ pk }) => pk === 'IMPORTS' || pk === 'REMOVALS')).toEqual([]);
    const stored = [];
    for await (const { key } of objects.list('')) stored.push(key);
    expect(stored).toEqual([]);
  };

  it.each([1, 2, 3])('from the bucket ends, and leaves nothing (plan %i)', async (nth) => {
    const { id, importer, objects, file } = await interrupted(nth);
    const objectKey = `imports/${id}/${importId}/x.csv`;
    const size = { fileName: 'x.csv', fileSize: file.length };
    const { id: other } = await api.aDataSource();
    const waiting = `${nth}`.repeat(16);
    await importer.register({ dataSourceId: other, importId: waiting, objectKey: 'imports/other', ...size });
    await importer.register({ dataSourceId: id, importId, objectKey, ...size });
    await objects.put(objectKey, file, 'text/csv');
    await importer.run(id, importId);
    await workOffAt(table.table.database, [importer.worker()], clock.now());
    await expectNothingLeft(id, objects);
    expect(await new Agenda(table.table.database).find(importWork(waiting))).toBeDefined();
  });

  it('whose process died when it had claimed its numbers leaves nothing', async () => {
    const { id } = await api.aDataSource();
    const { objects } = anObjectStore();
    const database = watchedBy(table.table, ({ written }) => {
      if (written.some(({ pk }) => pk.includes('#C#'))) throw new Error('the process ended');
    });
    const stores = createRuntime({ ...serviceSettings({}), now: clock.now }, database);
    const { importer } = withFiles(stores, { database, objects: async () => objects });
    const objectKey = `imports/${id}/${importId}/x.csv`;
    const file = await contactsCsv(30);
    const size = { fileName: 'x.csv', fileSize: file.length };
    await importer.register({ dataSourceId: id, importId, objectKey, ...size });
    await objects.put(objectKey, file, 'text/csv');
    await expect(importer.run(id, importId)).rejects.toThrow('ended');
    succeeded(await api.post('/api/dataSource/delete', { id }));
    expect(await new Agenda(database).find(importWork(importId)), 'it ends at once').toBeUndefined();
    await expectNothingLeft(id, objects);
  });

  it.each([1, 3])('that comes with a request is answered with 404 (plan %i)', async (nth) => {
    const { id, importer, objects, file } = await interrupted(nth);
    const rows = await checkContactFile(Buffer.from(file), {}, (phone) => phone);
    const sent = { dataSourceId: id, importId, fileName: 'x.csv', fileSize: file.length };
    const importing = importer.importNow(sent, rows);
    await expect(importing).rejects.toMatchObject({ word: 'DATA_SOURCE_NOT_FOUND' });
    await expectNothingLeft(id, objects);
  });
});
