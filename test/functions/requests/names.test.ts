import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const kinds = [
  { kind: 'task', field: 'taskName' },
  { kind: 'dataSource', field: 'dataSourceName' },
];

describe.each(engines)('names on $name', (engine) => {
  const api = useApi({ engine });

  describe.each(kinds)('of a $kind', ({ kind, field }) => {
    const add = async (name: string) => {
      const dataSourceId = kind === 'task' ? (await api.aDataSource()).id : undefined;
      return api.post(`/api/${kind}/add`, { [field]: name, dataSourceId });
    };
    const added = async (name: string) => succeeded(await add(name));
    const rename = (id: string, name: string) => api.post(`/api/${kind}/update`, { id, [field]: name });

    it('are trimmed and NFC-normalised before every use', async () => {
      const { id, ...shown } = await added('  \t\u3000Cafe\u0301 Zu\u0308rich\n ');
      expect(shown[field]).toBe('Caf\u00e9 Z\u00fcrich');
      expectError(await add('Caf\u00e9 Zu\u0308rich '), 409, /already exists/);
      expect(succeeded(await api.get(`/api/${kind}/detail/${id}`))[field]).toBe('Caf\u00e9 Z\u00fcrich');
    });

    it('have 1 to 100 characters, counted in code points', async () => {
      for (const longest of ['x'.repeat(100), '\u{1F4DE}'.repeat(100), `${'e\u0301'.repeat(100)}`]) {
        expect([...String((await added(` ${longest} `))[field])]).toHaveLength(100);
      }
      for (const tooLong of ['y'.repeat(101), '\u{1F4DE}'.repeat(101), '\u0958'.repeat(51)]) {
        expectError(await add(tooLong), 400, new RegExp(`^${field}: .*at most 100`));
      }
      for (const empty of ['', ' ', '\n\t\u00a0\u3000']) {
        expectError(await add(empty), 400, new RegExp(`^${field}: .*empty`));
      }
    });

    it('are unique by exact match, case included, also for an update', async () => {
      const [, { id }] = [await added('Winter'), await added('winter')];
      expectError(await add(' Winter '), 409, /already exists: Winter/);
      expectError(await rename(id, ' Winter'), 409, /already exists/);
      expectError(await rename(id, ''), 400, /empty/);
      expectError(await rename(id, 'x'.repeat(101)), 400, /at most 100/);
      expect(succeeded(await rename(id, 'winter '))[field]).toBe('winter');
    });

    it('may be any text', async () => {
      const odd = [
        ...['__proto__', 'a\u0000b', '\u202eright to left', '#', 'NAME#task#x', '"quoted"\\', '<b>'],
        ...['a/b?c=d&e', '%00', '\ufeffbom inside\ufeff x', '\uffff', '0', 'null'],
      ];
      for (const name of odd) {
        const { id } = await added(name);
        const kept = name.trim().normalize('NFC');
        expect(succeeded(await api.get(`/api/${kind}/detail/${id}`))[field]).toBe(kept);
        expectError(await add(name), 409, /exists/);
        const found = succeeded(await api.get(`/api/${kind}/list`, { [field]: kept }));
        expect(found.rows.map((row) => row.id)).toContain(id);
      }
    });
  });

  it('of tasks and of data sources do not meet', async () => {
    const { id: dataSourceId } = await api.aDataSource({ dataSourceName: 'shared name' });
    succeeded(await api.post('/api/task/add', { taskName: 'shared name', dataSourceId }));
  });
});
