import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
});
