import { type OutcomeStatus, outcomeStatus } from '../../domain/dialing.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently } from '../concurrently.ts';
import type { Database, TransactItem } from '../database.ts';
import { chunkOf, contactsPerChunk, keys, seqKey } from '../keys.ts';
import { isLost, unlessRefused } from '../retry.ts';
import { tableDefinition } from '../table.ts';
import {
  itemOf,
  type Lease,
  leaseUpdate,
  type Place,
  placeOf,
  type TaskContact,
  taskContactOf,
  whileUnchanged,
} from './task-contact.ts';
import { countAllOf } from './task-counters.ts';

/** What a task has made of one contact so far. */
export type TaskOutcome = {
  status: OutcomeStatus;
  callCount: number;
  /** Seconds. */
  callDuration: number;
  lastCallTime: Instant | null;
};

const outcomeOf = (contact: TaskContact, now: Instant): TaskOutcome => ({
  status:
    contact.state === 'leased' && contact.leaseUntil > now
      ? outcomeStatus.inCall
      : outcomeStatus[contact.outcome ?? 'notDialed'],
  callCount: contact.callCount,
  callDuration: contact.duration,
  lastCallTime: contact.lastCallTime,
});

const queriesAtOnce = 16;
/** How much more of the line is read at a time after the first look. */
const pageGrowth = 4;
/** The last instant and sequence number that keys hold. */
const endOfTime = 9_999_999_999_999;
const contactsAtMost = 999_999_999;

/** Reads and writes task contacts; each write goes to the version that was read. */
export class TaskContacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order of the sequence numbers; `undefined` where the task has not taken the contact up. */
  async read(taskId: string, seqs: readonly number[]): Promise<(TaskContact | undefined)[]> {
    const items = await this.#database.batchGet(seqs.map((seq) => keys.taskContact(taskId, seq)));
    return items.map((item) => item && taskContactOf(item));
  }

  /** Those of sequence numbers `from` up to but not including `to`. */
  async range(taskId: string, from: number, to: number): Promise<TaskContact[]> {
    if (from >= to) return [];
    const chunks = Array.from({ length: chunkOf(to - 1) - chunkOf(from) + 1 }, (_, i) => chunkOf(from) + i);
    const found = await concurrently(chunks, queriesAtOnce, async (chunk) => {
      const items = await this.#database.queryAll({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': keys.taskContactPartition(taskId, chunk),
          ':from': seqKey(Math.max(from, chunk * contactsPerChunk)),
          ':to': seqKey(Math.min(to, (chunk + 1) * contactsPerChunk) - 1),
        },
      });
      return items.map(taskContactOf);
    });
    return found.flat();
  }

  /** The outcome of each contact that the task has taken up, by sequence number; `to` is not included. */
  async outcomes(taskId: string, from: number, to: number, now: Instant): Promise<Map<number, TaskOutcome>> {
    const contacts = await this.range(taskId, from, to);
    return new Map(contacts.map((contact) => [contact.seq, outcomeOf(contact, now)]));
  }

  /**
   * The places in line at a priority that are due by `until`, the first `expected` in one read, those of
   * contacts in a call among them. The index may lag behind the table by a moment.
   */
  async *line(
    taskId: string,
    priority: number,
    expected: number,
    until: Instant = endOfTime,
  ): AsyncGenerator<Place> {
    let after = keys.indexSort(0, 0);
    for (let limit = expected; ; limit *= pageGrowth) {
      const items = await this.#database.queryAll({
        IndexName: tableDefinition.index.name,
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :after AND :until',
        ExpressionAttributeValues: {
          ':pk': keys.line(taskId, priority),
          ':after': after,
          ':until': keys.indexSort(until, contactsAtMost),
        },
        Limit: limit,
      });
      yield* items.map(placeOf);
      if (items.length < limit) return;
      after = `${items.at(-1)?.gsi1sk}#`;
    }
  }

  /** Who failed for good in an epoch, in the order their calls ended; like the line, it may lag a moment. */
  async failed(taskId: string, epoch: number, limit: number): Promise<number[]> {
    const items = await this.#database.queryAll({
      IndexName: tableDefinition.index.name,
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.failed(taskId, epoch) },
      Limit: limit,
    });
    return items.map(({ sk }) => Number(sk));
  }

  /** Answers the contact as it was in line; `undefined` when it is there no longer. */
  async lease(
    taskId: string,
    { seq, version }: Pick<Place, 'seq' | 'version'>,
    lease: Lease,
  ): Promise<TaskContact | undefined> {
    const update = leaseUpdate(lease, version);
    const item = await unlessRefused(() =>
      this.#database.update(keys.taskContact(taskId, seq), update, 'ALL_OLD'),
    );
    return item && taskContactOf(item);
  }

  /** Whether it was written; not when another writer came first. */
  async write(contact: TaskContact): Promise<boolean> {
    const written = await unlessRefused(async () => {
      await this.#database.put(itemOf(contact), whileUnchanged(contact));
      return true;
    });
    return written ?? false;
  }

  /** Brings a contact into line whose first lease has run out; nothing when it is out of that lease by now. */
  async takeBack(contact: TaskContact): Promise<void> {
    // The nonce stays: a late result counts as long as nobody else was given the contact.
    await this.write({ ...contact, state: 'waiting', due: contact.leaseUntil });
  }

  writeOf = (contact: TaskContact) => this.#database.putOf(itemOf(contact), whileUnchanged(contact));

  /**
   * Settles open task contacts of one task whose contacts were deleted, all or none. None when one of them or
   * `also` changed meanwhile, or was being changed.
   */
  async markGone(contacts: readonly TaskContact[], also: readonly TransactItem[] = []): Promise<void> {
    const [{ taskId }] = contacts as [TaskContact];
    try {
      await this.#database.transact([
        ...contacts.map((contact) => this.writeOf({ ...contact, state: 'gone' })),
        ...countAllOf(
          this.#database,
          taskId,
          contacts.map(({ seq }) => ({ seq, settled: 1 })),
        ),
        ...also,
      ]);
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
}
