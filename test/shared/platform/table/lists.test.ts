import { expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../../shared/app/runtime/imports.ts';
import { createDataSource } from '../../../../shared/contacts/rules/data-source.ts';
import type { Database } from '../../../../shared/platform/table/database.ts';
import { createTask } from '../../../../shared/tasks/rules/task.ts';
import { newId, start } from '../../../support/dialing/dialing.ts';
import { engines } from '../../../support/engines/engines.ts';
import { atEveryCall } from '../../../support/engines/overtaken.ts';

const added = (database: Database, name: string) =>
  openStores(database).dataSources.add(createDataSource({ dataSourceName: name }, newId(), start));

it.each([
  [undefined, 'addition'],
  [undefined, 'deletion'],
  ['list', 'addition'],
  ['list', 'deletion'],
])('a page by the name %s is whole, wherever an %s overtakes it', async (filter, what) => {
  await atEveryCall(engines[0]!, async ({ table: { database }, slow, overtake }) => {
    const ids: string[] = [];
    for (const name of ['list 0', 'list 1', 'list 2']) ids.push((await added(database, name)).id);
    const page = async (seen = database) => {
      const { total, rows } = await openStores(seen).dataSources.page(0, 2, filter);
      return { total, names: rows.map(({ dataSourceName }) => dataSourceName) };
    };
    const states = [await page()];
    overtake(async () => {
      if (what === 'addition') await added(database, 'list 3');
      else await openStores(database).dataSources.remove(ids[1]!, start);
      states.push(await page());
    });
    const read = await page(slow);
    expect(states).toContainEqual(read);
  });
});

it('the tasks of a data source are found', async () => {
  const { database, close } = await engines[0]!.open();
  onTestFinished(close);
  const { tasks } = openStores(database);
  const [one, other] = [await added(database, 'one'), await added(database, 'other')];
  const ids: string[] = [];
  for (const [taskName, { id: dataSourceId }] of [
    ['a', one],
    ['b', other],
    ['c', one],
  ] as const)
    ids.push((await tasks.add(createTask({ taskName, dataSourceId }, newId(), start))).id);
  const found = await tasks.ofDataSources(new Set([one.id]));
  expect(found).toEqual([
    { id: ids[2], taskName: 'c', dataSourceId: one.id },
    { id: ids[0], taskName: 'a', dataSourceId: one.id },
  ]);
});
