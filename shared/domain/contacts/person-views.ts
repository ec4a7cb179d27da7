import type { ContactStanding } from '../dialing/task-contact-views.ts';
import { callRow } from '../dialing/task-contact-views.ts';
import type { FormatTime, Instant } from '../time.ts';
import { type Contact, statusAt } from './contact.ts';

type TaskOfPerson = ContactStanding & { id: string; taskName: string; lastCallTime: Instant | null };
type ContactOfPerson = { contact: Contact; dataSourceName: string; tasks: readonly TaskOfPerson[] };

const timeOrNull = (time: Instant | null, format: FormatTime) => (time === null ? null : format(time));

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
    lastCallTime: timeOrNull(lastCallTime, format),
    nextCallTime: timeOrNull(nextCallTime, format),
    calls: calls.map((call) => callRow(call, format)),
  })),
});
