import { type ContactStanding, callRow } from '../dialing/task-contact-views.ts';
import { type FormatTime, formatOrNull, type Instant } from '../time.ts';
import { type Contact, statusAt } from './contact.ts';

type TaskOfPerson = ContactStanding & { id: string; taskName: string; lastCallTime: Instant | null };
type ContactOfPerson = { contact: Contact; dataSourceName: string; tasks: readonly TaskOfPerson[] };

/** A contact of a person, with what each task has made of it. */
export const personContactRow = (
  { contact, dataSourceName, tasks }: ContactOfPerson,
  now: Instant,
  format: FormatTime,
) => ({
  dataSourceId: contact.dataSourceId,
  dataSourceName,
  contactId: contact.id,
  customerName: Object.hasOwn(contact.fields, 'customerName') ? contact.fields.customerName : '',
  status: statusAt(contact, now),
  callCount: contact.callCount,
  tasks: tasks.map(({ id, taskName, outcome, attempts, lastCallTime, nextCallTime, calls }) => ({
    taskId: id,
    taskName,
    outcome,
    attempts,
    lastCallTime: formatOrNull(lastCallTime, format),
    nextCallTime: formatOrNull(nextCallTime, format),
    calls: calls.map((call) => callRow(call, format)),
  })),
});
