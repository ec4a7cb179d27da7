import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { imported, listed, phones } from '../../support/files/contact-files.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const list = 'do-not-call';
const contacts = `/api/dataSource/${list}/contacts`;

describe.each(engines)('the do-not-call list on $name', (engine) => {
  const api = useApi({ engine });

  it('is there from the start, empty, and not in the list of data sources', async () => {
    expect(succeeded(await api.get(`/api/dataSource/detail/${list}`))).toMatchObject({
      id: list,
      contactCount: 0,
    });
    expect(succeeded(await api.get(contacts))).toEqual({ total: 0, rows: [] });
    expect(succeeded(await api.get('/api/dataSource/list'))).toEqual({ total: 0, rows: [] });
    const unknown = { contactId: `${list}-0` };
    expectError(
      await api.post(`/api/dataSource/${list}/contact/delete`, unknown),
      404,
      /contact does not exist/,
    );
  });

  it('holds contacts like any other data source', async () => {
    const first = await api.aContact(list, { phoneNumber: '+491' + '23' });
    expect(first).toMatchObject({ id: `${list}-0`, dataSourceId: list });
    const again = { phoneNumber: '+49123' };
    expectError(await api.post(`/api/dataSource/${list}/contact/add`, again), 409, /exists/);
    const file = 'phoneNumber,why\n+49124,asked\n+49123,twice\n';
    expect(await imported(api, list, file)).toMatchObject({ importCount: 2, successCount: 1 });
    const update = { contactId: first.id, phoneNumber: '+49125' };
    succeeded(await api.post(`/api/dataSource/${list}/contact/update`, update));
    expect(phones(await listed(api, list))).toEqual(['+49125', '+49124']);
    succeeded(await api.post(`/api/dataSource/${list}/contact/delete`, { contactId: first.id }));
    expect(succeeded(await api.get(`/api/dataSource/detail/${list}`)).contactCount).toBe(1);
    const exported = await api.file(`/api/dataSource/${list}/contact/batchExport`, { format: 'csv' });
    expect(await exported.text()).toContain('+49124');
    expect(succeeded(await api.get('/api/dataSource/list')).total).toBe(0);
  });

  it('takes its first contacts from a file, too', async () => {
    const upload = { fileName: 'numbers.csv', fileSize: 10 };
    const { importId } = succeeded(await api.post(`/api/dataSource/${list}/contact/importUpload`, upload));
    const status = await api.get(`/api/dataSource/${list}/contact/import/${importId}`);
    expect(succeeded(status).status).toBe('WAITING');
  });

  it('keeps a task from calling a number that an entry has got, however much longer it is', async () => {
    const { id } = await api.aContact(list, { phoneNumber: '123' });
    const phoneNumber = '013800138000999';
    const source = await api.aDataSource();
    await api.aContact(source.id, { phoneNumber });
    const task = await api.aTaskIn(1, { dataSourceId: source.id });
    succeeded(await api.post(`/api/dataSource/${list}/contact/update`, { contactId: id, phoneNumber }));
    expect(succeeded(await api.post('/api/dialer/lease', { taskId: task.id })).calls).toEqual([]);
    expect(succeeded(await api.get(`/api/task/${task.id}/overview`)).contacts).toMatchObject({ blocked: 1 });
  });

  it('keeps its name to itself', async () => {
    const { dataSourceName } = succeeded(await api.get(`/api/dataSource/detail/${list}`));
    expectError(await api.post('/api/dataSource/add', { dataSourceName }), 409, /already exists/);
    const { id } = await api.aDataSource();
    expectError(await api.post('/api/dataSource/update', { id, dataSourceName }), 409, /already exists/);
  });

  it('cannot be changed, nor dialed by a task', async () => {
    const update = { id: list, dataSourceName: 'Please call' };
    expectError(await api.post('/api/dataSource/update', update), 405, /do-not-call cannot be changed/);
    const task = { taskName: 'x', dataSourceId: list };
    expectError(await api.post('/api/task/add', task), 400, /^dataSourceId: /);
    await api.aTask({ excludedDataSourceIds: [list] });
  });
});
