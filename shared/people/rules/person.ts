import { type Contact, contactStatus, statusAt } from '../../contacts/rules/contact.ts';
import {
  type ContactStanding,
  callRow,
  holdRows,
  nextCallColumns,
} from '../../dialing/rules/task-contact-views.ts';
import type { LastingHold } from '../../dialing/rules/waits.ts';
import { dayMs, type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';

/**
 * Days for which stored answers and table backups are kept. Files expire before: uploads after 30
 * days, exports after one.
 */
const answerDays = 1;
const backupDays = 35;

/** When the last copy that expires by itself is gone: a backup of the last stored answer. */
export const lastCopyExpires = (now: Instant): Instant => now + (answerDays + backupDays) * dayMs;

/** How the contact stands in one task that calls its data source. */
type TaskOfPerson = ContactStanding & {
  id: string;
  taskName: string;
  lastCallTime: Instant | null;
  /** What holds the contact back. Missing if it is not to be called. */
  holds: readonly LastingHold[] | undefined;
};
export type ContactOfPerson = {
  contactId: string;
  dataSourceId: string;
  /** `undefined`: the contact was deleted. */
  contact: Contact | undefined;
  dataSourceName: string;
  tasks: readonly TaskOfPerson[];
};

/** What is known of a contact itself. For a deleted contact that is only its calls. */
const contactColumns = ({ contact, tasks }: ContactOfPerson, now: Instant) => {
  if (contact !== undefined)
    return {
      customerName: contact.fields.customerName ?? '',
      status: statusAt(contact, now),
      callCount: contact.callCount,
    };
  const calls = tasks.flatMap((task) => task.calls).sort((a, b) => a.time - b.time);
  return {
    customerName: '',
    status: contactStatus[calls.at(-1)?.outcome ?? 'notDialed'],
    callCount: calls.length,
  };
};

/** A contact of a person, with what each task has made of it. */
export const personContactRow = (found: ContactOfPerson, now: Instant, format: FormatTime) => ({
  dataSourceId: found.dataSourceId,
  dataSourceName: found.dataSourceName,
  contactId: found.contactId,
  deleted: found.contact === undefined,
  ...contactColumns(found, now),
  tasks: found.tasks.map(
    ({ id, taskName, is, attempts, lastCallTime, holds, blockReason, blockedBy, calls }) => ({
      taskId: id,
      taskName,
      outcome: is,
      attempts,
      lastCallTime: formatOrNull(lastCallTime, format),
      ...nextCallColumns(holds, format),
      holds: holdRows(holds, format),
      blockReason,
      blockedBy: [...blockedBy],
      calls: calls.map((call) => callRow(call, format)),
    }),
  ),
});
