import { describe, expect, it } from 'vitest';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { engines } from '../../support/engines/engines.ts';
import { sendFile } from '../../support/files/contact-files.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe.each(engines)('data sources on $name', (engine) => {
  const api = useApi({ engine });
  const detailOf = async (id: string) => succeeded(await api.get(`/api/dataSource/detail/${id}`));

  it('are added empty', async () => {
    const body = { dataSourceName: 'June', dataSourceDesc: 'from billing' };
    const added = succeeded(await api.post('/api/dataSource/add', body));
    expect(added).toEqual({ id: expect.any(String), ...body, contactCount: 0, createTime: timestamp });
    expect(await detailOf(added.id)).toEqual({ ...added, updateTime: null });
    expect((await api.aDataSource()).dataSourceDesc).toBe('');
  });

  it('change only in the fields an update supplies', async () => {
    const { id, createTime } = await api.aDataSource({ dataSourceName: 'old', dataSourceDesc: 'kept' });
    await api.aContact(id);
    const updated = succeeded(await api.post('/api/dataSource/update', { id, dataSourceName: 'new' }));
    const fields = { id, dataSourceName: 'new', dataSourceDesc: 'kept', contactCount: 1 };
    expect(updated).toEqual({ ...fields, updateTime: timestamp });
    succeeded(await api.post('/api/dataSource/update', { id, dataSourceDesc: '' }));
    expect(await detailOf(id)).toEqual({ ...fields, dataSourceDesc: '', createTime, updateTime: timestamp });
  });

  it('ignore unknown fields and fields that only the service sets', async () => {
    const { id } = await api.aDataSource();
    const whole = await detailOf(id);
    const body = { ...whole, contactCount: 5, createTime: 'never', colour: 'blue', constructor: { x: 1 } };
    succeeded(await api.post('/api/dataSource/update', body));
    expect(await detailOf(id)).toEqual({ ...whole, updateTime: timestamp });
  });

  describe('over time', () => {
    let clock = Date.now();
    const api = useApi({ engine, now: () => clock });

    it('were updated when contacts were last added, imported or deleted, or when they were themselves', async () => {
      const { id } = await api.aDataSource();
      const changes = [
        () => api.aContact(id),
        () => sendFile(api, id, 'phoneNumber\n5551\n5552\n'),
        async () => {
          const [contact] = succeeded(await api.get(`/api/dataSource/${id}/contacts`)).rows;
          return api.post(`/api/dataSource/${id}/contact/delete`, { contactId: contact?.id });
        },
        () => api.post('/api/dataSource/update', { id }),
        () => api.aContact(id),
      ];
      for (const change of changes) {
        clock += 60_000;
        await change();
        const { updateTime } = succeeded(await api.get(`/api/dataSource/detail/${id}`));
        expect(updateTime).toBe(timeIn('UTC')(clock));
        expect(succeeded(await api.get('/api/dataSource/list')).rows[0]).toMatchObject({ id, updateTime });
      }
    });
  });

  it('count their contacts exactly in list, detail and update', async () => {
    const { id } = await api.aDataSource({ dataSourceName: 'counted' });
    const first = await api.aContact(id);
    await api.aContact(id);
    await api.aContact(id);
    succeeded(await api.post(`/api/dataSource/${id}/contact/delete`, { contactId: first.id }));
    expect((await detailOf(id)).contactCount).toBe(2);
    const { rows } = succeeded(await api.get('/api/dataSource/list', { dataSourceName: 'counted' }));
    expect(rows).toMatchObject([{ id, contactCount: 2 }]);
    expect(succeeded(await api.post('/api/dataSource/update', { id })).contactCount).toBe(2);
  });

  it('are 404 when unknown, on every endpoint that names one', async () => {
    const unknown = '0'.repeat(16);
    const contact = `/api/dataSource/${unknown}/contact`;
    for (const answer of [
      api.get(`/api/dataSource/detail/${unknown}`),
      api.post('/api/dataSource/update', { id: unknown, dataSourceName: 'x' }),
      api.get(`/api/dataSource/${unknown}/contacts`),
      api.get(`/api/dataSource/${unknown}/contacts`, { phoneNumber: 'none' }),
      api.post(`${contact}/add`, { phoneNumber: '123' }),
      api.post(`${contact}/update`, { contactId: `${unknown}-0` }),
      api.post(`${contact}/delete`, { contactId: 'x' }),
    ]) {
      expectError(await answer, 404, /data source does not exist/);
    }
  });
});
