import type { Contact } from '../../domain/contacts/contact.ts';
import { reconsiderContact } from '../../domain/dialing/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently, Lost, optimistic } from '../table/index.ts';
import type { Roster } from '../tasks/index.ts';
import type { TaskContacts } from './task-contacts.ts';

const tasksAtOnce = 8;

/** Contacts whose number or time zone was corrected: what deferred them may not hold any more. */
export class CorrectedContacts {
  readonly #roster: Roster;
  readonly #taskContacts: TaskContacts;

  constructor(roster: Roster, taskContacts: TaskContacts) {
    this.#roster = roster;
    this.#taskContacts = taskContacts;
  }

  /** RUNNING tasks that deferred the contact consider it again. If it still has to wait, it is deferred again. */
  async reconsider({ dataSourceId, seq }: Contact, now: Instant): Promise<void> {
    const running = await this.#roster.entriesOf(dataSourceId);
    await concurrently(running, tasksAtOnce, ({ taskId: id }) =>
      optimistic(async () => {
        const [deferred] = await this.#taskContacts.read(id, [seq]);
        const waiting = deferred && reconsiderContact(deferred, now);
        if (waiting === undefined) return;
        if (!(await this.#taskContacts.write(waiting))) throw new Lost();
        if (waiting.isCallback) await this.#roster.disturbCallbacks({ id }, waiting.due);
        else await this.#roster.bringForward({ id, dataSourceId }, waiting.due);
      }),
    );
  }
}
