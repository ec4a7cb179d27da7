import { describe, expect, it } from 'vitest';
import { phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { sendFile } from '../../support/files/contact-files.ts';
import { expectError, succeeded } from '../../support/service/api.ts';
import { quietSeconds, sweepRemovals, watched } from '../../support/service/removal.ts';

describe.each(engines)('deleting a data source on $name', (engine) => {
  const table = watched(engine);
  const { clock, api, dialing } = useDialing({ engine: table });
  const remove = (id: unknown) => api.post('/api/dataSource/delete', { id });
  const gone = /^data source does not exist$/;

  it('is refused while tasks that are not CLOSED call it or exclude its numbers, and names them', async () => {
    const { id } = await api.aDataSource();
    const calling = await api.aTaskIn(2, { dataSourceId: id });
    const excluding = await api.aTaskIn(4, { excludedDataSourceIds: ['do-not-call', id] });
    await api.aTaskIn(6, { dataSourceId: id });
    const refused = await remove(id);
    expectError(refused, 405, new RegExp(`: ${excluding.taskName}, ${calling.taskName}$`));
    expect(refused.headers.get('x-error-code')).toBe('DATA_SOURCE_IN_USE');
    expect(refused.body.data).toBeNull();
    expect(refused.headers.get('x-task-ids')).toBe(`${excluding.id},${calling.id}`);
    expect(refused.headers.get('x-task-count')).toBe('2');
    succeeded(await dialing.operate('stop', calling.id));
    succeeded(await dialing.operate('close', calling.id));
    expectError(await remove(id), 405, new RegExp(`: ${excluding.taskName}$`));
    succeeded(await dialing.operate('close', excluding.id));
    expect((await remove(id)).body).toEqual({ code: 0, message: 'success', data: null });
  });

  it('names the newest 20 tasks in its refusal and says how many there are, also in a repeat', async () => {
    const { id } = await api.aDataSource();
    const ids: string[] = [];
    while (ids.length < 21) ids.unshift(String((await api.aTask({ dataSourceId: id })).id));
    const headers = { 'idempotency-key': 'delete-in-use' };
    for (const replayed of [null, 'true']) {
      const path = '/api/dataSource/delete';
      const refused = await api.send({ method: 'POST', path, headers, body: JSON.stringify({ id }) });
      expectError(refused, 405, / and 1 more$/);
      expect(refused.headers.get('idempotent-replayed')).toBe(replayed);
      expect(refused.headers.get('x-task-ids')?.split(',')).toEqual(ids.slice(0, 20));
      expect(refused.headers.get('x-task-count')).toBe('21');
    }
  });

  it('is refused for do-not-call, and for what does not exist', async () => {
    const refused = await remove('do-not-call');
    expectError(refused, 405, /do-not-call cannot be deleted/);
    expect(refused.headers.get('x-error-code')).toBe('DATA_SOURCE_FIXED');
    expect(refused.headers.get('x-task-ids')).toBeNull();
    expectError(await remove('nothing'), 404, gone);
  });

  it('frees its name, and the data source is found nowhere', async () => {
    const { id, dataSourceName } = await api.aDataSource();
    const contact = await api.aContact(id);
    const file = await sendFile(api, id, 'phoneNumber\n13800138000\n');
    const importId = String(file.headers.get('x-import-id'));
    const { id: taskId } = await api.aTask();
    const before = succeeded(await api.get('/api/dataSource/list', { pageSize: 500 }));
    succeeded(await remove(id));
    const after = succeeded(await api.get('/api/dataSource/list', { pageSize: 500 }));
    expect(after).toEqual({ total: before.total - 1, rows: before.rows.filter((row) => row.id !== id) });
    const at = `/api/dataSource/${id}/contact`;
    const reads = [`${at}s`, `${at}s?phoneNumber=138`, `${at}s?phoneNumber=13800138000`, `${at}/imports`];
    for (const path of [...reads, `/api/dataSource/detail/${id}`, `${at}/batchExport`])
      expectError(await api.get(path), 404, gone);
    expectError(await api.get(`${at}/import/${importId}`), 404, /^import does not exist$/);
    expectError(await api.get(`${at}/import/${importId}/rejected`), 404, /^import does not exist$/);
    expectError(await api.post('/api/dataSource/update', { id, dataSourceName: 'x' }), 404, gone);
    expectError(await remove(id), 404, gone);
    expectError(await api.post(`${at}/add`, { phoneNumber: '123' }), 404, gone);
    expectError(await api.post(`${at}/update`, { contactId: contact.id, customerName: 'x' }), 404, gone);
    expectError(await api.post(`${at}/update`, { contactId: contact.id, phoneNumber: '1234' }), 404, gone);
    expectError(await api.post(`${at}/delete`, { contactId: contact.id }), 404, gone);
    expectError(await api.post(`${at}/importUpload`, { fileName: 'x.csv', fileSize: 3 }), 404, gone);
    expect((await sendFile(api, id, 'phoneNumber\n123\n')).status).toBe(404);
    const taskName = 'on what is gone';
    expectError(await api.post('/api/task/add', { taskName, dataSourceId: id }), 400, /dataSourceId/);
    const excluding = { id: taskId, excludedDataSourceIds: [id] };
    expectError(await api.post('/api/task/update', excluding), 400, /excludedDataSourceIds/);
    await api.aDataSource({ dataSourceName });
  });

  it('leaves the figures of its CLOSED tasks as they were; its contacts are not listed any more', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(4, { maxDialCount: 1 });
    const [one, other] = await dialing.lease({ taskId: id, limit: 2 });
    await dialing.report(one!.callId, 'success', 7);
    await dialing.report(other!.callId, 'failed');
    succeeded(await dialing.operate('stop', id));
    succeeded(await dialing.operate('close', id));
    const figures = async () => ({
      detail: succeeded(await api.get(`/api/task/detail/${id}`)),
      stat: succeeded(await api.get(`/api/task/${id}/stat`)),
      overview: succeeded(await api.get(`/api/task/${id}/overview`)),
      overviews: succeeded(await api.get('/api/task/overviews', { ids: `${id},${id}` })),
      timeline: succeeded(await api.get(`/api/task/${id}/timeline`)),
      history: succeeded(await api.get(`/api/task/${id}/history`)),
      listed: succeeded(await api.get('/api/task/list')).rows.find((row) => row.id === id),
    });
    const before = await figures();
    succeeded(await remove(dataSourceId));
    const expectFigures = async () => {
      expect(await figures()).toEqual(before);
      for (const outcome of ['all', 'success', 'failed', 'notDialed', 'waiting', 'inCall']) {
        const page = succeeded(await api.get(`/api/task/${id}/contacts`, { outcome }));
        expect(page).toEqual({ total: 0, rows: [], nextPageToken: null });
      }
      expect(succeeded(await api.get(`/api/task/${id}/contacts`, { phoneNumber: phoneOf(0) })).total).toBe(0);
      expect(await dialing.exported(id)).toEqual(new Map());
    };
    await expectFigures();
    clock.advance(quietSeconds);
    await sweepRemovals(table.table, clock.now);
    await expectFigures();
    expect(before.overview.dataSourceName).toMatch(/^data source/);
    succeeded(await api.post('/api/task/delete', { id }));
    clock.advance(quietSeconds);
    await sweepRemovals(table.table, clock.now);
    const left = (await table.items()).filter(({ pk, sk }) => `${pk} ${sk}`.includes(id));
    // The calls stay in the days of the service.
    expect(left.map(({ pk, sk }) => `${pk} ${sk}`).sort()).toEqual([
      expect.stringMatching(/^DAY#\d+ /),
      expect.stringMatching(/#TIMELINE D#\d+$/),
    ]);
  });

  it('removes its contacts, guards, blocks, imports and all else in the background', async () => {
    const { id } = await dialing.aFilledDataSource(300);
    const other = await dialing.aFilledDataSource(3);
    const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contacts`, { pageSize: 5 }));
    const at = `/api/dataSource/${id}/contact`;
    succeeded(await api.post(`${at}/delete`, { contactId: rows[0]?.id }));
    succeeded(await api.post(`${at}/update`, { contactId: rows[1]?.id, phoneNumber: '110' }));
    await api.aContact(id, { plan: 'gold' });
    const isOf = ({ pk }: { pk: string }) => pk.startsWith(`DS#${id}`);
    expect((await table.items()).filter(isOf).length).toBeGreaterThan(600);
    succeeded(await remove(id));
    await sweepRemovals(table.table, clock.now);
    expect((await table.items()).filter(isOf).length, 'writers may still be at work').toBeGreaterThan(600);
    clock.advance(quietSeconds);
    await sweepRemovals(table.table, clock.now);
    const left = (await table.items()).filter(isOf);
    expect(left).toEqual([expect.objectContaining({ sk: 'GONE', end: 385 })]);
    expect(await dialing.contacts(other.id)).toHaveLength(3);
    expect((await table.items()).filter(({ pk }) => pk === 'REMOVALS')).toEqual([]);
  });
});
