import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seqsPerPage } from '../../../shared/platform/table/keys.ts';
import { emptyPages } from '../../support/engines/seed-contacts.ts';
import { randomRuns } from '../../support/run/extent.ts';
import { type Step, stepsOf } from '../../support/run/random-steps.ts';
import { type Api, succeeded, useApi } from '../../support/service/api.ts';

/** Few phone numbers and names, so that random steps collide often. */
const phone = fc.constantFrom('100', '+100', '1-001', '(2)100', '0100', '+86 100', '999');
const value = fc.option(fc.constantFrom<string>('', 'x', '中'), { nil: null });
const fields = fc.dictionary(fc.constantFrom('customerName', '__proto__', 'constructor', 'plan'), value);
const filter = fc.constantFrom('', ' ', '100', '+', '+1', '1-0', '99', 'a', '0100');
const nth = fc.nat(7);
/** First numbers just before the ends of a block, a chunk and a directory page. */
const firstSeq = fc.constantFrom(0, 124, 1022, seqsPerPage - 2);
const someContact = fc.record({ phone, fields });

type Fields = Record<string, string | null>;
type Given = { phone: string; fields: Fields };
type Contact = { phone: string; fields: Map<string, string> };

const normal = (text: string) => text.replace(/[ \-.()]/g, '');
const sorted = (entries: Iterable<[string, unknown]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
const contractFields = { customerName: '', address: '', orderAmount: '' };

/** One data source beside the plainest possible account of what it must hold. */
class Pair {
  readonly #api: Api;
  readonly #id: string;
  readonly #path: string;
  readonly #rows = new Map<string, Contact>();

  constructor(api: Api, id: string) {
    this.#api = api;
    this.#id = id;
    this.#path = `/api/dataSource/${id}/contact`;
  }

  #holderOf = (wanted: string) => [...this.#rows].find(([, row]) => row.phone === wanted)?.[0];

  /** Written by hand: an object literal cannot hold `__proto__` as a field. */
  #body = (first: object, more: object) =>
    `{${[...Object.entries(first), ...Object.entries(more)].map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)}}`;

  async add({ phone, fields }: Given) {
    const { status, body } = await this.#api.postText(
      `${this.#path}/add`,
      this.#body({ phoneNumber: phone }, fields),
    );
    const taken = this.#holderOf(normal(phone)) !== undefined;
    expect(status).toBe(taken ? 409 : 200);
    if (taken) return;
    const kept = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null);
    this.#rows.set(body.data.id, { phone: normal(phone), fields: new Map(kept) });
  }

  async update(nth: number, phone: string | null, fields: Fields) {
    const [contactId, row] = [...this.#rows][nth] ?? [`${this.#id}-zz`];
    const change = phone === null ? {} : { phoneNumber: phone };
    const { status } = await this.#api.postText(
      `${this.#path}/update`,
      this.#body({ contactId, ...change }, fields),
    );
    const holder = phone === null ? undefined : this.#holderOf(normal(phone));
    const taken = holder !== undefined && holder !== contactId;
    expect(status).toBe(row === undefined ? 404 : taken ? 409 : 200);
    if (row === undefined || taken) return;
    row.phone = phone === null ? row.phone : normal(phone);
    this.#merge(row, fields);
  }

  #merge(row: Contact, fields: Fields) {
    for (const [name, text] of Object.entries(fields)) {
      if (text === null) row.fields.delete(name);
      else row.fields.set(name, text);
    }
  }

  async delete(nth: number) {
    const [contactId, row] = [...this.#rows][nth] ?? [`${this.#id}-zz`];
    const { status } = await this.#api.post(`${this.#path}/delete`, { contactId });
    expect(status).toBe(row === undefined ? 404 : 200);
    this.#rows.delete(contactId);
  }

  /** New contacts get their ids in the order of the batch, behind all others. */
  async batchAdd(contacts: readonly Given[], onDuplicate: 'skip' | 'update') {
    const bodies = contacts.map((each) => this.#body({ phoneNumber: each.phone }, each.fields));
    const { status, body } = await this.#api.postText(
      `${this.#path}/batchAdd`,
      `{"contacts":[${bodies}],"onDuplicate":"${onDuplicate}"}`,
    );
    expect(status).toBe(200);
    const codes: [row: number, code: string][] = [];
    const seen = new Set<string>();
    const added: Contact[] = [];
    contacts.forEach((each, at) => {
      const number = normal(each.phone);
      const holder = this.#holderOf(number);
      const kept = Object.entries(each.fields).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      );
      if (seen.has(number)) codes.push([at + 1, 'DUPLICATE_IN_FILE']);
      else if (holder === undefined) added.push({ phone: number, fields: new Map(kept) });
      else if (onDuplicate === 'skip') codes.push([at + 1, 'DUPLICATE']);
      else this.#merge(this.#rows.get(holder)!, each.fields);
      seen.add(number);
    });
    const { importCount, successCount, failCount, details } = body.data;
    expect([importCount, successCount, failCount]).toEqual([
      contacts.length,
      contacts.length - codes.length,
      codes.length,
    ]);
    expect((details as { row: number; code: string }[]).map(({ row, code }) => [row, code])).toEqual(codes);
    const { rows } = succeeded(await this.#api.get(`${this.#path}s`, { pageSize: 500 }));
    for (const [i, { id }] of rows.slice(this.#rows.size).entries()) this.#rows.set(String(id), added[i]!);
  }

  async batchDelete(phones: readonly string[]) {
    const answer = await this.#api.post(`${this.#path}/batchDelete`, { phoneNumbers: phones });
    const holders = new Set(phones.flatMap((each) => this.#holderOf(normal(each)) ?? []));
    const missing = [...new Set(phones)].filter((each) => this.#holderOf(normal(each)) === undefined);
    expect(succeeded(answer)).toEqual({ deleteCount: holders.size, notFound: missing });
    for (const holder of holders) this.#rows.delete(holder);
  }

  /** In all data sources: those of earlier runs have such numbers, too. */
  async erase(phone: string) {
    const holder = this.#holderOf(normal(phone));
    const { contactCount } = succeeded(await this.#api.post('/api/contact/erase', { phoneNumber: phone }));
    expect(Number(contactCount)).toBeGreaterThanOrEqual(holder === undefined ? 0 : 1);
    if (holder !== undefined) this.#rows.delete(holder);
    const again = succeeded(await this.#api.post('/api/contact/erase', { phoneNumber: phone }));
    expect(again).toMatchObject({ contactCount: 0, taskCount: 0 });
  }

  async expectPage(pageNum: number, pageSize: number, filter: string) {
    const page = await this.#api.get(`${this.#path}s`, { pageNum, pageSize, phoneNumber: filter });
    const { total, rows } = succeeded(page);
    const shown = rows.map(({ id, dataSourceId, status, callCount, createTime, ...row }) => [
      id,
      sorted(Object.entries(row)),
    ]);
    const matching = this.#matching(filter);
    expect(total).toBe(matching.length);
    expect(shown).toEqual(
      matching
        .slice((pageNum - 1) * pageSize, pageNum * pageSize)
        .map(([id, row]) => [
          id,
          sorted(
            new Map<string, string>([
              ...Object.entries(contractFields),
              ['phoneNumber', row.phone],
              ...row.fields,
            ]),
          ),
        ]),
    );
  }

  #matching(filter: string) {
    if (filter.trim() === '') return [...this.#rows];
    const part = normal(filter.trim());
    return /^\+?\d*$/.test(part) ? [...this.#rows].filter(([, row]) => row.phone.includes(part)) : [];
  }

  async expectCount() {
    const { contactCount } = succeeded(await this.#api.get(`/api/dataSource/detail/${this.#id}`));
    expect(contactCount).toBe(this.#rows.size);
  }
}

const step = stepsOf<Pair>();
const steps: fc.Arbitrary<Step<Pair>> = fc.oneof(
  step(4, 'add', someContact),
  step(2, 'update', nth, fc.option(phone), fields),
  step(2, 'delete', nth),
  step(1, 'erase', phone),
  step(
    2,
    'batchAdd',
    fc.array(someContact, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('skip', 'update'),
  ),
  step(2, 'batchDelete', fc.array(phone, { minLength: 1, maxLength: 8 })),
  step(2, 'expectPage', fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }), filter),
);

describe('contacts over HTTP against a plain model', () => {
  const api = useApi();

  it('never differ', async () => {
    await fc.assert(
      fc.asyncProperty(firstSeq, fc.array(steps, { minLength: 4, maxLength: 12 }), async (next, steps) => {
        const { id } = await api.aDataSource();
        await api.database.putAll(emptyPages(id, next));
        const pair = new Pair(api, id);
        for (const run of steps) await run(pair);
        await pair.expectPage(1, 500, '');
        await pair.expectCount();
      }),
      randomRuns(40, 200),
    );
  });
});
