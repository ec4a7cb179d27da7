import { openStores } from '../shared/store/stores.ts';
import { Database } from '../shared/store/table/database.ts';
import { newId } from '../test/support/dialing/dialing.ts';
import { leaseAll, oneInAHundred } from '../test/support/dialing/lease-all.ts';
import { meter } from '../test/support/engines/meter.ts';
import { seedItems } from '../test/support/engines/seed-contacts.ts';
import { clientOf } from './operations.ts';
import { openSeeded, tableName } from './seeding.ts';
import type { Cell, Table } from './table.ts';

/** Leases of ten calls each until a whole list was looked at, and what the same calls cost without a filter. */
const measureOne = async (count: number): Promise<Cell[]> => {
  const [whole, part] = [newId(), newId()];
  const items = function* () {
    yield* seedItems(whole, count);
    yield* seedItems(part, count / 100);
  };
  const { engine, close } = await openSeeded(items());
  const client = clientOf(engine);
  const { measure } = meter(client);
  const database = new Database(client, tableName);
  const once = await measure(async () => {
    for await (const _ of openStores(database).contacts.scan(whole));
  });
  const leased = { calls: 0, leases: 0 };
  const filtered = await measure(async () =>
    Object.assign(leased, await leaseAll(database, whole, { contactFilter: oneInAHundred })),
  );
  const plain = await measure(() => leaseAll(database, part));
  await close();
  return [
    count,
    leased.calls,
    leased.leases,
    once.rcu,
    filtered.rcu,
    plain.rcu,
    (filtered.rcu - plain.rcu) / once.rcu,
    filtered.wcu,
    plain.wcu,
  ];
};

/** A task that selects 1 % of its contacts. */
export const measureFilter = async (
  sizes: readonly number[],
  onDone: (name: string, weight: number) => void,
): Promise<Table> => {
  const rows: Cell[][] = [];
  for (const count of sizes) {
    rows.push(await measureOne(count));
    onDone(`filter of ${count}`, count / 10_000);
  }
  return {
    title: 'A part of a list: leases of ten until every contact was looked at, 1 % of them selected',
    note:
      '"Alone" is a list of only the contacts that are selected, called without a filter. The reads of the filter are what ' +
      'the leases read beyond that, as a share of reading the whole list once.',
    columns: [
      ...['contacts', 'calls', 'leases', 'RCU, list once', 'RCU', 'RCU, alone', 'reads of the filter'],
      ...['WCU', 'WCU, alone'],
    ],
    rows,
  };
};

export const filterWeight = (sizes: readonly number[]) =>
  sizes.reduce((sum, count) => sum + count / 10_000, 0);
