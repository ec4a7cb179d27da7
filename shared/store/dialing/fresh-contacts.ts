import type { Contact } from '../../domain/contact.ts';
import type { Task } from '../../domain/task.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { DialState } from './dial-state.ts';
import type { TaskContacts } from './task-contacts.ts';

/** Steps over contacts that were recalled ahead of the cursor, at least so many at a time. */
const stride = 100;

export type Fresh = {
  contacts: Contact[];
  /** Where the search began to be worth while: nothing fresh lies between the cursor and here. */
  from: number;
};

/** The next contacts that the task has not taken up, in the order they were added. */
export const readFresh = async (
  contacts: Contacts,
  taskContacts: TaskContacts,
  task: Task,
  { cursor, ahead }: DialState,
  limit: number,
): Promise<Fresh> => {
  for (let from = cursor; ; ) {
    const count = from < ahead ? Math.max(limit, stride) : limit;
    const { contacts: next, nextSeq } = await contacts.claimable(task.dataSourceId, from, count);
    const taken =
      from < ahead
        ? new Set((await taskContacts.range(task.id, from, nextSeq)).map(({ seq }) => seq))
        : new Set();
    const fresh = next.filter(({ seq }) => !taken.has(seq));
    if (fresh.length > 0 || next.length === 0) return { contacts: fresh.slice(0, limit), from };
    from = nextSeq;
  }
};
