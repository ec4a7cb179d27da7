import { describe, it } from 'vitest';
import { expectError, useApi } from '../support/api.ts';
import { engines } from '../support/engines.ts';

/** Nothing of this can be an id; most would be trouble as a key, a path or a property. */
const malformed = [
  'x',
  '0'.repeat(15),
  '0'.repeat(17),
  'O'.repeat(16),
  '0'.repeat(5000),
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  ' ',
  '..',
  '0000000000000000#C#0',
  "' OR 1=1",
  '\u{1F4DE}',
  '中文',
  '*',
  'null',
  '-1',
  '%25',
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

  it.each(['-', '-00', '-zzzzzzz', '-0 ', '-0.5', '--1', '-1e3', '-0/0', '', '-\u0660'])(
    'made of a real data source and %j are no contact',
    async (suffix) => {
      const { id } = await api.aDataSource();
      await api.aContact(id);
      const body = { contactId: `${id}${suffix}` };
      expectError(
        await api.post(`/api/dataSource/${id}/contact/delete`, body),
        404,
        /contact does not exist/,
      );
    },
  );

  it('of the wrong type are 400', async () => {
    for (const id of [5, null, true, ['x'], { id: 'x' }, 1e300]) {
      expectError(await api.post('/api/task/publish', { id }), 400, /^id: must be a string/);
      expectError(await api.post('/api/dataSource/update', { id }), 400, /^id: must be a string/);
    }
  });

  it('of a task are none of a data source, and the reverse', async () => {
    const { id, dataSourceId } = await api.aTask();
    expectError(await api.get(`/api/dataSource/detail/${id}`), 404, /data source does not exist/);
    expectError(await api.get(`/api/task/detail/${dataSourceId}`), 404, /task does not exist/);
    expectError(await api.post('/api/task/add', { taskName: 'x', dataSourceId: id }), 400, /dataSourceId/);
  });
});
