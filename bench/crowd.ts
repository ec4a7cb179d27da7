import { openStores } from '../shared/app/runtime/imports.ts';
import { createDataSource } from '../shared/contacts/rules/data-source.ts';
import type { Database } from '../shared/platform/table/database.ts';
import { createTask } from '../shared/tasks/rules/task.ts';
import { newId, start } from '../test/support/dialing/dialing.ts';
import { failedItems } from './task-seeds.ts';

const sourceCount = 200;
const tasksPerSource = 5;

/**
 * 200 data sources and 1,000 tasks. Each of the numbers is a contact in a data source of its own,
 * and was called by five tasks.
 */
export const aCrowd = async (database: Database, numbers: readonly string[]): Promise<void> => {
  const { dataSources, contacts, tasks } = openStores(database);
  for (let i = 0; i < sourceCount; i++) {
    const { id } = await dataSources.add(createDataSource({ dataSourceName: `crowd ${i}` }, newId(), start));
    const phoneNumber = numbers[i] ?? `+49301${String(i).padStart(6, '0')}`;
    await contacts.add(id, { phoneNumber, fields: { customerName: 'Li Wei' } }, start);
    for (let nth = 0; nth < tasksPerSource; nth++) {
      const input = { taskName: `a task of the crowd ${i}-${nth}`, dataSourceId: id };
      const task = await tasks.add(createTask(input, newId(), start));
      if (i < numbers.length) await database.putAll([...failedItems(task.id, id, 1)]);
    }
  }
};
