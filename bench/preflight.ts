import { doNotCall } from '../shared/domain/contacts/data-source.ts';
import { createTask } from '../shared/domain/tasks/task.ts';
import { numberingIn } from '../shared/runtime/phone-country.ts';
import { PreflightReader } from '../shared/store/preflight/index.ts';
import { openStores } from '../shared/store/stores.ts';
import { Database } from '../shared/store/table/database.ts';
import { newId, start } from '../test/support/dialing/dialing.ts';
import { meter } from '../test/support/engines/meter.ts';
import { frameItems } from '../test/support/engines/seed-contacts.ts';
import { clientOf } from './operations.ts';
import { openSeeded, tableName } from './seeding.ts';
import type { Cell, Table } from './table.ts';

const excludedCount = 5;
const mib = 2 ** 20;

/** The phone numbers of a task's contacts, of the do-not-call list and of the excluded lists. */
function* phonesOf(sizes: readonly (readonly [id: string, count: number])[]) {
  for (const [id, count] of sizes) yield* frameItems(id, count);
}

/** Of a `count` of contacts against a list of as many and five of a tenth. */
const measureOne = async (count: number, listed: number, excluded: number): Promise<Cell[][]> => {
  const dataSourceId = newId();
  const excludedDataSourceIds = excluded === 0 ? [] : Array.from({ length: excludedCount }, newId);
  const { engine, close } = await openSeeded(
    phonesOf([
      [dataSourceId, count],
      [doNotCall.id, listed],
      ...excludedDataSourceIds.map((id) => [id, excluded] as const),
    ]),
  );
  const client = clientOf(engine);
  const { measure } = meter(client);
  const task = createTask({ taskName: 'bench', dataSourceId, excludedDataSourceIds }, '', start);
  const rows: Cell[][] = [];
  for (const country of ['', 'CN']) {
    const readerOn = (database: Database) =>
      new PreflightReader({ ...openStores(database), database, phones: numberingIn(country) });
    const metered = readerOn(new Database(client, tableName).lagging);
    const { rcu, calls, depth, bytes } = await measure(() => metered.of(task));
    const timed = readerOn(new Database(clientOf(engine), tableName).lagging);
    const begun = process.cpuUsage();
    await timed.of(task);
    const { user, system } = process.cpuUsage(begun);
    const seconds = (user + system) / 1e6;
    const lists = excluded === 0 ? [listed] : [listed, `${excludedCount} × ${excluded.toLocaleString('en')}`];
    const against = lists.map((each) => each.toLocaleString('en')).join(' and ');
    rows.push([
      `${count.toLocaleString('en')} against ${against}${country === '' ? '' : ', with a country'}`,
      rcu,
      depth,
      calls,
      bytes / mib,
      seconds,
    ]);
  }
  await close();
  return rows;
};

/** A task's contacts against its exclusion lists. */
export const measurePreflight = async (
  sizes: readonly number[],
  onDone: (name: string, weight: number) => void,
): Promise<Table> => {
  const rows: Cell[][] = [];
  const add = async (count: number, listed: number, excluded: number) => {
    rows.push(...(await measureOne(count, listed, excluded)));
    onDone(`pre-flight of ${count}`, count / 50_000);
  };
  await add(10_000, 1_000, 0);
  for (const count of sizes) await add(count, count, count / 10);
  return {
    title: 'Pre-flight: the contacts of a task against its exclusion lists',
    note:
      'All contacts are on all lists of their size. Reads may lag a moment, at half the price. CPU is that of the ' +
      'process, with the local engine, which reads the numbers from disk.',
    columns: ['contacts and lists', 'RCU', 'calls in a row', 'calls', 'MB of items', 'CPU s'],
    rows,
  };
};

export const preflightWeight = (sizes: readonly number[]) =>
  sizes.reduce((sum, count) => sum + count / 50_000, 10_000 / 50_000);
