import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { succeeded, useApi } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';
import { until } from '../../support/service/object-store.ts';

describe('imports that need attention', () => {
  const clock = new TestClock();
  const api = useApi({ now: clock.now });
  const rowsOf = async () =>
    succeeded(await api.get('/api/task/board', { imports: 'true' })).imports as object[];
  const anUpload = async (id: string, fileName: string, dryRun = false) =>
    succeeded(
      await api.post(`/api/dataSource/${id}/contact/importUpload`, { fileName, fileSize: 8, dryRun }),
    ) as unknown as Record<'importId' | 'uploadUrl', string>;
  const pathOf = (id: string, importId: string) => `/api/dataSource/${id}/contact/import/${importId}`;

  it('are those that failed within a day, except cancelled ones and dry runs, while their data source exists', async () => {
    const { id, dataSourceName } = await api.aDataSource();
    const dataSourceId = String(id);
    const { importId, uploadUrl } = await anUpload(dataSourceId, 'june.csv');
    const cancelled = await anUpload(dataSourceId, 'cancelled.csv');
    succeeded(await api.post(`${pathOf(dataSourceId, cancelled.importId)}/cancel`, {}));
    const dry = await anUpload(dataSourceId, 'dry.csv', true);
    for (const url of [dry.uploadUrl, uploadUrl]) await fetch(url, { method: 'PUT', body: 'name\nAnn' });
    // More than are read of a day, each gone with its data source. The newest failures are read.
    const ttl = clock.time / 1000 + 86_400;
    const gone = Array.from({ length: 100 }, (_, at) => ({
      importId: `gone${at}`,
      dataSourceId: 'gone',
      ttl,
    }));
    await api.database.putAll(
      gone.map((known) => ({ ...keys.failedImport(clock.time - 1, known.importId), ...known })),
    );
    await until(async () => (await rowsOf()).length === 1);
    expect(await api.database.get(keys.failedImport(clock.time, importId))).toMatchObject({
      ttl,
    });
    const failed = {
      ...{ importId, fileName: 'june.csv', dataSourceId, dataSourceName, status: 'FAILED' },
      ...{ reasonCode: 'NO_PHONE_COLUMN', message: expect.stringContaining('name') },
      since: '2026-05-04 10:00:00',
    };
    expect(await rowsOf()).toEqual([failed]);
    const status = succeeded(await api.get(pathOf(dataSourceId, importId)));
    expect(status).toMatchObject({ status: 'FAILED', reasonCode: 'NO_PHONE_COLUMN' });
    expect(succeeded(await api.get('/api/task/board')).imports).toEqual([]);
    clock.advance(86_400);
    expect(await rowsOf()).toEqual([]);
    clock.advance(-3600);
    expect(await rowsOf()).toEqual([failed]);
    succeeded(await api.post('/api/dataSource/delete', { id }));
    expect(await rowsOf()).toEqual([]);
  });

  it('are those whose file has not arrived within an hour, or that are begun again and again', async () => {
    const { id } = await api.aDataSource();
    const { importId } = await anUpload(String(id), 'july.csv');
    const agenda = openStores(api.database).agenda;
    const look = {
      kind: 'import',
      claimMs: 360_000,
      work: async () => ({ next: clock.time + 300_000 }),
    } as const;
    clock.advance(3600);
    await workOffAt(api.database, [look], clock.time);
    expect(await rowsOf()).toEqual([]);
    const running = async () =>
      succeeded(await api.get('/api/task/board', { imports: 'true' })).runningImports;
    expect(await running()).toMatchObject([{ importId, status: 'WAITING' }]);
    clock.advance(1);
    expect(await running()).toEqual([]);
    const late = { importId, status: 'WAITING', since: '2026-05-05 09:00:00' };
    expect(await rowsOf()).toMatchObject([{ ...late, reasonCode: 'NOT_ARRIVED' }]);
    // From when it is due on, every look breaks off.
    clock.advance(300);
    for (let looks = 0; looks < 3; looks++) {
      const [found] = await agenda.listed('import');
      await agenda.claim(found!, clock.time + 360_000);
      clock.advance(361);
    }
    expect(await rowsOf()).toMatchObject([
      { importId, reasonCode: 'NOT_FINISHED', since: '2026-05-05 10:05:00' },
    ]);
  });

  it('are listed newest first, each with the name of its data source', async () => {
    const { id, dataSourceName } = await api.aDataSource();
    const names = async () =>
      ((await rowsOf()) as { fileName: string; dataSourceName: string }[])
        .map((row) => [row.fileName, row.dataSourceName])
        .filter(([fileName]) => fileName !== 'july.csv');
    const { uploadUrl } = await anUpload('do-not-call', 'august.csv');
    await fetch(uploadUrl, { method: 'PUT', body: 'name\nAnn' });
    const failed = ['august.csv', 'Do not call'];
    await until(async () => (await names()).length === 1);
    expect(await names()).toEqual([failed]);
    await anUpload(String(id), 'september.csv');
    clock.advance(3600);
    expect(await names()).toEqual([['september.csv', dataSourceName], failed]);
  });
});
