import { expect } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { type Directory, readDirectory } from '../../../shared/contacts/directory.ts';
import { isSelected } from '../../../shared/contacts/rules/contact-filter.ts';
import { intakeOf, readDialState } from '../../../shared/dialing/dial-progress-items.ts';
import { taskContactOf } from '../../../shared/dialing/dialing-items.ts';
import { callRefs } from '../../../shared/dialing/rules/contact-calls.ts';
import { type Counters, type DialState, passedTo } from '../../../shared/dialing/rules/dial-state.ts';
import { isInCall, isOutOfLine, type TaskContact } from '../../../shared/dialing/rules/task-contact.ts';
import { contactStanding, type StandingName } from '../../../shared/dialing/rules/task-contact-views.ts';
import { readCounters } from '../../../shared/dialing/task-counters.ts';
import type { Standings } from '../../../shared/insight/rules/task-overview.ts';
import { TaskProgress } from '../../../shared/insight/task-progress.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { blockOf, callParts, chunkOf, type Item, keys } from '../../../shared/platform/table/keys.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { toMilliseconds } from '../../../shared/tasks/rules/task-settings.ts';
import { hasEnded, status } from '../../../shared/tasks/rules/task-states.ts';
import { isOpen } from './slow-schedule.ts';

/** All that the table holds about one task. */
type Found = {
  isCompleted: boolean;
  isStopped: boolean;
  dial: DialState;
  counters: Counters;
  taskContacts: TaskContact[];
  /** Sequence numbers of the contacts that are not deleted. */
  live: Set<number>;
  intakes: { checkTime: number; seqs: number[] }[];
  /** The sort keys of the records of calls. */
  records: string[];
};

const isSettled = ({ state }: TaskContact) => state !== 'waiting' && state !== 'leased';
const parts = Array.from({ length: callParts }, (_, part) => part);
const seqsOf = (contacts: readonly TaskContact[]) => contacts.map(({ seq }) => seq);

const expectSettledCounted = ({ counters, taskContacts }: Found) =>
  expect(counters.settled, 'the counters say how many contacts are settled').toBe(
    taskContacts.filter(isSettled).length,
  );

/** Those of erased persons too. */
const expectCallsCounted = ({ counters: { tally }, taskContacts }: Found) => {
  const sum = (name: 'callCount' | 'duration') =>
    taskContacts.reduce((total, contact) => total + contact[name], 0);
  expect([tally.callCount, tally.duration], 'the counters say how many calls the contacts had').toEqual([
    sum('callCount'),
    toMilliseconds(sum('duration')),
  ]);
};

/** The contacts behind the cursor that are neither called nor in an intake record: they were passed. */
const passedIn = ({ dial, taskContacts, live, intakes }: Found): number[] => {
  const known = new Set([...seqsOf(taskContacts), ...intakes.flatMap(({ seqs }) => seqs)]);
  return [...live].filter((seq) => seq < dial.cursor && !known.has(seq));
};
const expectCallsRecorded = ({ taskContacts, records }: Found) =>
  expect(records.sort(), 'the calls that have a record').toEqual(
    taskContacts
      .flatMap(callRefs)
      .map(({ taskId, seq, endTime, nonce }) => keys.call(taskId, seq, endTime, nonce).sk)
      .sort(),
  );

/** As an overview says how a task stands, counted contact by contact. */
const expectStandingsCounted = (
  { dial, taskContacts, live, intakes }: Found,
  directory: Directory,
  standings: Standings,
  { status }: Task,
  now: number,
) => {
  const known = new Set(seqsOf(taskContacts));
  // Those of an unfinished import do not show yet.
  const taken = new Set(intakes.flatMap(({ seqs }) => seqs));
  const fresh = [...live]
    .filter((seq) => !known.has(seq) && directory.holds(blockOf(seq)))
    .filter((seq) => seq >= dial.cursor || taken.has(seq));
  const standing = taskContacts
    .filter(({ state }) => state !== 'gone')
    .map((contact) => contactStanding(contact, { callInterval: 0, status }, dial, now).is);
  const count = (wanted: StandingName) => standing.filter((is) => is === wanted).length;
  expect(standings, 'the overview').toMatchObject({
    inCall: count('inCall'),
    waiting: count('waiting') + count('callback'),
    callbacks: count('callback'),
    reached: count('success'),
    failed: count('failed'),
    noAnswer: count('noAnswer'),
    blocked: count('blocked'),
    notSelected: dial.passed + count('notSelected'),
    notDialed: fresh.length + (dial.review?.left ?? 0) + count('notDialed'),
  });
  const waits = standings.waits.reduce((sum, { count: some }) => sum + some, 0);
  if (!hasEnded(status) && status !== 0)
    expect(standings.callable + waits, 'callable or waiting').toBe(standings.notDialed! + standings.waiting);
};

