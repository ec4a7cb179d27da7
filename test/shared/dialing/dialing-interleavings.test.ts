import timers from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { withoutCountry } from '../../../shared/contacts/rules/phone-number.ts';
import { readCallCounts } from '../../../shared/dialing/task-counters.ts';
import { Erasures, erasureWork } from '../../../shared/people/erasures.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { ServiceError } from '../../../shared/platform/rules/errors.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import type { Task, TaskInput } from '../../../shared/tasks/rules/task.ts';
import { adjustTask } from '../../../shared/tasks/rules/task-changes.ts';
import { callReasons, type Outcome } from '../../../shared/tasks/rules/task-settings.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import {
  aDraft,
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  move,
  newId,
  reportAll,
  type Service,
  second,
  workersOf,
} from '../../support/dialing/dialing.ts';
import {
  CallsInHand,
  CallsOfMinutes,
  CallsToNumbers,
  DialingInvariants,
} from '../../support/dialing/dialing-invariants.ts';
import { Chance, Crash, Interleaving, steppedDatabase } from '../../support/dialing/interleaving.ts';
import { TaskVersions } from '../../support/dialing/task-versions.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { seedEmptyDataSource, seededPhone } from '../../support/engines/seed-contacts.ts';
import { auditTasks } from '../../support/faults/audit.ts';
import { writeAndCommit } from '../../support/files/imports.ts';
import { randomRuns } from '../../support/run/extent.ts';
import { workOffAt } from '../../support/service/due-work.ts';
import { itemsOf } from '../../support/service/removal.ts';

/** About a second each. */
const { seed: firstSeed, numRuns: runs, skipAllAfterTimeLimit: limitMs } = randomRuns(3, 12, 1);

/** Milliseconds by which the clock of a dialer may be slow or fast. */
const clockError = 200;
/** Calls whose results a dialer keeps to itself, some until their leases have run out. */
const keptAtMost = 2;
const turns = { dialer: 8, operator: 10, importer: 2, lister: 8, adjuster: 6 };
/** The clock is at 22:13:20 on a Tuesday, and moves by some minutes: the hours may close, or open, meanwhile. */
const allDay = { dailyStartTime: '00:00', dailyEndTime: '24:00' };
const schedules: Partial<TaskInput>[] = [
  allDay,
  allDay,
  { ...allDay, breaks: [{ start: '22:14', end: '22:15' }] },
  { dailyStartTime: '09:00', dailyEndTime: '22:15' },
  { ...allDay, weekdays: [2, 3, 4], excludedDates: ['2023-11-15'] },
];
const zones = ['UTC', 'Asia/Tokyo', 'America/New_York'];
const paces: Partial<TaskInput>[] = [
  {},
  { maxConcurrentCalls: 2 },
  { maxConcurrentCalls: 3, callsPerMinute: 60 },
  { callsPerMinute: 5 },
];

const plans = ['gold', 'silver'];
/** Contacts without a plan match the last of them. */
const filters: NonNullable<TaskInput['contactFilter']>[] = [
  [],
  [{ field: 'plan', is: 'equal', value: 'gold' }],
  [{ field: 'plan', is: 'notEqual', value: 'silver' }],
];
const brakes = [null, { failedPercent: 50, calls: 2 }, { failedPercent: 100, calls: 4 }];
/** What an operator changes while dialers ask. */
const adjustments = (chance: Chance): Partial<TaskInput> => ({
  ...chance.oneOf<Partial<TaskInput>>([
    { breaks: [] },
    { breaks: [{ start: '22:13', end: '22:14' }] },
    { weekdays: [1, 2, 3, 4, 5, 6, 7] },
    { weekdays: [1, 3, 4] },
    { callFrom: '2023-11-14 22:14' },
    { callFrom: null },
    { callUntil: '2023-11-14 22:15' },
    { callUntil: null },
    { pauseWhen: chance.oneOf(brakes) },
    { contactFilter: chance.oneOf(filters) },
    { contactFilter: chance.oneOf(filters), keepOpen: chance.happens(0.3) },
    { retryOrder: chance.oneOf(['due', 'last'] as const), retryRules: rulesOf(chance) },
  ]),
});

/** What a client would be told, or the end of a process that is meant to die. */
const tolerate = (error: unknown) => {
  if (error instanceof AggregateError) error.errors.forEach(tolerate);
  else if (!(error instanceof Crash) && !(error instanceof ServiceError)) throw error;
};

