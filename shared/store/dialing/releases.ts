import { parseCallId } from '../../domain/call-id.ts';
import type { Instant } from '../../domain/time.ts';
import { callSign } from '../contacts/contact-items.ts';
import type { Database } from '../database.ts';
import { keys } from '../keys.ts';
import { unlessRefused } from '../retry.ts';
import type { TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';

/** Takes back calls that a dialer leased but could not begin, before their leases end. */
export class Releases {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, taskContacts: TaskContacts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
  }

  /**
   * The contact waits in its old place, or from `notBefore` on; no call is counted. Nothing happens when
   * the call was reported or its lease has run out. Breaks off at any point without
   * harm: the lease still ends in its time.
   */
  async release(callId: string, now: Instant, notBefore: Instant): Promise<void> {
    const call = parseCallId(callId);
    if (call === undefined) return;
    const [leased] = await this.#taskContacts.read(call.taskId, [call.seq]);
    if (leased?.state !== 'leased' || leased.nonce !== call.nonce || leased.leaseUntil <= now) return;
    await this.#showNoCall(leased);
    await this.#taskContacts.write({
      ...leased,
      state: 'waiting',
      due: Math.max(leased.due, notBefore),
    });
  }

  #showNoCall({ taskId, dataSourceId, seq, leaseUntil }: TaskContact): Promise<unknown> {
    return unlessRefused(() =>
      this.#database.update(keys.contact(dataSourceId, seq), {
        UpdateExpression: 'REMOVE #call',
        ConditionExpression: '#call = :until',
        ExpressionAttributeNames: { '#call': callSign(taskId) },
        ExpressionAttributeValues: { ':until': leaseUntil },
      }),
    );
  }
}
