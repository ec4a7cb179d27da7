import type { Contact } from '../../domain/contacts/contact.ts';
import { isFailed } from '../../domain/dialing/task-contact.ts';
import { type ContactStanding, contactStanding, untouched } from '../../domain/dialing/task-contact-views.ts';
import { isAmongContacts, type Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { dialStateOf, taskContactOf } from '../dialing/index.ts';
import type { Database } from '../table/index.ts';
import { keys, recordOf } from '../table/index.ts';
import type { TaskOfSource } from '../tasks/index.ts';

/** How the contact stands in one task that calls its data source. */
export type PersonTask = TaskOfSource & ContactStanding & { lastCallTime: Instant | null };

/**
 * What each of the tasks has made of the contact. Contacts that were added after the end of a task are not among its
 * contacts. The task's record is read only where the contact is untouched, and its recalls only where it has failed.
 */
export const readPersonTasks = async (
  database: Database,
  contact: Contact,
  tasks: readonly TaskOfSource[],
  now: Instant,
): Promise<PersonTask[]> => {
  const items = await database.batchGet(tasks.map(({ id }) => keys.taskContact(id, contact.seq)));
  const known = items.map((item) => item && taskContactOf(item));
  const more = await database.batchGet(
    tasks
      .map(({ id }, i) => (known[i] === undefined ? keys.task(id) : keys.dialState(id)))
      .filter((_, i) => known[i] === undefined || isFailed(known[i])),
  );
  let next = 0;
  return tasks.flatMap((task, i): PersonTask[] => {
    const taskContact = known[i];
    if (taskContact === undefined) {
      const record = more[next++];
      const isIn = record !== undefined && isAmongContacts(recordOf<Task>(record), contact);
      return isIn ? [{ ...task, ...untouched, lastCallTime: null }] : [];
    }
    const { recallNumber } = dialStateOf(task.id, isFailed(taskContact) ? more[next++] : undefined);
    const standing = contactStanding(taskContact, recallNumber, now);
    return [{ ...task, ...standing, lastCallTime: taskContact.lastCallTime }];
  });
};
