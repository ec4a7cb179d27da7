import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const count = 7;
const upTo = Array.from({ length: count }, (_, i) => i);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe.each(engines)('paged lists on $name', (engine) => {
  const api = useApi({ engine });

  /** Lists of seven rows each. */
  const lists = [
    {
      list: 'tasks',
      filled: async () => {
        const { id: dataSourceId } = await api.aDataSource();
        for (const i of upTo) await api.aTask({ taskName: `Paged ${i}`, dataSourceId });
        return { path: '/api/task/list', query: { taskName: 'paged' } };
      },
    },
    {
      list: 'data sources',
      filled: async () => {
        for (const i of upTo) await api.aDataSource({ dataSourceName: `Paged ${i}` });
        return { path: '/api/dataSource/list', query: { dataSourceName: 'paged' } };
      },
    },
    {
      list: 'contacts',
      filled: async () => {
        const { id } = await api.aDataSource();
        for (const i of upTo) await api.aContact(id, { phoneNumber: `555${i}` });
        return { path: `/api/dataSource/${id}/contacts`, query: { phoneNumber: '555' } };
      },
    },
  ];

  describe.each(lists)('of $list', ({ filled }) => {
    let ready: ReturnType<typeof filled> | undefined;
    const list = () => {
      ready ??= filled();
      return ready;
    };

    it('are empty past the end, with the right total', async () => {
      const { path, query } = await list();
      for (const pageNum of [2, Number.MAX_SAFE_INTEGER]) {
        const page = succeeded(await api.get(path, { ...query, pageNum, pageSize: 500 }));
        expect(page).toEqual({ total: count, rows: [] });
        const unfiltered = succeeded(await api.get(path, { pageNum, pageSize: 500 }));
        expect(unfiltered.rows).toEqual([]);
        expect(unfiltered.total).toBeGreaterThanOrEqual(count);
      }
    });

    it('begin at page 1 with 20 rows when nothing is asked for', async () => {
      const { path } = await list();
      const first = succeeded(await api.get(path, { pageNum: 1, pageSize: 20 }));
      expect(succeeded(await api.get(path))).toEqual(first);
      expect(succeeded(await api.get(path, { pageNum: '', pageSize: '', other: '7' }))).toEqual(first);
    });

    it('refuse every other page number and size', async () => {
      const { path } = await list();
      const bad = ['0', '-1', '1.5', '1e1', '0x1', ' ', 'one', 'Infinity', '9'.repeat(30), '１'];
      for (const value of bad) {
        expectError(await api.get(path, { pageNum: value }), 400, /^pageNum: /);
        expectError(await api.get(path, { pageSize: value }), 400, /^pageSize: /);
      }
      for (const pageSize of [501, 1000])
        expectError(await api.get(path, { pageSize }), 400, /^pageSize: .*500/);
      expectError(await api.get(path, { pageNum: '9007199254740993' }), 400, /^pageNum: /);
    });
  });

  it('of tasks can be filtered by name, ignoring case and spaces around, and by status', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const [draft, running] = [
      await api.aTask({ taskName: 'ÄRGER im Lager', dataSourceId }),
      await api.aTaskIn(1, { taskName: 'ärger im Laden', dataSourceId }),
    ];
    const found = async (query: Record<string, string | number>) =>
      idsOf(succeeded(await api.get('/api/task/list', query)).rows);
    expect(await found({ taskName: '  Ärger IM ' })).toEqual([running.id, draft.id]);
    expect(await found({ taskName: 'A\u0308RGER' })).toEqual([running.id, draft.id]);
    expect(await found({ taskName: 'im la', status: 1 })).toEqual([running.id]);
    expect(await found({ taskName: 'im la', status: 0 })).toEqual([draft.id]);
    expect(await found({ taskName: 'im la', status: 6 })).toEqual([]);
    const all = succeeded(await api.get('/api/task/list', { pageSize: 500 })).rows;
    for (const status of [0, 1, 6])
      expect(await found({ status, pageSize: 500 })).toEqual(
        idsOf(all.filter((row) => row.status === status)),
      );
    expect(await found({ taskName: 'ärger%' })).toEqual([]);
    expect(await found({ taskName: '.*' })).toEqual([]);
    for (const status of ['7', '-1', '1.0', 'DRAFT', 'true']) {
      expectError(await api.get('/api/task/list', { status }), 400, /^status: /);
    }
  });

  it('take an empty filter for none', async () => {
    const all = succeeded(await api.get('/api/task/list', { pageSize: 500 }));
    for (const query of [{ taskName: '' }, { taskName: ' \t' }, { status: '' }]) {
      expect(succeeded(await api.get('/api/task/list', { ...query, pageSize: 500 }))).toEqual(all);
    }
    const sources = succeeded(await api.get('/api/dataSource/list'));
    expect(succeeded(await api.get('/api/dataSource/list', { dataSourceName: '  ' }))).toEqual(sources);
  });
});
