import { outcomeStatus } from '../dialing/dialing.ts';
import { type ContactStanding, callRow } from '../dialing/task-contact-views.ts';
import { type FormatTime, formatOrNull, type Instant } from '../time.ts';
import { type Contact, statusAt } from './contact.ts';

type TaskOfPerson = ContactStanding & { id: string; taskName: string; lastCallTime: Instant | null };
type ContactOfPerson = {
  contactId: string;
  dataSourceId: string;
  /** `undefined`: the contact was deleted. */
  contact: Contact | undefined;
  dataSourceName: string;
  tasks: readonly TaskOfPerson[];
};

/** What is known of a contact itself. Of a deleted contact only its calls are. */
const contactColumns = ({ contact, tasks }: ContactOfPerson, now: Instant) => {
  if (contact !== undefined)
    return {
      customerName: Object.hasOwn(contact.fields, 'customerName') ? contact.fields.customerName : '',
      status: statusAt(contact, now),
      callCount: contact.callCount,
    };
  const calls = tasks.flatMap((task) => task.calls).sort((a, b) => a.time - b.time);
  return {
    customerName: '',
    status: outcomeStatus[calls.at(-1)?.outcome ?? 'notDialed'],
    callCount: calls.length,
  };
};

/** A contact of a person, with what each task has made of it. */
export const personContactRow = (found: ContactOfPerson, now: Instant, format: FormatTime) => ({
  dataSourceId: found.dataSourceId,
  dataSourceName: found.dataSourceName,
  contactId: found.contactId,
  ...contactColumns(found, now),
  tasks: found.tasks.map(({ id, taskName, is, attempts, lastCallTime, nextCallTime, calls }) => ({
    taskId: id,
    taskName,
    outcome: is,
    attempts,
    lastCallTime: formatOrNull(lastCallTime, format),
    nextCallTime: formatOrNull(nextCallTime, format),
    calls: calls.map((call) => callRow(call, format)),
  })),
});
