import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database, Item } from '../database.ts';
import { keys, timeKey } from '../keys.ts';
import { newTaskContact, type Place, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';

/**
 * What one lease call took of one task. It is written before the task contacts are, so that whatever
 * becomes of the dialer, or of this process half-way, the contacts are found again when the lease ends.
 */
export type LeaseRecord = {
  taskId: string;
  until: Instant;
  nonce: string;
  /** Contacts taken from the cursor: counted as claimed, whether or not they were written since. */
  fresh: number[];
  /** Contacts that were due, with the version that was to be replaced. */
  due: Omit<Place, 'due'>[];
};

/** Whether a lease has taken the contact at a place in line. */
export type TakenPlaces = (place: Place) => boolean;

const dueText = ({ seq, version }: Omit<Place, 'due'>) => `${seq}:${version}`;

/** Enough to keep up with any number of dialers, few enough for one short request. */
const reclaimedAtOnce = 20;

export const leaseItem = ({ taskId, until, nonce, fresh, due }: LeaseRecord): Item => ({
  ...keys.lease(taskId, until, nonce),
  fresh,
  due: due.map(dueText),
});

const leaseRecordOf = (taskId: string, item: Item): LeaseRecord => {
  const [until = '', nonce = ''] = item.sk.split('#');
  return {
    taskId,
    until: Number(until),
    nonce,
    fresh: item.fresh as number[],
    due: (item.due as string[]).map((text) => {
      const [seq, version] = text.split(':').map(Number);
      return { seq: seq ?? 0, version: version ?? 0 };
    }),
  };
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
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk < :now',
      ExpressionAttributeValues: { ':pk': keys.leases(task.id), ':now': timeKey(now + 1) },
      Limit: reclaimedAtOnce,
    });
    await Promise.all(items.map((item) => this.#reclaim(task, leaseRecordOf(task.id, item))));
  }

  /** The places in line whose contacts leases have taken. A moment old at most: claims look for themselves. */
  async placesTaken(taskId: string): Promise<TakenPlaces> {
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.leases(taskId) },
      ConsistentRead: false,
    });
    const taken = new Set(items.flatMap(({ due }) => due as string[]));
    return (place) => taken.has(dueText(place));
  }

  async #reclaim(task: Task, record: LeaseRecord): Promise<void> {
    const seqs = [...record.fresh, ...record.due.map(({ seq }) => seq)];
    const read = await this.#taskContacts.read(task.id, seqs);
    const freed = seqs.flatMap((seq, i) => freedFrom(task, record, seq, read[i]) ?? []);
    const written = await Promise.all(freed.map((contact) => this.#taskContacts.write(contact)));
    // Whoever changed one of them meanwhile may be a late writer of this very lease: look again next time.
    if (written.every(Boolean)) await this.#database.delete(keys.lease(task.id, record.until, record.nonce));
  }
}

/** What to write so that the lease no longer holds the contact; nothing where it does not. */
const freedFrom = (
  task: Task,
  { until, nonce, due }: LeaseRecord,
  seq: number,
  contact: TaskContact | undefined,
): TaskContact | undefined => {
  if (contact === undefined) return newTaskContact(task, seq, until);
  // The nonce stays: a late result counts as long as nobody else was given the contact.
  if (contact.state === 'leased' && contact.nonce === nonce)
    return { ...contact, state: 'waiting', due: until };
  // Still as the lease found it: a new version keeps a writer that was held up from leasing it unrecorded.
  return due.some((taken) => taken.seq === seq && taken.version === contact.version) ? contact : undefined;
};
