import { readTallies } from '../../dialing/task-counters.ts';
import { TaskCounts } from '../../insight/task-counts.ts';
import type { Base } from './base.ts';
import { type ContactRuntime, openContacts } from './contacts.ts';

export const countsOf = ({ database, contacts }: Pick<ContactRuntime, 'database' | 'contacts'>) =>
  new TaskCounts(contacts, (ids) => readTallies(database, ids));

/** What counts the calls and contacts of tasks. */
export const openCounts = (base: Base) => {
  const stores = openContacts(base);
  return { ...stores, taskCounts: countsOf(stores) };
};

export type CountRuntime = ReturnType<typeof openCounts>;
