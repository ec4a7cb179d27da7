import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently } from '../concurrently.ts';
import type { Database, Item } from '../database.ts';
import { keys, timeKey } from '../keys.ts';
import { newTaskContact, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';

/**
 * The fresh contacts that one lease call took of one task: counted as claimed, whether or not they were
 * written since. They are in no line yet, so the record is what finds them again when the lease ends, whatever
 * became of the dialer, or of this process half-way.
 */
export type LeaseRecord = { taskId: string; until: Instant; nonce: string; seqs: number[] };

/** Looked at in one go, and at the most in one request. */
const [reclaimedAtOnce, reclaimedAtMost] = [100, 1000];
const writesAtOnce = 16;

export const leaseItem = ({ taskId, until, nonce, seqs }: LeaseRecord): Item => ({
  ...keys.lease(taskId, until, nonce),
  fresh: seqs,
});

const leaseRecordOf = (taskId: string, { sk, fresh }: Item): LeaseRecord => {
  const [until = '', nonce = ''] = sk.split('#');
  return { taskId, until: Number(until), nonce, seqs: fresh as number[] };
};

/** Takes back what leases that ran out still hold. */
export class LeaseRecords {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, taskContacts: TaskContacts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
  }

  async reclaimExpired(task: Task, now: Instant): Promise<void> {
    for (let reclaimed = 0; reclaimed < reclaimedAtMost; reclaimed += reclaimedAtOnce) {
      const items = await this.#database.queryAll({
        KeyConditionExpression: 'pk = :pk AND sk < :now',
        ExpressionAttributeValues: { ':pk': keys.leases(task.id), ':now': timeKey(now + 1) },
        Limit: reclaimedAtOnce,
      });
      await this.#reclaim(
        task,
        items.map((item) => leaseRecordOf(task.id, item)),
      );
      if (items.length < reclaimedAtOnce) return;
    }
  }

  async #reclaim(task: Task, records: readonly LeaseRecord[]): Promise<void> {
    const read = await this.#taskContacts.read(
      task.id,
      records.flatMap(({ seqs }) => seqs),
    );
    const found = new Map(read.flatMap((contact) => (contact ? [[contact.seq, contact]] : [])));
    await concurrently(records, writesAtOnce, async (record) => {
      const freed = record.seqs.flatMap((seq) => freedFrom(task, record, seq, found.get(seq)) ?? []);
      const written = await Promise.all(freed.map((contact) => this.#taskContacts.write(contact)));
      // Whoever changed one of them meanwhile may be a late writer of this very lease: look again next time.
      if (written.every(Boolean))
        await this.#database.delete(keys.lease(task.id, record.until, record.nonce));
    });
  }
}

/** What to write so that the lease no longer holds the contact; nothing where it does not. */
const freedFrom = (
  task: Task,
  { until, nonce }: LeaseRecord,
  seq: number,
  contact: TaskContact | undefined,
): TaskContact | undefined => {
  if (contact === undefined) return newTaskContact(task, seq, until);
  // The nonce stays: a late result counts as long as nobody else was given the contact.
  return contact.state === 'leased' && contact.nonce === nonce
    ? { ...contact, state: 'waiting', due: until }
    : undefined;
};