/** Processes that work on one task side by side, and dial for another with the same contacts. */
class Processes {
  readonly #table: OpenTable;
  readonly #task: Task;
  readonly #other: Task;
  readonly #interleaving: Interleaving;
  readonly #chance: Chance;
  readonly #inHand = new CallsInHand(2 * clockError);
  readonly #numbers: CallsToNumbers;
  readonly #minutes = new CallsOfMinutes();
  readonly #maxConcurrentCalls: number;
  /** Of the one task that is adjusted. */
  readonly versions: TaskVersions;
  #recallsUnderWay = 0;
  #phones = 0;

  constructor(
    table: OpenTable,
    [task, other]: [Task, Task],
    interleaving: Interleaving,
    numbers: CallsToNumbers,
    maxConcurrentCalls: number,
  ) {
    this.#table = table;
    this.#task = task;
    this.#other = other;
    this.#interleaving = interleaving;
    this.#numbers = numbers;
    this.#maxConcurrentCalls = maxConcurrentCalls;
    this.versions = new TaskVersions(task);
    this.#chance = interleaving.chance;
  }

  get isRecalled(): boolean {
    return this.#recallsUnderWay > 0;
  }

  /** As many as chance wants, each under way to its first database call. */
  begin(): Promise<void>[] {
    return [
      ...['dialer 1', 'dialer 2', 'dialer 3', 'dialer 4'].map((name) => this.#dial(name)),
      this.#operate('operator 1'),
      ...(this.#chance.happens(0.6) ? [this.#list('lister')] : []),
      ...(this.#chance.happens(0.6) ? [this.#adjust('adjuster')] : []),
      ...(this.#chance.happens(0.7) ? [this.#import('importer')] : []),
      ...(this.#chance.happens(0.5) ? [this.#operate('operator 2')] : []),
    ];
  }

  async #dial(name: string): Promise<void> {
    const kept: LeasedCall[] = [];
    for (let turn = 0; turn < turns.dialer; turn++) {
      const dialer = this.#started(name);
      if (this.#chance.happens(0.15)) dialer.crashAfter(this.#chance.below(25));
      for (const call of await this.#lease(dialer)) {
        const fate = this.#chance.fraction();
        if (fate < 0.5) await this.#report(name, call);
        else if (fate < 0.65) kept.push(call);
        else if (fate < 0.75) await this.#release(dialer, call);
        else if (fate < 0.85) kept.push(await this.#extend(dialer, call));
      }
      while (kept.length > keptAtMost) await this.#report(name, kept.shift()!);
    }
    for (const call of kept) await this.#report(name, call);
  }

  async #lease(dialer: Started): Promise<LeasedCall[]> {
    const now = this.#interleaving.now + this.#chance.oneOf([-clockError, 0, clockError]);
    const request = { limit: 1 + this.#chance.below(4), leaseSeconds: this.#chance.oneOf([10, 10, 30]) };
    const task = this.#chance.oneOf([this.#task, this.#task, this.#other, undefined, undefined]);
    const excluded = this.#numbers.excluded;
    const { known } = this.versions;
    const calls = (await leaseFrom(dialer, task, now, request).catch(tolerate)) ?? [];
    for (const call of calls) {
      this.#inHand.take(call, this.#interleaving.now);
      const { taskId } = call;
      const calling = taskId === this.#task.id ? this.#task : this.#other;
      const rules = calling === this.#task ? this.versions.since(known) : [calling];
      this.#numbers.take(call, rules, excluded, now);
      this.#minutes.take(calling, now, this.#interleaving.now + 2 * clockError);
      const most = calling.maxDialCount + this.#numbers.callbacksOf(call);
      expect(call.attempt, 'attempts of an allowance').toBeLessThanOrEqual(most);
    }
    return calls;
  }

  async #report(name: string, call: LeasedCall): Promise<void> {
    const outcome = this.#chance.oneOf<Outcome>(['success', 'success', 'failed', 'noAnswer']);
    const reason = this.#chance.oneOf([undefined, ...callReasons]);
    this.#inHand.giveBack(call);
    const { now } = this.#interleaving;
    const wish = this.#chance.oneOf<'callback' | 'never' | undefined>([
      ...['callback', 'never'],
      ...Array(6),
    ] as never);
    const result = {
      ...{ callId: call.callId, outcome, reason, duration: 1, doNotCall: wish === 'never' },
      ...(wish === 'callback' && {
        callbackTime: Math.floor(now / second + this.#chance.oneOf([-5, 0, 10, 40])) * second,
      }),
    };
    const process = this.#started(name);
    // Agreed, or at least asked for: a process may die before it is told.
    if (wish === 'callback') this.#numbers.allowCallback(call);
    const answer = await process.dialer.results.report(result, now).catch(tolerate);
    if (answer === undefined || wish !== 'never') return;
    const guard = await this.#table.database.get(keys.phone(doNotCall.id, call.phoneNumber));
    if (guard)
      this.#numbers.exclude(doNotCall.id, call.phoneNumber, contactId(doNotCall.id, guard.seq as number));
  }

  async #release({ dialer }: Started, call: LeasedCall): Promise<void> {
    this.#inHand.giveBack(call);
    this.#numbers.giveBack(call);
    await dialer.liveLeases.release(call, this.#interleaving.now).catch(tolerate);
  }

  /** The call as it is leased then. */
  async #extend({ dialer }: Started, call: LeasedCall): Promise<LeasedCall> {
    const { now } = this.#interleaving;
    const extension = { callId: call.callId, until: now + this.#chance.oneOf([5, 20, 60]) * second };
    const extended = await dialer.liveLeases.extend(extension, now).catch(tolerate);
    if (extended) this.#inHand.extend(call, extended.leaseExpireTime);
    return call;
  }

  async #operate(name: string): Promise<void> {
    for (let turn = 0; turn < turns.operator; turn++) {
      const operator = this.#started(name);
      const seqs = await seqsIn(operator.database, this.#task);
      const [one, other] = [this.#chance.oneOf(seqs), this.#chance.oneOf(seqs)];
      const fate = this.#chance.fraction();
      if (fate < 0.2 && seqs.length > 1) await this.#remove(operator, one);
      else if (fate < 0.28 && seqs.length > 2) await this.#removeAll(operator, [one, other]);
      else if (fate < 0.35 && seqs.length > 1) await this.#erase(operator, one);
      else if (fate < 0.5 || seqs.length === 0) await this.#add(operator);
      else if (fate < 0.65) await this.#change(operator, one);
      else if (fate < 0.9) await this.#recall(operator, [...new Set([one, other])]);
      else await this.#recall(operator);
    }
  }

  async #remove({ contacts }: Started, seq: number): Promise<void> {
    const { dataSourceId } = this.#task;
    await contacts.remove(dataSourceId, contactId(dataSourceId, seq), this.#interleaving.now).catch(tolerate);
  }

  async #removeAll({ contacts }: Started, seqs: readonly number[]): Promise<void> {
    const { dataSourceId } = this.#task;
    const named = seqs.map((seq) => ({ name: contactId(dataSourceId, seq), seqs: [seq], phones: [] }));
    await contacts.removeAll(dataSourceId, named, this.#interleaving.now).catch(tolerate);
  }

  /** Any process may finish what another one has begun. */
  async #erase({ database, contacts, tasks }: Started, seq: number): Promise<void> {
    const { dataSourceId } = this.#task;
    const { now } = this.#interleaving;
    const agenda = new Agenda(this.#table.database);
    await agenda.add(erasureWork(newId()), now - hour, { contacts: [{ dataSourceId, seq }] });
    await workOffAt(database, [erasuresOf(database, { contacts, tasks }).worker()], now).catch(tolerate);
  }

  async #add({ contacts }: Started): Promise<void> {
    const fields = {
      plan: this.#chance.oneOf(plans),
      ...(this.#numbers.hasZones && { timeZone: this.#chance.oneOf(zones) }),
    };
    const contact = { phoneNumber: this.#newPhone(), fields };
    await contacts.add(this.#task.dataSourceId, contact, this.#interleaving.now).catch(tolerate);
  }

  /** Another plan; sometimes another number, which may be on a list, and another zone. */
  async #change({ contacts, dialer }: Started, seq: number): Promise<void> {
    const { dataSourceId } = this.#task;
    const { now } = this.#interleaving;
    const changes = new Map([
      ['plan', this.#chance.oneOf(plans)],
      ...(this.#numbers.hasZones ? [['timeZone', this.#chance.oneOf(zones)] as const] : []),
    ]);
    const isCorrected = this.#chance.happens(0.3);
    const phone = isCorrected && { phoneNumber: seededPhone(100 + this.#chance.below(3)) };
    const patch = { ...phone, changes };
    const contact = await contacts
      .update(dataSourceId, contactId(dataSourceId, seq), patch, now)
      .catch(tolerate);
    if (contact) await dialer.deferred.reconsiderOne(contact, true, now);
  }

  /** Changes the rules of the task, resumes it where it paused itself, and stops it when its dates are over. */
  async #adjust(name: string): Promise<void> {
    for (let turn = 0; turn < turns.adjuster; turn++) {
      const service = this.#started(name);
      const { now } = this.#interleaving;
      const fate = this.#chance.fraction();
      if (fate < 0.2) await move(service, this.#task, 'resume', now).catch(tolerate);
      else if (fate < 0.5) await workOffAt(service.database, workersOf(service), now).catch(tolerate);
      else await adjust(service, this.versions, adjustments(this.#chance), now);
    }
  }

  /** Puts numbers on the lists of numbers that are not called, and takes them off again. */
  async #list(name: string): Promise<void> {
    for (let turn = 0; turn < turns.lister; turn++) {
      const { contacts } = this.#started(name);
      const list = this.#chance.oneOf(this.#numbers.lists);
      const phoneNumber = seededPhone(this.#chance.oneOf([0, 1, 2, 3, 100, 101]));
      const listed = this.#numbers.contactOf(list, phoneNumber);
      if (listed === undefined) {
        const contact = { phoneNumber, fields: {} };
        // A result may have put it there.
        const added = await contacts.add(list, contact, this.#interleaving.now).catch(tolerate);
        if (added) this.#numbers.exclude(list, phoneNumber, added.id);
      } else {
        this.#numbers.allow(list, phoneNumber);
        await contacts.remove(list, listed, this.#interleaving.now).catch(tolerate);
      }
    }
  }

  /** All that failed when no contacts are named. */
  async #recall({ dialer }: Started, seqs: readonly number[] = []): Promise<void> {
    const contactIds = seqs.map((seq) => contactId(this.#task.dataSourceId, seq));
    const recall = { contactIds, priority: 1 + this.#chance.below(5) };
    this.#recallsUnderWay++;
    await dialer.recalls.recall(this.#task.id, recall, this.#interleaving.now).catch(tolerate);
    this.#recallsUnderWay--;
  }

  async #import(name: string): Promise<void> {
    const { dataSourceId } = this.#task;
    for (let turn = 0; turn < turns.importer; turn++) {
      const { database } = this.#started(name);
      const imports = openStores(database).importedContacts;
      const records = openStores(database).importRecords;
      const importId = `import${turn}`;
      const { now } = this.#interleaving;
      const file = { objectKey: importId, fileName: 'contacts.csv', fileSize: 10 };
      const options = { onDuplicate: 'update' } as const;
      await records.create({ importId, dataSourceId, ...file, options, createTime: now });
      const claim = await records.begin(dataSourceId, importId, { owner: name, now, until: now + hour });
      const rows = Array.from({ length: 1 + this.#chance.below(3) }, (_, at) => ({
        line: at + 2,
        // Some are there already, if they were not deleted.
        phoneNumber: this.#chance.happens(0.4)
          ? seededPhone(this.#chance.below(4) + 4 * at)
          : this.#newPhone(),
        fields: { plan: this.#chance.oneOf(plans) },
      }));
      await writeAndCommit(imports, claim.import, { rows, importCount: rows.length }, this.#interleaving.now);
    }
  }

  /** Begun anew for each turn, so that none is dead for good and the cursor moves in strides of any length. */
  #started(name: string) {
    const { database, crashAfter } = steppedDatabase(this.#table, this.#interleaving, name);
    const stretch = 1 + this.#chance.below(4);
    const { callsPerDay } = this.#numbers;
    return { crashAfter, ...aService(database, 'UTC', stretch, callsPerDay, this.#maxConcurrentCalls) };
  }

  #newPhone = () => String(13_900_000_000 + this.#phones++);
}

type Started = ReturnType<typeof aService> & ReturnType<typeof steppedDatabase>;

const seqsIn = async (database: Database, { dataSourceId }: Task): Promise<number[]> => {
  const items = await database.queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.contactPartition(dataSourceId, 0) },
  });
  return items.map(({ sk }) => Number(sk));
};

const erasuresOf = (database: Database, { contacts, tasks }: Pick<Service, 'contacts' | 'tasks'>) => {
  return new Erasures({
    ...{ ...openStores(database), database, contacts, tasks, newId },
    phones: async () => withoutCountry,
  });
};

const adjust = async (
  { database, dialer, selection }: Service,
  versions: TaskVersions,
  changes: Partial<TaskInput>,
  now: number,
): Promise<void> => {
  const none = { calls: 0, failed: 0 };
  const { id } = versions.latest;
  versions.propose(adjustTask(versions.latest, changes, none, now));
  const adjusted = await selection
    .adjust(id, async (task) =>
      adjustTask(task, changes, await readCallCounts(database, { ...task, ...changes }), now),
    )
    .catch(tolerate);
  versions.settle(adjusted !== undefined);
  if (adjusted) await dialer.deferred.reconsider(adjusted, now).catch(tolerate);
};

/** One process alone calls the contacts that are left, and once more those that failed; the roster tells it of the task. */
const finish = async (
  database: Database,
  [task, other]: [Task, Task],
  begin: number,
  numbers: CallsToNumbers,
  versions: TaskVersions,
  maxConcurrentCalls: number,
  check: (now: number) => Promise<void>,
) => {
  const service = aService(database, 'UTC', 3, numbers.callsPerDay, maxConcurrentCalls);
  await service.dialer.recalls.recall(task.id, { priority: 3 }, begin).catch(tolerate);
  await adjust(service, versions, { pauseWhen: null, callUntil: null, keepOpen: false }, begin);
  await move(service, task, 'resume', begin).catch(tolerate);
  for (let now = begin; now < begin + 80 * hour; now += hour) {
    const { status: current } = await service.tasks.find(task.id);
    if (current !== status.running) return;
    const calls = await leaseFrom(service, undefined, now, { limit: 20 });
    for (const call of calls)
      numbers.take(call, call.taskId === task.id ? [versions.latest] : [other], numbers.excluded, now);
    await reportAll(service, calls, 'success', now);
    await check(now);
  }
};

const rulesOf = (chance: Chance) =>
  [0, 1].map(() => ({
    reasons: callReasons.filter(() => chance.happens(0.4)),
    waitSeconds: chance.oneOf([0, 5]),
    attempts: 1 + chance.below(3),
  }));

const interleave = async (table: OpenTable, interleaving: Interleaving): Promise<void> => {
  const { chance } = interleaving;
  const { database } = table;
  const lists = [doNotCall.id, newId()];
  for (const list of lists) await seedEmptyDataSource(database, list);
  const task = await aRunningTask(database, aService(database), {
    contactCount: 2 + chance.below(9),
    maxDialCount: 1 + chance.below(2),
    callInterval: chance.oneOf([0, 3]),
    retryRules: chance.happens(0.5) ? rulesOf(chance) : [],
    pauseWhen: chance.oneOf(brakes),
    contactFilter: chance.oneOf(filters),
    keepOpen: chance.happens(0.3),
    excludedDataSourceIds: lists.slice(1),
    ...chance.oneOf(schedules),
    ...chance.oneOf(paces),
  });
  const rules = { maxDialCount: 1, excludedDataSourceIds: lists.slice(1), ...chance.oneOf(paces) };
  const draft = await aDraft(aService(database), task.dataSourceId, rules);
  const other = await move(aService(database), draft, 'publish');
  const numbers = new CallsToNumbers(lists, chance.oneOf([0, 0, 1, 2]), chance.happens(0.5));
  const maxConcurrentCalls = chance.oneOf([0, 4]);
  const processes = new Processes(table, [task, other], interleaving, numbers, maxConcurrentCalls);
  const invariants = new DialingInvariants(database, task);
  const ofOther = new DialingInvariants(database, other);
  const check = async (now = interleaving.now) => {
    await invariants.check(now, processes.isRecalled);
    await ofOther.check(now, false);
    // By the slowest clock of a dialer: by a faster one, a lease may have run out.
    const late = now + 2 * clockError;
    const live = [await invariants.checkPace(late), await ofOther.checkPace(late)];
    if (maxConcurrentCalls > 0)
      expect(live[0]! + live[1]!, 'calls of the service').toBeLessThanOrEqual(maxConcurrentCalls);
  };
  await interleaving.run(processes.begin(), check);
  await check();
  const { versions } = processes;
  const finishTime = interleaving.now + hour;
  await finish(database, [task, other], finishTime, numbers, versions, maxConcurrentCalls, check);
  await invariants.checkEnd();
  await auditTasks(database, await itemsOf(table), finishTime);
};

it('holds whatever the order in which the calls of many processes reach the table', async () => {
  const end = Date.now() + (limitMs ?? Number.POSITIVE_INFINITY);
  for (let seed = firstSeed; seed < firstSeed + runs && (seed === firstSeed || Date.now() < end); seed++) {
    const table = await engines[0]!.open();
    const interleaving = new Interleaving(new Chance(seed));
    const random = vi.spyOn(Math, 'random').mockImplementation(interleaving.chance.fraction);
    // Real time plays no part: how long a process waits, the interleaving decides.
    const backoff = vi.spyOn(timers, 'setTimeout').mockImplementation(async () => undefined as never);
    try {
      await interleave(table, interleaving);
    } catch (error) {
      const repeat = `npm run test:soak -- --seed ${seed} --runs 1`;
      throw new Error(`with ${repeat}: ${error}\nThe last calls:\n${interleaving.lastCalls}`, {
        cause: error,
      });
    } finally {
      random.mockRestore();
      backoff.mockRestore();
      await table.close();
    }
  }
});
