import { seededFields, seededPhone } from '../test/support/engines/seed-contacts.ts';
import { freshPhone, importRows, pageSize, pagesOf, searches } from './operations.ts';
import type { Explained, Postgres } from './postgres.ts';
import { failedOf } from './task-seeds.ts';

const columns = 'data_source_id, phone_number, customer_name, address, order_amount, email, product';

const schema = `
DROP TABLE IF EXISTS contact, staged, task;
DROP EXTENSION IF EXISTS pg_trgm;
CREATE TABLE contact (
  seq bigserial PRIMARY KEY, data_source_id text NOT NULL, phone_number text NOT NULL,
  customer_name text, address text, order_amount text, email text, product text,
  status int NOT NULL DEFAULT 0, call_count int NOT NULL DEFAULT 0,
  create_time timestamptz NOT NULL DEFAULT now(), update_time timestamptz,
  UNIQUE (data_source_id, phone_number));
CREATE TABLE staged AS SELECT COLUMNS FROM contact WITH NO DATA;
CREATE TABLE task (id text PRIMARY KEY, call_count int NOT NULL);
INSERT INTO task VALUES ('t', 0);`;

/** Indexes are made after loading, as usual for a bulk load. */
const indexes = `
CREATE INDEX ON contact (data_source_id, seq);
CREATE INDEX ON contact (data_source_id, seq) WHERE status = 0;
CREATE INDEX ON contact (data_source_id, seq) WHERE status IN (2, 3);
UPDATE contact SET status = 2 WHERE seq <= FAILED;
VACUUM ANALYZE contact;`;

const line = (seq: number, phoneNumber: string) =>
  ['ds', phoneNumber, ...Object.values(seededFields(seq))].join('\t');

function* lines(count: number, phoneOf: (seq: number) => string): Generator<string> {
  for (let seq = 0; seq < count; seq++) yield line(seq, phoneOf(seq));
}

const where = "data_source_id = 'ds'";
const values = (phoneNumber: string) => `'${line(0, phoneNumber).replaceAll('\t', "', '")}'`;
const pageAt = (offset: number, filter = where) =>
  `SELECT * FROM contact WHERE ${filter} ORDER BY seq LIMIT ${pageSize} OFFSET ${offset}`;
const countOf = (filter = where) => `SELECT count(*) FROM contact WHERE ${filter}`;
const like = (part: string) => `${where} AND phone_number LIKE '%${part}%'`;
const importing = `INSERT INTO contact (${columns}) SELECT ${columns} FROM staged ON CONFLICT DO NOTHING`;

const statementsOf = (count: number): Record<string, string[]> => ({
  ...Object.fromEntries(pagesOf(count).map(({ name, offset }) => [name, [pageAt(offset), countOf()]])),
  ...Object.fromEntries(
    searches.map(({ name, part }) => [name, [pageAt(0, like(part)), countOf(like(part))]]),
  ),
  add: [`INSERT INTO contact (${columns}) VALUES (${values(freshPhone(0))}) ON CONFLICT DO NOTHING`],
  edit: [`UPDATE contact SET address = 'elsewhere' WHERE seq = 11`],
  'phone change': [`UPDATE contact SET phone_number = '${freshPhone(0, 1)}' WHERE seq = 21`],
  delete: ['DELETE FROM contact WHERE seq = 31'],
  'import of 10k': [importing],
  'lease of 10': [
    `UPDATE contact SET status = 4 WHERE seq IN (SELECT seq FROM contact WHERE ${where} AND status = 0 ORDER BY seq LIMIT 10 FOR UPDATE SKIP LOCKED)`,
  ],
  result: [
    `UPDATE contact SET status = 1, call_count = call_count + 1 WHERE seq = ${count}`,
    `UPDATE task SET call_count = call_count + 1 WHERE id = 't'`,
  ],
  'recall of all failed': [`UPDATE contact SET status = 0 WHERE ${where} AND status IN (2, 3)`],
});

const trigrams = 'CREATE EXTENSION pg_trgm; CREATE INDEX ON contact USING gin (phone_number gin_trgm_ops);';

/** The second run of each counts, because the first run warms the cache. */
const explained = async (postgres: Postgres, statements: readonly string[]): Promise<Explained> => {
  await postgres.explain(statements);
  return postgres.explain(statements);
};

/** The same data and operations in PostgreSQL. Searches by trigrams have their own names. */
export const measurePostgres = async (
  postgres: Postgres,
  count: number,
  onDone: (name: string) => void,
): Promise<Map<string, Explained>> => {
  const measured = new Map<string, Explained>();
  const measure = async (name: string, statements: readonly string[]) => {
    measured.set(name, await explained(postgres, statements));
    onDone(name);
  };
  await postgres.execute(schema.replace('COLUMNS', columns));
  await postgres.copy(`contact (${columns})`, lines(count, seededPhone));
  for (const statement of indexes.replace('FAILED', String(failedOf(count))).split(';\n')) {
    await postgres.execute(statement);
  }
  await postgres.copy(
    'staged',
    lines(importRows, (seq) => freshPhone(2, seq)),
  );
  for (const [name, statements] of Object.entries(statementsOf(count))) await measure(name, statements);
  await postgres.execute(importing);
  await measure('re-import of 10k', [importing]);
  await postgres.execute(trigrams);
  for (const { name, part } of searches) {
    await measure(trigramName(name), [pageAt(0, like(part)), countOf(like(part))]);
  }
  return measured;
};

export const trigramName = (name: string) => `${name}, by trigrams`;
