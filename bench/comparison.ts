import { Database } from '../shared/platform/table/database.ts';
import { meter, type Usage } from '../test/support/engines/meter.ts';
import { seededFields, seededPhone, seedItems } from '../test/support/engines/seed-contacts.ts';
import { NaiveContacts, naiveItems } from './naive.ts';
import {
  clientOf,
  dataSourceId,
  freshPhone,
  freshRows,
  leaseSize,
  type Measured,
  measureOperations,
  pageSize,
  pagesOf,
  searches,
} from './operations.ts';
import type { Explained, Postgres } from './postgres.ts';
import { measurePostgres } from './postgres-operations.ts';
import { openSeeded, tableName } from './seeding.ts';
import { failedOf, taskItems } from './task-seeds.ts';

export type Comparison = {
  count: number;
  ours: readonly Measured[];
  naive: ReadonlyMap<string, Usage>;
  postgres: ReadonlyMap<string, Explained>;
};

type Engine = Parameters<typeof clientOf>[0];

const naiveJobs = (
  naive: NaiveContacts,
  count: number,
): Record<string, { reads: boolean; run: () => Promise<unknown> }> => ({
  ...Object.fromEntries(
    pagesOf(count).map(({ name, offset }) => [
      name,
      { reads: true, run: () => naive.page(offset, pageSize) },
    ]),
  ),
  ...Object.fromEntries(
    searches.map(({ name, part }) => [name, { reads: true, run: () => naive.page(0, pageSize, part) }]),
  ),
  add: {
    reads: true,
    run: () => naive.add(count, { phoneNumber: freshPhone(0), fields: seededFields(0) }),
  },
  edit: { reads: false, run: () => naive.edit(10, 'elsewhere') },
  'phone change': { reads: true, run: () => naive.changePhone(20, freshPhone(0, 1)) },
  delete: { reads: false, run: () => naive.remove(30) },
  'import of 10k': { reads: true, run: () => naive.import(count + 1, freshRows(0)) },
  // Each row is a duplicate, so all contacts are read and none is written.
  're-import of 10k': { reads: true, run: async () => undefined },
  'lease of 10': { reads: true, run: () => naive.lease(leaseSize) },
  'lease of 10 due': { reads: true, run: () => naive.lease(leaseSize) },
  result: { reads: false, run: () => naive.result(40, 1) },
  'recall of all failed': { reads: true, run: () => naive.recall(isFailed(failedOf(count))) },
});

/** The contacts that the seeded tasks did not reach. */
const isFailed = (failed: number) => {
  const phones = new Set(Array.from({ length: failed }, (_, seq) => seededPhone(seq)));
  return ({ phoneNumber }: { phoneNumber: string }) => phones.has(phoneNumber);
};

const added = (a: Usage, b: Usage): Usage => ({
  rcu: a.rcu + b.rcu,
  wcu: a.wcu + b.wcu,
  bytes: a.bytes + b.bytes,
  calls: a.calls + b.calls,
  depth: a.depth + b.depth,
});

/** All contacts are read once. Each operation that needs all of them is charged for that read. */
const measureNaive = async (engine: Engine, count: number, onDone: (name: string) => void) => {
  const client = clientOf(engine);
  const database = new Database(client, tableName);
  const { measure } = meter(client);
  let rows: Awaited<ReturnType<NaiveContacts['readAll']>> = [];
  const reading = await measure(async () => {
    rows = await new NaiveContacts(database, dataSourceId).readAll();
  });
  const naive = new NaiveContacts(database, dataSourceId, async () => rows);
  const measured = new Map<string, Usage>();
  for (const [name, { reads, run }] of Object.entries(naiveJobs(naive, count))) {
    const usage = await measure(run);
    measured.set(name, reads ? added(reading, usage) : usage);
    onDone(`naive: ${name}`);
  }
  return measured;
};

/** Every operation at one size: in our layout, in the naive layout, and in PostgreSQL. */
export const compare = async (
  count: number,
  postgres: Postgres | undefined,
  onStep: (name: string) => void,
): Promise<Comparison> => {
  onStep(`seeding ${count} contacts`);
  function* items() {
    yield* seedItems(dataSourceId, count);
    yield* taskItems(dataSourceId, count);
    yield* naiveItems(dataSourceId, count);
  }
  const { engine, close } = await openSeeded(items());
  const step = (name: string) => onStep(`${count}: ${name}`);
  const ours = await measureOperations(engine, count, step);
  const naive = await measureNaive(engine, count, step);
  await close();
  const explained = postgres ? await measurePostgres(postgres, count, step) : new Map<string, Explained>();
  return { count, ours, naive, postgres: explained };
};