import { rulesWithoutLimits } from './dialing.ts';

const expectTakenUpCounted = ({ dial, taskContacts, intakes }: Found) => {
  const known = new Set(seqsOf(taskContacts));
  const listed = intakes.flatMap(({ seqs }) => seqs);
  expect(new Set(listed).size, 'each is in one intake').toBe(listed.length);
  const fresh = new Set(listed.filter((seq) => !known.has(seq)));
  expect(dial.claimed, `${known.size} task contacts and ${fresh.size} yet to be called`).toBe(
    known.size + fresh.size,
  );
  const ahead = taskContacts.filter(({ seq }) => seq >= dial.cursor);
  expect(dial.ahead, 'those that a recall took up ahead of the cursor').toBe(ahead.length);
  expect(Math.max(-1, ...fresh), 'of those to be called, none is ahead of the cursor').toBeLessThan(
    dial.cursor,
  );
};

/** Nothing but their number is stored of them. Contacts that were deleted since stay counted. */
const expectPassedCounted = (found: Found) => {
  const { dial, taskContacts, live, intakes } = found;
  const known = new Set([...seqsOf(taskContacts), ...intakes.flatMap(({ seqs }) => seqs)]);
  const below = Array.from({ length: dial.cursor }, (_, seq) => seq);
  const deleted = below.filter((seq) => !live.has(seq) && !known.has(seq)).length;
  const passed = passedIn(found);
  const counted = dial.passed + (dial.review?.left ?? 0);
  expect(counted, `${passed} were passed`).toBeGreaterThanOrEqual(passed.length);
  expect(counted, `${passed} were passed`).toBeLessThanOrEqual(passed.length + deleted);
  const behind = passed.filter((seq) => seq < passedTo(dial));
  expect(dial.passed, `${behind} are behind the review`).toBeGreaterThanOrEqual(behind.length);
};

const expectNobodyForgotten = ({ taskContacts, intakes }: Found) => {
  const isKept = (seq: number, by: number) =>
    intakes.some(({ checkTime, seqs }) => seqs.includes(seq) && checkTime <= by);
  const forgotten = taskContacts.filter(
    (contact) => isOutOfLine(contact) && !isKept(contact.seq, contact.lease.until),
  );
  expect(seqsOf(forgotten), 'in their first call, and in no intake record by the time it ends').toEqual([]);
};

const expectNoCallAfterEnd = ({ isCompleted, taskContacts }: Found, now: number) => {
  const inCall = taskContacts.filter((contact) => isInCall(contact, now));
  if (isCompleted) expect(seqsOf(inCall), 'in a call of a completed task').toEqual([]);
};

/** What holds for a task between any two writes, and at its end. */
export class DialingInvariants {
  readonly #database: Database;
  readonly #task: Task;

  constructor(database: Database, task: Task) {
    this.#database = database;
    this.#task = task;
  }

