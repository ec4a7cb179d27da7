import { forgetCalls } from '../../domain/dialing/task-contact.ts';
import { TaskContacts } from '../dialing/index.ts';
import type { Database } from '../table/index.ts';
import { concurrently, keys, Lost, optimistic } from '../table/index.ts';
import type { Tasks } from '../tasks/index.ts';
import type { NumberPlace } from './number-places.ts';

type Dependencies = { database: Database; tasks: Tasks };

const writesAtOnce = 8;

/**
 * Removes the calls of contacts from every task that has taken them up. Answers how many tasks these are: the same
 * number if it is repeated. The contacts must have been deleted: a lease that is given later finds no contact.
 */
export const forgetInTasks = async (
  { database, tasks }: Dependencies,
  places: readonly NumberPlace[],
): Promise<number> => {
  const all = await tasks.ofDataSources(new Set(places.map(({ dataSourceId }) => dataSourceId)));
  const pairs = places.flatMap(({ dataSourceId, seq }) =>
    all.filter((task) => task.dataSourceId === dataSourceId).map(({ id }) => ({ taskId: id, seq })),
  );
  const items =
    pairs.length > 0
      ? await database.batchGet(pairs.map(({ taskId, seq }) => keys.taskContact(taskId, seq)))
      : [];
  const takenUp = pairs.filter((_, i) => items[i] !== undefined);
  const taskContacts = new TaskContacts(database);
  await concurrently(takenUp, writesAtOnce, ({ taskId, seq }) =>
    optimistic(async () => {
      const [contact] = await taskContacts.read(taskId, [seq]);
      if (contact === undefined || contact.results.length === 0) return;
      if (!(await taskContacts.write(forgetCalls(contact)))) throw new Lost();
    }),
  );
  return new Set(takenUp.map(({ taskId }) => taskId)).size;
};
