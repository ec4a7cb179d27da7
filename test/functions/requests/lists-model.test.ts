import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { randomRuns } from '../../support/run/extent.ts';
import { type Api, expectError, startApi, succeeded } from '../../support/service/api.ts';

const kinds = ['task', 'dataSource'] as const;
type Kind = (typeof kinds)[number];

type Step =
  | { do: 'add' | 'rename'; at: number; name: number }
  | { do: 'delete'; at: number }
  | { do: 'page'; pageNum: number; pageSize: number; part?: number | undefined };

const name = fc.nat(12);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), at: fc.nat(), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), at: fc.nat(), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('page' as const),
      pageNum: fc.integer({ min: 1, max: 5 }),
      pageSize: fc.integer({ min: 1, max: 4 }),
      part: fc.option(fc.nat(3), { nil: undefined }),
    }),
  },
);

type Entry = { id: string; name: string };

/** The list as an array, newest first. */
class Model {
  readonly api: Api;
  readonly kind: Kind;
  readonly dataSourceId: string;
  entries: Entry[] = [];

  constructor(api: Api, kind: Kind, dataSourceId: string) {
    this.api = api;
    this.kind = kind;
    this.dataSourceId = dataSourceId;
  }

  get nameField() {
    return this.kind === 'task' ? 'taskName' : 'dataSourceName';
  }

  post(operation: string, body: object) {
    return this.api.post(`/api/${this.kind}/${operation}`, body);
  }

  isTaken = (text: string) => this.entries.some((entry) => entry.name === text);

  async add(text: string): Promise<void> {
    const { dataSourceId } = this;
    const answer = await this.post('add', { [this.nameField]: text, dataSourceId });
    if (this.isTaken(text)) return expectError(answer, 409, /already exists/);
    this.entries.unshift({ id: String(succeeded(answer).id), name: text });
  }

  async rename(entry: Entry, text: string): Promise<void> {
    const answer = await this.post('update', { id: entry.id, [this.nameField]: text });
    if (entry.name !== text && this.isTaken(text)) return expectError(answer, 409, /already exists/);
    succeeded(answer);
    entry.name = text;
  }

  async remove(entry: Entry): Promise<void> {
    expect(succeeded(await this.post('delete', { id: entry.id }))).toBeNull();
    this.entries = this.entries.filter((other) => other !== entry);
    expectError(await this.post('delete', { id: entry.id }), 404, /does not exist/);
  }

  async expectPage(pageNum: number, pageSize: number, part?: string): Promise<void> {
    const query = { pageNum, pageSize, ...(part === undefined ? {} : { [this.nameField]: part }) };
    const { total, rows } = succeeded(await this.api.get(`/api/${this.kind}/list`, query));
    const listed = this.entries.filter((entry) => part === undefined || entry.name.includes(part));
    const shown = listed.slice((pageNum - 1) * pageSize, pageNum * pageSize);
    expect(total).toBe(listed.length);
    expect(rows.map((row) => ({ id: row.id, name: row[this.nameField] }))).toEqual(shown);
  }

  async take(each: Step): Promise<void> {
    if (each.do === 'page') {
      const part = each.part === undefined ? undefined : `name ${each.part}`;
      return this.expectPage(each.pageNum, each.pageSize, part);
    }
    const entry = this.entries[each.at % this.entries.length];
    if (each.do === 'add') return this.add(`name ${each.name}`);
    if (entry === undefined) return;
    return each.do === 'delete' ? this.remove(entry) : this.rename(entry, `name ${each.name}`);
  }
}

describe('lists of tasks and data sources', () => {
  it.each(kinds)(
    'show what a plain array would, however they were added, renamed and deleted: %s',
    async (kind) => {
      const api = await startApi();
      const { id: dataSourceId } = await api.aDataSource();
      const model = new Model(api, kind, dataSourceId);
      if (kind === 'dataSource') model.entries.push({ id: dataSourceId, name: 'data source 1' });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          for (const each of steps) await model.take(each);
          const pages = Math.ceil(model.entries.length / 3) + 1;
          for (let pageNum = 1; pageNum <= pages; pageNum++) await model.expectPage(pageNum, 3);
        }),
        randomRuns(12, 50),
      );
      await api.stop();
    },
  );

  it.each(engines)('are exact while many clients add, delete and read on $name', async (engine) => {
    const api = await startApi({ engine });
    const { id: dataSourceId } = await api.aDataSource();
    const clients = engine.sized(12, 4);
    const rounds = engine.sized(8, 4);
    let deleted = 0;
    const names = new Set<string>();
    const work = async (client: number) => {
      for (let round = 0; round < rounds; round++) {
        const taskName = `${client} ${round}`;
        const { id } = await api.aTask({ dataSourceId, taskName });
        names.add(taskName);
        if ((client + round) % 2 === 0) continue;
        succeeded(await api.post('/api/task/delete', { id }));
        names.delete(taskName);
        deleted++;
      }
    };
    /** The total of an answer belongs to its rows, also in the midst of additions and deletions. */
    const read = async (pageNum: number) => {
      for (let round = 0; round < rounds; round++) {
        const { total, rows } = succeeded(await api.get('/api/task/list', { pageNum, pageSize: 5 }));
        expect(rows.length).toBe(Math.max(0, Math.min(5, Number(total) - (pageNum - 1) * 5)));
      }
    };
    await Promise.all([
      ...Array.from({ length: clients }, (_, client) => work(client)),
      ...[1, 2, 3].map(read),
    ]);
    expect(deleted).toBe((clients * rounds) / 2);
    const shown: string[] = [];
    for (let pageNum = 1; shown.length < names.size; pageNum++) {
      const { total, rows } = succeeded(await api.get('/api/task/list', { pageNum, pageSize: 7 }));
      expect(total).toBe(names.size);
      shown.push(...rows.map((row) => String(row.taskName)));
    }
    expect(shown.sort()).toEqual([...names].sort());
    await api.stop();
  });

  it.each(engines)('have a task or lose its data source, never both, on $name', async (engine) => {
    const api = await startApi({ engine });
    for (let round = 0; round < engine.sized(12, 4); round++) {
      const { id } = await api.aDataSource();
      const [removed, ...added] = await Promise.all([
        api.post('/api/dataSource/delete', { id }),
        api.post('/api/task/add', { taskName: `calls ${round}`, dataSourceId: id }),
        api.post(`/api/dataSource/${id}/contact/add`, { phoneNumber: '13800138000' }),
      ]);
      const [task, contact] = added;
      expect([removed.status, task!.status].sort()).toEqual(removed.status === 200 ? [200, 400] : [200, 405]);
      const { status } = await api.get(`/api/dataSource/${id}/contacts`);
      expect(status).toBe(removed.status === 200 ? 404 : 200);
      if (removed.status !== 200) expect(contact!.status).toBe(200);
    }
    await api.stop();
  });
});