  /** @param isRecalled a recall is under way: it queues contacts first, and moves the task afterwards */
  async check(now: number, isRecalled: boolean): Promise<void> {
    const directory = await readDirectory(this.#database, this.#task.dataSourceId);
    const found = await this.#find(directory);
    const { taskContacts } = openStores(this.#database);
    const database = this.#database;
    const serviceHours = { zone: 'UTC' };
    const rules = rulesWithoutLimits(database);
    const progress = new TaskProgress({ database, taskContacts, rules, serviceHours });
    const { standings } = await progress.of(this.#task, now, { directory });
    expectSettledCounted(found);
    expectCallsCounted(found);
    expectCallsRecorded(found);
    expectStandingsCounted(found, directory, standings, this.#task, now);
    expectTakenUpCounted(found);
    expectPassedCounted(found);
    expectNobodyForgotten(found);
    if (!isRecalled) expectNoCallAfterEnd(found, now);
  }

  /** Answers how many contacts are in a call. */
  async checkPace(now: number): Promise<number> {
    const contacts = (await this.#partition(keys.taskContactPartition(this.#task.id, 0))).map(taskContactOf);
    const live = contacts.filter((contact) => isInCall(contact, now)).length;
    const { maxConcurrentCalls } = this.#task;
    if (maxConcurrentCalls) expect(live, 'calls of the task').toBeLessThanOrEqual(maxConcurrentCalls);
    return live;
  }

  /** Once dialers find nothing more to do. A task without a single call does not end. */
  async checkEnd(): Promise<void> {
    const directory = await readDirectory(this.#database, this.#task.dataSourceId);
    const found = await this.#find(directory);
    const { isCompleted, isStopped, taskContacts, live } = found;
    const { tally, ended } = found.counters;
    if (isStopped) return;
    const passed = new Set(await this.#expectNoneMatches(passedIn(found)));
    if (!isCompleted)
      return expect([tally.callCount, ended.blocked], 'of a task that did not end').toEqual([0, 0]);
    const settled = new Set(seqsOf(taskContacts.filter(isSettled)));
    const open = [...live].filter((seq) => !settled.has(seq) && !passed.has(seq));
    expect(open, 'contacts without a final outcome in a completed task').toEqual([]);
  }

  /** Contacts that were passed, and do not match the filter that the task has now. */
  async #expectNoneMatches(passed: number[]): Promise<number[]> {
    const { contacts, tasks } = openStores(this.#database);
    const { contactFilter } = await tasks.find(this.#task.id);
    const found = await contacts.among(this.#task.dataSourceId, passed);
    const matching = found.filter((contact) => isSelected(contactFilter, contact));
    expect(
      matching.map(({ seq }) => seq),
      'passed, though they match',
    ).toEqual([]);
    return passed;
  }

  async #find({ end }: Directory): Promise<Found> {
    const { id, dataSourceId } = this.#task;
    const chunks = Array.from({ length: chunkOf(end) + 1 }, (_, chunk) => chunk);
    const [task, dial, counters, taskContacts, contacts, intakes, records] = await Promise.all([
      this.#database.get(keys.task(id)),
      readDialState(this.#database, id),
      readCounters(this.#database, id),
      this.#partitions(chunks.map((chunk) => keys.taskContactPartition(id, chunk))),
      this.#partitions(chunks.map((chunk) => keys.contactPartition(dataSourceId, chunk))),
      this.#partition(keys.intakes(id)),
      this.#partitions(parts.map((part) => keys.callPart(id, part))),
    ]);
    return {
      isCompleted: task?.status === status.completed,
      isStopped: task?.status === status.stopped,
      dial,
      counters,
      taskContacts: taskContacts.map(taskContactOf),
      live: new Set(contacts.map(({ sk }) => Number(sk))),
      intakes: intakes.map((item) => intakeOf(id, item)),
      records: records.map(({ sk }) => sk),
    };
  }

  async #partitions(partitions: readonly string[]): Promise<Item[]> {
    return (await Promise.all(partitions.map((each) => this.#partition(each)))).flat();
  }

  #partition(partition: string): Promise<Item[]> {
    return this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
    });
  }
}

/** The calls that dialers have in hand: no contact is in two of them for one task. */
export class CallsInHand {
  readonly #calls = new Set<LeasedCall>();
  readonly #tolerance: number;

  /** @param tolerance milliseconds by which the clocks of two dialers may differ */
  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  take(call: LeasedCall, now: number): void {
    const lasts = ({ leaseExpireTime }: LeasedCall) => leaseExpireTime > now + this.#tolerance;
    const isSame = ({ taskId, contactId }: LeasedCall) =>
      taskId === call.taskId && contactId === call.contactId;
    const others = [...this.#calls].filter((other) => isSame(other) && lasts(other));
    if (lasts(call)) expect(others, `other calls in hand with ${call.contactId}`).toEqual([]);
    this.#calls.add(call);
  }

  extend(call: LeasedCall, leaseExpireTime: number): void {
    if (this.#calls.has(call)) call.leaseExpireTime = leaseExpireTime;
  }

  /** Its result is on the way, or it is released: the contact may be called again from now on. */
  giveBack(call: LeasedCall): void {
    this.#calls.delete(call);
  }
}

const minuteMs = 60_000;

/** When calls were leased, between the request and its answer: no 60 seconds have more than the task allows. */
export class CallsOfMinutes {
  readonly #calls: { taskId: string; from: number; to: number }[] = [];

  take({ id, callsPerMinute }: Task, from: number, to: number): void {
    this.#calls.push({ taskId: id, from, to });
    if (!callsPerMinute) return;
    const own = this.#calls.filter(({ taskId }) => taskId === id);
    const within = (begin: number) => own.filter((each) => each.from >= begin && each.to < begin + minuteMs);
    const most = Math.max(...own.map((each) => within(each.from).length));
    expect(most, 'calls of the task within a minute').toBeLessThanOrEqual(callsPerMinute);
  }
}

/** Who is not to be called, and who was how often: no call is outside its hours, to an excluded number, or too many. */
export class CallsToNumbers {
  readonly lists: readonly string[];
  /** 0: any number. */
  readonly callsPerDay: number;
  /** Whether some contacts have a time zone of their own. */
  readonly hasZones: boolean;
  /** By list and number, the contact of the list: from when it was added until it is about to be removed. */
  readonly #listed = new Map<string, string>();
  readonly #calls = new Map<string, number>();
  readonly #days = new Map<string, string>();

  constructor(lists: readonly string[], callsPerDay: number, hasZones: boolean) {
    this.lists = lists;
    this.callsPerDay = callsPerDay;
    this.hasZones = hasZones;
  }

  readonly #callbacks = new Map<string, number>();

  /** The call may be followed by an agreed callback, beyond the attempts of the task. */
  allowCallback({ taskId, contactId }: LeasedCall): void {
    const name = `${taskId} ${contactId}`;
    this.#callbacks.set(name, (this.#callbacks.get(name) ?? 0) + 1);
  }
  callbacksOf = ({ taskId, contactId }: LeasedCall) => this.#callbacks.get(`${taskId} ${contactId}`) ?? 0;

  contactOf = (list: string, phone: string) => this.#listed.get(`${list} ${phone}`);
  exclude = (list: string, phone: string, id: string) => this.#listed.set(`${list} ${phone}`, id);
  allow = (list: string, phone: string) => this.#listed.delete(`${list} ${phone}`);

  /** As of now; a number that is added once more is another entry. */
  get excluded(): ReadonlyMap<string, string> {
    return new Map(this.#listed);
  }

  /** @param tasks its task, by each of the rules that may have held; @param excluded when the lease was asked for */
  take(call: LeasedCall, tasks: readonly Task[], excluded: ReadonlyMap<string, string>, now: number): void {
    for (const list of this.lists) {
      const [before, since] = [
        excluded.get(`${list} ${call.phoneNumber}`),
        this.contactOf(list, call.phoneNumber),
      ];
      expect(before !== undefined && before === since, `${call.contactId} is on a list`).toBe(false);
    }
    const mayCall = tasks.some((task) => {
      const timeZone = task.timeZone ?? 'UTC';
      return isOpen({ ...task, timeZone }, now, call.fields.timeZone ?? timeZone);
    });
    expect(mayCall, `${call.contactId} is called in its hours`).toBe(true);
    const matches = tasks.some(({ contactFilter }) => isSelected(contactFilter, call));
    expect(matches, `${call.contactId} matches the filter of its task`).toBe(true);
    const today = `${call.phoneNumber} ${new Date(now).toISOString().slice(0, 10)}`;
    this.#days.set(call.callId, today);
    this.#calls.set(today, (this.#calls.get(today) ?? 0) + 1);
    if (this.callsPerDay > 0)
      expect(this.#calls.get(today), `calls of the day to ${call.contactId}`).toBeLessThanOrEqual(
        this.callsPerDay,
      );
  }

  /** The call was not made. */
  giveBack({ callId }: LeasedCall): void {
    const day = this.#days.get(callId)!;
    this.#calls.set(day, this.#calls.get(day)! - 1);
  }
}
