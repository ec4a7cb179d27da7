import type { Call, CallRef } from '../calls/rules/call.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import { type Database, Lost, type TransactItem } from '../platform/table/database.ts';
import { ifUnchanged, keyRange } from '../platform/table/expressions.ts';
import { nearRuns } from '../platform/table/groups.ts';
import { chunkOf, contactsPerChunk, type Key, keys, seqKey, timeKey } from '../platform/table/keys.ts';
import { optimistic, tryWrite, tryWriteOnce, unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import { channelEnd } from '../tasks/rules/limits.ts';
import type { Task } from '../tasks/rules/task.ts';
import { intakeOf, readDialState, readIntakesUpTo, readPassed } from './dial-progress-items.ts';
import { type IndexPlace, itemOf, leaseUpdate, readPlaces, taskContactOf } from './dialing-items.ts';
import { callRefs } from './rules/contact-calls.ts';
import { allLevels, passedTo } from './rules/dial-state.ts';
import { isInCall, isOutOfLine, type Lease, type TaskContact } from './rules/task-contact.ts';
import { type ContactSummary, contactSummary, noCall } from './rules/task-contact-views.ts';
import { countAt, countMoves, type Move } from './task-counters.ts';

const queriesAtOnce = 16;
/** A neighbour at most this far away is cheaper to read in the same query than by its key. */
const nearby = 8;
/** A query of fewer neighbours costs no less than reading each by its key. */
const worthQuery = 3;
/** By this factor the reads of the line grow after the first one. */
const pageGrowth = 4;
/** Places in line that are read at a time to find contacts in a call. */
const placesAtOnce = 100;
/** Together with the counter items and the dial state, below the 100 items of a transaction. */
export const movedAtOnce = 80;

/** Reads and writes task contacts. Each write needs the version that was read. */
export class TaskContacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order of the sequence numbers. `undefined` if the task has not taken the contact up. */
  read(taskId: string, seqs: readonly number[]): Promise<(TaskContact | undefined)[]> {
    return this.readOfTasks(seqs.map((seq) => ({ taskId, seq })));
  }

  /** In the order of `asked`. `undefined` if the task has not taken the contact up. */
  async readOfTasks(asked: readonly { taskId: string; seq: number }[]): Promise<(TaskContact | undefined)[]> {
    const items = await this.#database.batchGet(
      asked.map(({ taskId, seq }) => keys.taskContact(taskId, seq)),
    );
    return items.map((item) => item && taskContactOf(item));
  }

  /** The calls that have ended, each with the time of its end. */
  async endedCalls(calls: readonly Call[]): Promise<CallRef[]> {
    const contacts = await this.readOfTasks(calls);
    return contacts.flatMap((contact, i) =>
      contact === undefined ? [] : callRefs(contact).filter(({ nonce }) => nonce === calls[i]!.nonce),
    );
  }

  /** The task contacts of these sequence numbers, ascending. Neighbours are read together. */
  async among(taskId: string, seqs: readonly number[]): Promise<TaskContact[]> {
    const runs = nearRuns(seqs, nearby);
    const many = runs.filter(({ length }) => length >= worthQuery);
    const few = runs.filter(({ length }) => length < worthQuery).flat();
    const [ranges, singles] = await Promise.all([
      concurrently(many, queriesAtOnce, (run) => this.range(taskId, run[0]!, run.at(-1)! + 1)),
      few.length > 0 ? this.read(taskId, few) : [],
    ]);
    const asked = new Set(seqs);
    return [...ranges.flat(), ...singles]
      .filter((contact) => contact !== undefined)
      .filter(({ seq }) => asked.has(seq));
  }

  /** The task contacts of the sequence numbers from `from` to before `to`. */
  async range(taskId: string, from: number, to: number): Promise<TaskContact[]> {
    if (from >= to) return [];
    const chunks = Array.from({ length: chunkOf(to - 1) - chunkOf(from) + 1 }, (_, i) => chunkOf(from) + i);
    const found = await concurrently(chunks, queriesAtOnce, async (chunk) => {
      const items = await this.#database.queryAll(
        keyRange(
          keys.taskContactPartition(taskId, chunk),
          seqKey(Math.max(from, chunk * contactsPerChunk)),
          seqKey(Math.min(to, (chunk + 1) * contactsPerChunk) - 1),
        ),
      );
      return items.map(taskContactOf);
    });
    return found.flat();
  }

  /**
   * A summary of each contact that the task has taken up or passed, by sequence number, from `from`
   * to before `to`.
   */
  async summaries(
    task: Pick<Task, 'id' | 'status'>,
    from: number,
    to: number,
    now: Instant,
  ): Promise<Map<number, ContactSummary>> {
    const dial = await readDialState(this.#database, task.id);
    const isPassed = await readPassed(this.#database, dial);
    const contacts = await this.range(task.id, from, to);
    const seqs = Array.from({ length: Math.max(0, Math.min(to, passedTo(dial)) - from) }, (_, i) => from + i);
    return new Map([
      ...seqs.filter(isPassed).map((seq) => [seq, noCall('notSelected')] as const),
      ...contacts.map((contact) => [contact.seq, contactSummary(contact, task, dial, now)] as const),
    ]);
  }

  /**
   * The places in line at a priority that are due by `until`, the first `expected` in one read,
   * including places of contacts in a call. The index may lag a moment behind the table.
   */
  async *line(
    taskId: string,
    priority: number,
    expected: number,
    until?: Instant,
  ): AsyncGenerator<IndexPlace> {
    let after: string | undefined;
    for (let limit = expected; ; limit *= pageGrowth) {
      const places = await readPlaces(this.#database, keys.line(taskId, priority), { after, until, limit });
      yield* places;
      if (places.length < limit) return;
      after = places.at(-1)?.sort;
    }
  }

  /** When the first contact in line comes due, and when the leases before it end. */
  async dueTimes(taskId: string, priority: number): Promise<Instant[]> {
    const times: Instant[] = [];
    for await (const { since, isLeased } of this.line(taskId, priority, 1)) {
      times.push(since);
      // Contacts in a call were due before every contact that waits.
      if (!isLeased) break;
    }
    return times;
  }

  /** The contacts in line at a priority that are in a call. */
  async inCall(taskId: string, priority: number, now: Instant): Promise<number[]> {
    const seqs: number[] = [];
    for await (const { seq, since, isLeased } of this.line(taskId, priority, placesAtOnce, now))
      if (isLeased && since > now) seqs.push(seq);
    return seqs;
  }

  /**
   * Contacts that failed for good after this number of recalls, in the order in which their calls
   * ended. The index may lag.
   */
  async failed(taskId: string, recallNumber: number, limit: number): Promise<number[]> {
    const partitions = [keys.failed(taskId, recallNumber), keys.unanswered(taskId, recallNumber)];
    const places = await Promise.all(
      partitions.map((partition) => readPlaces(this.#database, partition, { limit })),
    );
    return places
      .flat()
      .sort((a, b) => (a.sort < b.sort ? -1 : 1))
      .slice(0, limit)
      .map(({ seq }) => seq);
  }

  /** @returns the contact as it was before; undefined if another request was faster */
  async lease(
    taskId: string,
    { seq, version }: Pick<IndexPlace, 'seq' | 'version'>,
    lease: Lease,
  ): Promise<TaskContact | undefined> {
    const update = leaseUpdate(lease, version);
    const item = await unlessLost(() =>
      this.#database.update(keys.taskContact(taskId, seq), update, 'ALL_OLD'),
    );
    return item && taskContactOf(item);
  }

  /** @returns whether it was written; false if another writer came first */
  write(contact: TaskContact): Promise<boolean> {
    return tryWrite(() => this.#database.put(itemOf(contact), ifUnchanged(contact.version)));
  }

  writeOf = (contact: TaskContact) => this.#database.putOf(itemOf(contact), ifUnchanged(contact.version));

  /** Moves of one task's contacts, at most `movedAtOnce`, and what they add to its counters. */
  movesOf = (moves: readonly Move[]): TransactItem[] => [
    ...moves.map(({ after }) => this.writeOf(after)),
    ...countMoves(this.#database, moves),
  ];

  /** The move of a result. `counter`: where results of the contact are counted. */
  resultOf = (move: Move, counter: Key): TransactItem[] => [
    this.writeOf(move.after),
    ...countAt(this.#database, counter, [move]),
  ];

  /**
   * Moves of one task's contacts, each transaction with these checks. A transaction that lost to
   * another writer is skipped.
   * @returns how many moves were skipped
   */
  async move(moves: readonly Move[], checks: readonly TransactItem[] = []): Promise<number> {
    let leftOut = 0;
    for (let at = 0; at < moves.length; at += movedAtOnce) {
      const some = moves.slice(at, at + movedAtOnce);
      const isWritten = await tryWriteOnce(() => this.#database.transact([...this.movesOf(some), ...checks]));
      if (!isWritten) leftOut += some.length;
    }
    return leftOut;
  }
}

/** The contacts whose first call has not ended, by sequence number. */
type FirstCalls = {
  inCall: number[];
  /** Contacts whose first lease has expired. They wait, but are not in line. */
  lapsed: number[];
  /** Contacts that were taken up and not called yet. */
  untouched: number[];
};

/** Intakes that are read at first. Each may list some fifty contacts. */
const intakesAtFirst = 4;

/**
 * The contacts of a task's intakes, some at a time: those that were never leased, then those that
 * were leased last.
 */
async function* listedByIntakes(database: Database, taskId: string): AsyncGenerator<number[]> {
  const fresh = await readIntakesUpTo(database, taskId, 0);
  yield fresh.flatMap(({ seqs }) => seqs);
  let before = timeKey(Number.MAX_SAFE_INTEGER);
  for (let limit = intakesAtFirst; ; limit *= pageGrowth) {
    const items = await database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk < :before',
      ExpressionAttributeValues: { ':pk': keys.intakes(taskId), ':before': before },
      ScanIndexForward: false,
      Limit: limit,
    });
    yield items.flatMap((item) => intakeOf(taskId, item).seqs);
    const oldest = items.at(-1);
    if (oldest === undefined || items.length < limit) return;
    before = oldest.sk;
  }
}

/**
 * Intakes also list contacts whose call has ended, for as long as a lease lasts. So the intakes of
 * the latest leases are read first, until `expected` contacts in a first call are found. Without
 * `expected` all intakes are read.
 */
export const readFirstCalls = async (
  database: Database,
  taskContacts: TaskContacts,
  taskId: string,
  now: Instant,
  expected = Number.POSITIVE_INFINITY,
): Promise<FirstCalls> => {
  const listed = new Set<number>();
  const found: TaskContact[] = [];
  for await (const seqs of listedByIntakes(database, taskId)) {
    const unread = [...new Set(seqs)].filter((seq) => !listed.has(seq)).sort((a, b) => a - b);
    for (const seq of unread) listed.add(seq);
    found.push(...(await taskContacts.among(taskId, unread)));
    if (found.filter(isOutOfLine).length >= expected) break;
  }
  const known = new Set(found.map(({ seq }) => seq));
  const leased = found.filter(isOutOfLine);
  const seqsOf = (some: readonly TaskContact[]) => some.map(({ seq }) => seq).sort((a, b) => a - b);
  return {
    inCall: seqsOf(leased.filter((contact) => isInCall(contact, now))),
    lapsed: seqsOf(leased.filter((contact) => !isInCall(contact, now))),
    untouched: [...listed].filter((seq) => !known.has(seq)).sort((a, b) => a - b),
  };
};

const callsAtOnce = 16;

/**
 * Gives each call in progress of a task a channel, if it has none, because limits were set after it
 * was leased. Any number of waiting contacts may be in line before a contact in a call, so the
 * whole line is read, once for each task that gets its first limit while it runs.
 * @returns how many channels there are, by the time at which they are free
 */
export const channelsInProgress = async (
  database: Database,
  taskContacts: TaskContacts,
  task: Task,
  now: Instant,
): Promise<Map<Instant, number>> => {
  const [{ inCall }, ...lines] = await Promise.all([
    readFirstCalls(database, taskContacts, task.id, now),
    ...allLevels.map((level) => taskContacts.inCall(task.id, level, now)),
  ]);
  const ends = await concurrently([...inCall, ...lines.flat()], callsAtOnce, (seq) =>
    channelOf(taskContacts, task.id, seq, now),
  );
  const counts = new Map<Instant, number>();
  for (const end of ends.flat()) counts.set(end, (counts.get(end) ?? 0) + 1);
  return counts;
};

/** @returns undefined if the call has ended meanwhile */
const channelOf = (
  taskContacts: TaskContacts,
  taskId: string,
  seq: number,
  now: Instant,
): Promise<Instant[]> =>
  optimistic(async () => {
    const [contact] = await taskContacts.read(taskId, [seq]);
    if (contact?.state !== 'leased' || !isInCall(contact, now)) return [];
    const { lease } = contact;
    if (lease.channels?.task !== undefined) return [lease.channels.task];
    const end = channelEnd(lease.until, now);
    const channels = { ...lease.channels, task: end };
    if (!(await taskContacts.write({ ...contact, lease: { ...lease, channels } }))) throw new Lost();
    return [end];
  });
