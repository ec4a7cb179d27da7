import { createDataSource } from '../shared/domain/contacts/data-source.ts';
import { createTask } from '../shared/domain/tasks/task.ts';
import { Removals, removalOf } from '../shared/store/removals/index.ts';
import { openStores } from '../shared/store/stores.ts';
import { Database, type Item } from '../shared/store/table/database.ts';
import { keys } from '../shared/store/table/keys.ts';
import { newId, start } from '../test/support/dialing/dialing.ts';
import { meter, type Usage } from '../test/support/engines/meter.ts';
import { seedItems } from '../test/support/engines/seed-contacts.ts';
import { clientOf } from './operations.ts';
import { openSeeded, tableName } from './seeding.ts';
import type { Cell, Table } from './table.ts';

const taskCount = 1_000;
const contactsAtOnce = 50_000;

/** A data source, and drafts on another one, which its deletion looks at. */
function* seeds(id: string, count: number): Generator<Item> {
  for (const item of seedItems(id, count))
    yield item.sk === keys.dataSource(id).sk && item.pk === keys.dataSource(id).pk
      ? { ...item, number: 0 }
      : item;
  yield { ...keys.listCount(keys.list('dataSource')), count: 2 };
}

const addTasks = async (database: Database): Promise<void> => {
  const dataSourceId = newId();
  await openStores(database).dataSources.add(
    createDataSource({ dataSourceName: 'other' }, dataSourceId, start),
  );
  const tasks = openStores(database).tasks;
  for (let i = 0; i < taskCount; i++) {
    const id = newId();
    await tasks.add(createTask({ taskName: `A campaign of May, ${i}`, dataSourceId }, id, start));
  }
};

const rowOf = (name: string, { rcu, wcu, depth, calls }: Usage): Cell[] => [name, rcu, wcu, depth, calls];
const shown = (count: number) => count.toLocaleString('en');

/** A page of tasks, before and after half of them were deleted. */
const measureLists = async (): Promise<Cell[][]> => {
  const { engine, close } = await openSeeded([]);
  const client = clientOf(engine);
  const database = new Database(client, tableName);
  const { measure } = meter(client);
  const tasks = openStores(database).tasks;
  await addTasks(database);
  const before = await measure(() => tasks.page(400, 20));
  const { rows } = await tasks.page(0, taskCount);
  const halves = rows.filter((_, i) => i % 2 === 0);
  const removal = await measure(() => tasks.remove(halves[0]!.id, start));
  for (const { id } of halves.slice(1)) await tasks.remove(id, start);
  const after = await measure(() => tasks.page(200, 20));
  await close();
  return [
    rowOf(`page of 20 of ${shown(taskCount)} tasks`, before),
    rowOf('the same, half of the tasks deleted', after),
    rowOf('delete a task', removal),
  ];
};

const measureSource = async (count: number): Promise<Cell[][]> => {
  const id = newId();
  const { engine, close } = await openSeeded(seeds(id, count));
  const client = clientOf(engine);
  const database = new Database(client, tableName);
  const { measure } = meter(client);
  await addTasks(database);
  const { agenda, dataSources, importRecords } = openStores(database);
  const deletion = await measure(() => dataSources.remove(id, start));
  const removals = new Removals(database, importRecords);
  const [entry] = await agenda.listed('removal');
  const removal = await measure(() => removals.removeItems(removalOf(entry!), () => false));
  await close();
  const of = `a data source of ${shown(count)} contacts`;
  return [
    rowOf(`delete ${of}, beside ${shown(taskCount)} tasks`, deletion),
    rowOf(`remove the items of ${of}`, removal),
  ];
};

export const measureDeletion = async (
  sizes: readonly number[],
  onDone: (name: string, weight: number) => void,
): Promise<Table> => {
  const rows = await measureLists();
  for (const count of sizes) {
    rows.push(...(await measureSource(count)));
    onDone(`deletion of ${count}`, count / contactsAtOnce);
  }
  return {
    title: 'Deletion: lists with deleted entries, and removal in the background',
    note: 'A contact and its guard are less than 1 KB each: one write unit to delete each of them.',
    columns: ['operation', 'RCU', 'WCU', 'calls in a row', 'calls'],
    rows,
  };
};

export const deletionWeight = (sizes: readonly number[]) =>
  sizes.reduce((sum, count) => sum + count / contactsAtOnce, 0);
