import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently } from '../concurrently.ts';
import type { Database, Item } from '../database.ts';
import { keys, timeKey } from '../keys.ts';
import { unlessRefused } from '../retry.ts';
import { isOutOfLine, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';

/**
 * Contacts that the cursor left behind in their first call. They are in no line yet, so the record is what
 * finds them again when their leases end, whatever became of the dialer.
 */
export type LeaseRecord = {
  taskId: string;
  /** When the first of their leases ends. */
  until: Instant;
  /** Where the cursor went; tells records of one instant apart. */
  end: number;
  seqs: number[];
};

/** Looked at in one go, and at the most in one request. */
const [reclaimedAtOnce, reclaimedAtMost] = [100, 1000];
const writesAtOnce = 16;

export const recordOf = (taskId: string, inCall: readonly TaskContact[], end: number): LeaseRecord => ({
  taskId,
  until: Math.min(...inCall.map(({ leaseUntil }) => leaseUntil)),
  end,
  seqs: inCall.map(({ seq }) => seq),
});

export const leaseItem = ({ taskId, until, end, seqs }: LeaseRecord): Item => ({
  ...keys.lease(taskId, until, end),
  seqs,
});

const leaseRecordOf = (taskId: string, { sk, seqs }: Item): LeaseRecord => {
  const [until, end] = sk.split('#').map(Number) as [number, number];
  return { taskId, until, end, seqs: seqs as number[] };
};

/** Takes back what leases that ran out still hold. */
export class LeaseRecords {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, taskContacts: TaskContacts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
  }

  async reclaimExpired({ id: taskId }: Task, now: Instant): Promise<void> {
    for (let reclaimed = 0; reclaimed < reclaimedAtMost; reclaimed += reclaimedAtOnce) {
      const items = await this.#database.queryAll({
        KeyConditionExpression: 'pk = :pk AND sk < :now',
        ExpressionAttributeValues: { ':pk': keys.leases(taskId), ':now': timeKey(now + 1) },
        Limit: reclaimedAtOnce,
      });
      const records = items.map((item) => leaseRecordOf(taskId, item));
      const read = await this.#taskContacts.read(
        taskId,
        records.flatMap(({ seqs }) => seqs),
      );
      const contacts = new Map(read.flatMap((contact) => (contact ? [[contact.seq, contact]] : [])));
      await concurrently(records, writesAtOnce, (record) => this.#reclaim(record, contacts, now));
      if (items.length < reclaimedAtOnce) return;
    }
  }

  async #reclaim(
    { taskId, until, end, seqs }: LeaseRecord,
    contacts: ReadonlyMap<number, TaskContact>,
    now: Instant,
  ): Promise<void> {
    const inCall = seqs.flatMap((seq) => contacts.get(seq) ?? []).filter(isOutOfLine);
    const dropped = inCall.filter(({ leaseUntil }) => leaseUntil <= now);
    await Promise.all(dropped.map((contact) => this.#taskContacts.takeBack(contact)));
    const left = inCall.filter(({ leaseUntil }) => leaseUntil > now);
    if (left.length > 0)
      await unlessRefused(() => this.#database.put(leaseItem(recordOf(taskId, left, end))));
    await unlessRefused(() => this.#database.delete(keys.lease(taskId, until, end)));
  }
}
