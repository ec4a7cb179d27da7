import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { exampleOf } from '../../../shared/platform/api/schemas.ts';
import { engines } from '../../support/engines/engines.ts';
import { accessToken, expectError, useApi } from '../../support/service/api.ts';

/** Nothing of this can be an id; most would be trouble as a key, a path or a property. */
const malformed = [
  ...['x', '0'.repeat(15), 'O'.repeat(16), '0'.repeat(5000), '__proto__', '\u0000', ' ', '..'],
  ...['0000000000000000#C#0', '\u{1F4DE}', '中文', 'null', '%25'],
];

describe.each(engines)('malformed ids on $name', (engine) => {
  const api = useApi({ engine });

  it.each(malformed)('like %j are simply not found', async (id) => {
    const inPath = encodeURIComponent(id);
    const { id: source } = await api.aDataSource();
    const contact = `/api/dataSource/${source}/contact`;
    // A client resolves dots in a path before it sends it: they reach other paths.
    const paths =
      id === '..' ? [] : ['task/detail/#', 'task/#/stat', 'dataSource/detail/#', 'dataSource/#/contacts'];
    for (const path of paths) {
      expectError(await api.get(`/api/${path.replace('#', inPath)}`), 404, /does not exist/);
    }
    for (const path of ['task/update', 'task/publish', 'task/stop', 'task/close', 'dataSource/update']) {
      expectError(await api.post(`/api/${path}`, { id }), 404, /does not exist/);
    }
    expectError(await api.post(`${contact}/update`, { contactId: id }), 404, /contact does not exist/);
    expectError(await api.post(`${contact}/delete`, { contactId: id }), 404, /contact does not exist/);
  });

  it('made of a real data source and what is no number are no contact', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id);
    const path = `/api/dataSource/${id}/contact/delete`;
    for (const suffix of ['', '-', '-00', '-zzzzzzz', '-0 ', '-0.5', '--1', '-0/0', '-\u0660'])
      expectError(await api.post(path, { contactId: `${id}${suffix}` }), 404, /contact does not exist/);
  });

  it('of a task are none of a data source, and the reverse', async () => {
    const { id, dataSourceId } = await api.aTask();
    expectError(await api.get(`/api/dataSource/detail/${id}`), 404, /data source does not exist/);
    expectError(await api.get(`/api/task/detail/${dataSourceId}`), 404, /task does not exist/);
    expectError(await api.post('/api/task/add', { taskName: 'x', dataSourceId: id }), 400, /dataSourceId/);
  });
});

describe('an id that cannot be one', () => {
  const api = useApi();

  /** Longer than any key of DynamoDB's: 1,024 bytes to sort by, 2,048 to find the partition. */
  it.each([1021, 2046])('of %i characters is 404 at every route that has one in its path', async (length) => {
    const id = '0'.repeat(length);
    const { id: known } = await api.aDataSource();
    for (const { path, method, body, upload } of allRoutes.filter(({ params }) => params !== undefined)) {
      const form = new FormData();
      if (upload !== undefined) form.set(upload, new Blob(['phoneNumber\n13800138000']), 'a.csv');
      const paths = [path.replace('{id}', id), path.replace('{id}', known).replace('{importId}', id)];
      for (const address of paths
        .map((each) => each.replace(/\{\w+\}/, id))
        .filter((each) => each.includes(id))) {
        const answer = await fetch(api.url + address, {
          method,
          headers: { authorization: `Bearer ${accessToken}` },
          ...(method === 'GET'
            ? {}
            : { body: upload === undefined ? JSON.stringify(exampleOf(body as object)) : form }),
        });
        expect([address.replace(id, '…'), answer.status]).toEqual([address.replace(id, '…'), 404]);
        await answer.body?.cancel();
      }
    }
  });
});
