import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../support/run/extent.ts';
import { type Step, stepsOf } from '../../support/run/random-steps.ts';
import { type Api, expectError, startApi, succeeded } from '../../support/service/api.ts';

const kinds = ['task', 'dataSource'] as const;
type Kind = (typeof kinds)[number];

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

  async add(name: number) {
    const { dataSourceId } = this;
    const text = `name ${name}`;
    const answer = await this.post('add', { [this.nameField]: text, dataSourceId });
    if (this.isTaken(text)) return expectError(answer, 409, /already exists/);
    this.entries.unshift({ id: String(succeeded(answer).id), name: text });
  }

  #at = (at: number): Entry | undefined => this.entries[at % this.entries.length];

  async rename(at: number, name: number) {
    const [entry, text] = [this.#at(at), `name ${name}`];
    if (entry === undefined) return;
    const answer = await this.post('update', { id: entry.id, [this.nameField]: text });
    if (entry.name !== text && this.isTaken(text)) return expectError(answer, 409, /already exists/);
    succeeded(answer);
    entry.name = text;
  }

  async remove(at: number) {
    const entry = this.#at(at);
    if (entry === undefined) return;
    expect(succeeded(await this.post('delete', { id: entry.id }))).toBeNull();
    this.entries = this.entries.filter((other) => other !== entry);
    expectError(await this.post('delete', { id: entry.id }), 404, /does not exist/);
  }

  async expectPage(pageNum: number, pageSize: number, name?: number) {
    const part = name === undefined ? undefined : `name ${name}`;
    const query = { pageNum, pageSize, ...(part === undefined ? {} : { [this.nameField]: part }) };
    const { total, rows } = succeeded(await this.api.get(`/api/${this.kind}/list`, query));
    const listed = this.entries.filter((entry) => part === undefined || entry.name.includes(part));
    const shown = listed.slice((pageNum - 1) * pageSize, pageNum * pageSize);
    expect(total).toBe(listed.length);
    expect(rows.map((row) => ({ id: row.id, name: row[this.nameField] }))).toEqual(shown);
  }
}

const name = fc.nat(12);
const step = stepsOf<Model>();
const steps: fc.Arbitrary<Step<Model>> = fc.oneof(
  step(5, 'add', name),
  step(1, 'rename', fc.nat(), name),
  step(3, 'remove', fc.nat()),
  step(
    2,
    'expectPage',
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 4 }),
    fc.option(fc.nat(3), { nil: undefined }),
  ),
);

describe('lists of tasks and data sources', () => {
  it.each(kinds)(
    'show what a plain array would, however they were added, renamed and deleted: %s',
    async (kind) => {
      const api = await startApi();
      const { id: dataSourceId } = await api.aDataSource();
      const model = new Model(api, kind, dataSourceId);
      if (kind === 'dataSource') model.entries.push({ id: dataSourceId, name: 'data source 1' });
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (all) => {
          for (const run of all) await run(model);
          const pages = Math.ceil(model.entries.length / 3) + 1;
          for (let pageNum = 1; pageNum <= pages; pageNum++) await model.expectPage(pageNum, 3);
        }),
        randomRuns(12, 50),
      );
      await api.stop();
    },
  );
});
