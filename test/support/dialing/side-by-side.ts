import { expect } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { contactId, statusAt } from '../../../shared/contacts/rules/contact.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { withoutCountry } from '../../../shared/contacts/rules/phone-number.ts';
import { taskContactOf } from '../../../shared/dialing/dialing-items.ts';
import { TaskContacts } from '../../../shared/dialing/task-contacts.ts';
import { readCallCounts, readCounters, readTallies } from '../../../shared/dialing/task-counters.ts';
import { Erasures, erasureWork } from '../../../shared/people/erasures.ts';
import { ServiceError } from '../../../shared/platform/rules/errors.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import type { Task, TaskInput } from '../../../shared/tasks/rules/task.ts';
import { adjustTask } from '../../../shared/tasks/rules/task-changes.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import type { OpenTable } from '../engines/engines.ts';
import { seedEmptyDataSource, seededPhone, seedTime } from '../engines/seed-contacts.ts';
import { auditTasks } from '../faults/audit.ts';
import { workOffAt } from '../service/due-work.ts';
import { itemsOf } from '../service/removal.ts';
import {
  aDataSource,
  aDraft,
  aService,
  hour,
  minute,
  move,
  newId,
  type Service,
  second,
  workersOf,
} from './dialing.ts';
import { DialingInvariants } from './dialing-invariants.ts';
import {
  codeOf,
  type Due,
  type ModelCall,
  ModelNumbers,
  type ModelResult,
  ModelSource,
  ModelTask,
  type Rules,
} from './dialing-model.ts';

/** The clock is put forward at 07:00 UTC of this day. */
const begin = Date.UTC(2024, 2, 10, 2, 0, 0);
const zone = 'America/New_York';
const day = 24 * hour;
/** How often a lease searches at most for other contacts, where some may not be called. */
const roundsAtMost = 12;
const newContact = { createTime: seedTime, live: true, latest: undefined, calls: 0 };

type Pair = { task: Task; model: ModelTask };
export type Given = { call: LeasedCall; model: ModelCall };

/** The service and the model, driven side by side. */
export class SideBySide {
  readonly #table: OpenTable;
  readonly #database: Database;
  readonly services: Service[];
  readonly pairs: Pair[] = [];
  readonly sources: { id: string; model: ModelSource }[] = [];
  readonly given: Given[] = [];
  readonly #numbers: ModelNumbers;
  readonly #lists = { everybody: doNotCall.id, ofTasks: newId() };
  /** The contacts of the lists, by list and number. */
  readonly #listed = new Map<string, string>();
  #phones = 0;
  now = begin;

  constructor(table: OpenTable, callsPerNumber: number) {
    const { database } = table;
    this.#table = table;
    this.#database = database;
    this.#numbers = new ModelNumbers(callsPerNumber, zone);
    // So short that the cursor moves with the few contacts of a scenario, and sometimes not.
    this.services = [2, 4].map((stretch) => aService(database, zone, stretch, callsPerNumber));
  }

  service(which = 0): Service {
    return this.services[which % this.services.length]!;
  }

  /**
   * The lists of numbers that are not called: one for all tasks, one for the tasks that name it.
   */
  async addLists() {
    for (const id of Object.values(this.#lists)) await seedEmptyDataSource(this.#database, id);
  }

  async addSource(contactCount: number) {
    const model = new ModelSource();
    const contact = (_: unknown, seq: number) => ({ ...newContact, phone: seededPhone(seq) });
    model.contacts.push(...Array.from({ length: contactCount }, contact));
    this.sources.push({ id: await aDataSource(this.#database, contactCount), model });
  }

  async addTask(rules: Rules, which: number) {
    const source = this.sources[which % this.sources.length]!;
    const { excludes, ...settings } = rules;
    const draft = await aDraft(this.service(), source.id, {
      ...(settings as Partial<TaskInput>),
      ...(excludes && { excludedDataSourceIds: [this.#lists.ofTasks] }),
    });
    const task = await move(this.service(), draft, 'publish', this.now);
    this.pairs.push({ task, model: new ModelTask(rules, source.model, this.now, zone, this.#numbers) });
  }

  pair(which: number): Pair {
    return this.pairs[which % this.pairs.length]!;
  }

  async wait(ms: number) {
    this.now += ms;
  }

  async lease(which: number, limit: number, leaseSeconds: number, only?: number) {
    const pairs = only === undefined ? this.pairs : [this.pair(only)];
    const due = pairs.flatMap(({ model }) => model.due(this.now));
    const eligible = due.filter(({ refusal }) => refusal === undefined);
    const callable = this.#callable(eligible);
    const request = { limit, leaseSeconds, taskId: only === undefined ? undefined : this.pair(only).task.id };
    const { calls } = await this.service(which).dialer.leases.lease(request, this.now);
    if (due.length - callable < roundsAtMost) expect(calls.length).toBe(Math.min(limit, callable));
    const leased = calls.map((call) => this.#take(call, eligible, leaseSeconds));
    // Of contacts with the same number, any may be called today.
    if (callable === eligible.length && due.length - callable < roundsAtMost)
      this.#checkOrder(eligible, leased, due.length === callable);
    await this.#adoptRefusals(due);
    if (calls.length < limit) this.#completeIdle(pairs, calls);
    await this.adoptCompletions();
    await this.checkStates();
  }

  /**
   * The most urgent first, each task in its own order, and fair shares where nobody was refused.
   */
  #checkOrder(eligible: readonly Due[], leased: readonly Due[], isFair: boolean) {
    const levels = eligible.map(({ level }) => level).sort();
    expect(leased.map(({ level }) => level)).toEqual(levels.slice(0, leased.length));
    const shares: { share: number; isMore: boolean; level: number }[] = [];
    for (const { model } of this.pairs) {
      for (const level of new Set(levels)) {
        const isOfLine = (due: Due) => due.task === model && due.level === level;
        const line = model.inOrder(eligible.filter(isOfLine));
        const taken = leased.filter(isOfLine);
        const order = ({ isFresh, seq, since }: Due) => (isFresh ? seq : since);
        expect(taken.map(order)).toEqual(line.slice(0, taken.length).map(order));
        shares.push({ share: taken.length, isMore: line.length > taken.length, level });
      }
    }
    for (const { share, isMore, level } of isFair ? shares : []) {
      const most = Math.max(...shares.filter((each) => each.level === level).map((each) => each.share));
      if (isMore) expect(most - share).toBeLessThanOrEqual(1);
    }
  }

  /**
   * Two dialers at once: together they get what is there, and nothing twice. Contacts that one of
   * them was handed and has not leased are found some seconds later.
   */
  async leaseTogether(limit: number, leaseSeconds: number) {
    const due = this.pairs.flatMap(({ model }) => model.due(this.now));
    const eligible = due.filter(({ refusal }) => refusal === undefined);
    const callable = this.#callable(eligible);
    const request = { limit, leaseSeconds };
    const calls = (
      await Promise.all(this.services.map(({ dialer }) => dialer.leases.lease(request, this.now)))
    ).flatMap((leased) => leased.calls);
    for (const call of calls) this.#take(call, eligible, leaseSeconds);
    if (callable <= limit && callable === due.length) expect(calls.length).toBe(callable);
    await this.#adoptRefusals(due);
    await this.adoptCompletions();
    await this.wait(6 * second);
  }

  /** How many of them may be called, as often as their numbers may be today. */
  #callable(eligible: readonly Due[]): number {
    const phones = eligible.map(({ task, seq }) => task.source.contacts[seq]!.phone);
    const counts = [...new Set(phones)].map((phone) =>
      Math.min(phones.filter((one) => one === phone).length, this.#numbers.callsLeft(phone, this.now)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #take(call: LeasedCall, eligible: readonly Due[], leaseSeconds: number) {
    const { model } = this.pairs.find(({ task }) => task.id === call.taskId)!;
    const found = eligible.find(
      ({ task, seq }) => task === model && contactId(call.dataSourceId, seq) === call.contactId,
    );
    expect(found, `${call.contactId} may not be called now`).toBeDefined();
    const { since, priority, attempts, isCallback } = model.taskContact(found!.seq);
    expect(since, `${call.contactId} is in a call`).toBeDefined();
    expect(call).toMatchObject({ attempt: attempts + 1, priority });
    if (!isCallback) expect(attempts).toBeLessThan(model.rules.maxDialCount);
    const { phone } = model.source.contacts[found!.seq]!;
    expect(call.phoneNumber).toBe(phone);
    expect(this.#numbers.callsLeft(phone, this.now), `calls to ${call.contactId} today`).toBeGreaterThan(0);
    this.#numbers.count(phone, this.now);
    this.given.push({ call, model: model.lease(found!.seq, this.now + leaseSeconds * second, this.now) });
    return found!;
  }

  /**
   * Which of those that came up were looked at, only the service knows: what it made of them must
   * be right.
   */
  async #adoptRefusals(due: readonly Due[]) {
    for (const { task: model, seq, since, isFresh, refusal } of due) {
      const { task } = this.pairs.find((pair) => pair.model === model)!;
      const { phone } = model.source.contacts[seq]!;
      const reason = refusal ?? (this.#numbers.callsLeft(phone, this.now) > 0 ? undefined : 'spent');
      if (model.taskContact(seq).since === undefined || reason === undefined) continue;
      const item = await this.#database.get(keys.taskContact(task.id, seq));
      const contact = item && taskContactOf(item);
      if (contact?.state === 'blocked') {
        expect(reason, `${seq} is blocked`).toBe('listed');
        model.block(seq);
      } else if (contact?.state === 'waiting' && (isFresh || contact.due !== since)) {
        const own = isFresh ? this.now : model.ownDueOf(seq);
        expect(model.places(seq, own, this.now), `${seq} is ${reason}`).toContain(contact.due);
        model.defer(seq, contact.due, this.now);
      }
    }
  }

  /** The place in line that the service gave a contact must be one that the rules allow. */
  async #adoptPlace({ task, model }: Pair, seq: number, others: readonly number[] = []) {
    const { since } = model.taskContact(seq);
    if (since === undefined || !model.source.contacts[seq]!.live) return;
    const item = await this.#database.get(keys.taskContact(task.id, seq));
    const contact = item && taskContactOf(item);
    if (contact?.state !== 'waiting' || contact.due === since) return;
    const own = model.ownDueOf(seq);
    expect([...others, ...model.places(seq, own, this.now)], `${seq} waits`).toContain(contact.due);
    model.defer(seq, contact.due, this.now);
  }

  /** After an adjust, contacts keep their places or get new ones, now or within a minute. */
  async #adoptPlaces(pair: Pair) {
    for (const seq of pair.model.liveSeqs()) {
      const { since = 0, isFresh } = pair.model.taskContact(seq);
      if (since > this.now && !isFresh) await this.#adoptPlace(pair, seq, [pair.model.ownDueOf(seq)]);
    }
  }

  #completeIdle(pairs: readonly Pair[], calls: readonly LeasedCall[]) {
    for (const { task, model } of pairs) {
      const idle = calls.every(({ taskId }) => taskId !== task.id);
      if (idle && model.isOpenAt(this.now) && model.isFinished() && !model.hasLiveLeases(this.now))
        model.state = 'completed';
    }
  }

  /** Puts a number on a list of numbers that are not called, or takes it off again. */
  async list(name: 'everybody' | 'ofTasks', which: number, pick: number) {
    const { contacts } = this.sources[which % this.sources.length]!.model;
    const phone = contacts[pick % Math.max(1, contacts.length)]?.phone;
    if (phone === undefined) return;
    const [id, phones] = [this.#lists[name], this.#numbers[name]];
    const added = this.#listed.get(`${id} ${phone}`);
    if (added !== undefined) {
      await this.service().contacts.remove(id, added, Date.now());
      this.#listed.delete(`${id} ${phone}`);
      phones.delete(phone);
    } else {
      const contact = await this.service().contacts.add(id, { phoneNumber: phone, fields: {} }, this.now);
      this.#listed.set(`${id} ${phone}`, contact.id);
      phones.add(phone);
    }
  }

  /** A number that is on the list for everybody with a result. */
  async #adoptListed(phone: string) {
    const list = this.#lists.everybody;
    const guard = await this.#database.get(keys.phone(list, phone));
    expect(guard !== undefined).toBe(this.#numbers.everybody.has(phone));
    if (guard) this.#listed.set(`${list} ${phone}`, contactId(list, Number(guard.seq)));
  }

  async moveContact(which: number, pick: number, timeZone: string) {
    const { id, model } = this.sources[which % this.sources.length]!;
    const contact = model.contacts[pick % Math.max(1, model.contacts.length)];
    if (!contact?.live) return;
    const patch = { changes: new Map([['timeZone', timeZone]]) };
    await this.service().contacts.update(id, contactId(id, model.contacts.indexOf(contact)), patch, this.now);
    contact.timeZone = timeZone;
  }

  /** `callbackIn`: milliseconds from now. */
  async report(
    { call, model }: Given,
    { callbackIn, ...ended }: ModelResult & { callbackIn?: number | undefined },
    which: number,
  ) {
    const { task } = model;
    const callbackTime = callbackIn === undefined ? undefined : this.now + callbackIn;
    const result = { ...ended, ...(callbackTime !== undefined && { callbackTime }) };
    const expected = task.report(model, result, this.now);
    const answer = await this.service(which)
      .dialer.results.report({ callId: call.callId, ...result }, this.now)
      .catch((error: unknown) => (error instanceof ServiceError ? error.code : Promise.reject(error)));
    if (expected === 'conflict') return void expect(answer).toBe('conflict');
    if (result.doNotCall) await this.#adoptListed(task.source.contacts[model.seq]!.phone);
    expect(answer).toMatchObject({
      callId: call.callId,
      contactId: call.contactId,
      contactStatus: codeOf(result.outcome),
      final: expected,
    });
    await this.#adoptPlace(this.pairs.find((pair) => pair.model === task)!, model.seq);
    if (task.hasLooseEnds()) await this.adoptCompletions();
    else if (expected && task.state === 'running' && task.isFinished()) task.state = 'completed';
    if (task.state === 'running' && task.isBraking) task.state = 'paused';
    await this.checkStates();
  }

  /** `changes`: in line with what the rules of a task allow. */
  async adjust(which: number, changes: Partial<Rules>) {
    const pair = this.pair(which);
    if (!['running', 'paused'].includes(pair.model.state)) return;
    const { database, tasks, dialer } = this.service(which);
    const { excludes, ...rest } = changes;
    const settings = {
      ...(rest as Partial<TaskInput>),
      ...(excludes !== undefined && { excludedDataSourceIds: excludes ? [this.#lists.ofTasks] : [] }),
    };
    pair.task = await tasks.move(pair.task.id, 'adjust', async (task) =>
      adjustTask(task, settings, await readCallCounts(database, { ...task, ...settings }), this.now),
    );
    await dialer.deferred.reconsider(pair.task, this.now);
    pair.model.adjust(changes);
    await this.#adoptPlaces(pair);
    await this.checkStates();
  }

  /** What the service does every minute, whether or not dialers ask. */
  async stopOverdue(which: number) {
    await workOffAt(this.#database, workersOf(this.service(which)), this.now);
    for (const pair of this.pairs) {
      const { model } = pair;
      await this.#adoptPlaces(pair);
      const isLive = model.state === 'running' || model.state === 'paused';
      if (isLive && model.end <= this.now) model.state = 'stopped';
    }
    await this.checkStates();
  }

  /** A call that waits for its result, or `any` call there ever was. */
  #picked(pick: number, any = false): Given | undefined {
    const open = this.given.filter(({ model }) => !model.result);
    const from = any || open.length === 0 ? this.given : open;
    return from[pick % Math.max(1, from.length)];
  }

  async reportOne(
    pick: number,
    any: boolean,
    ended: ModelResult,
    wish: Partial<ModelResult & { callbackIn: number }>,
    which: number,
  ) {
    const given = this.#picked(pick, any);
    if (given) await this.report(given, { ...ended, ...wish }, which);
  }

  async release(pick: number, delay: number, which: number) {
    const given = this.#picked(pick);
    if (given === undefined) return;
    const { call, model } = given;
    const isLive = model.task.release(model, this.now + delay, this.now);
    const release = { callId: call.callId, notBefore: this.now + delay };
    await this.#expectLive(isLive, model, this.service(which).dialer.liveLeases.release(release, this.now));
    if (isLive) await this.#adoptPlace(this.pairs.find((pair) => pair.model === model.task)!, model.seq);
  }

  async extend(pick: number, seconds: number, which: number) {
    const given = this.#picked(pick);
    if (given === undefined) return;
    const { call, model } = given;
    const until = model.task.extend(model, this.now + seconds * second, this.now);
    const extension = { callId: call.callId, until: this.now + seconds * second };
    const extended = this.service(which).dialer.liveLeases.extend(extension, this.now);
    await this.#expectLive(until !== undefined, model, extended);
    if (until !== undefined) expect((await extended).leaseExpireTime).toBe(until);
  }

  async #expectLive(isLive: boolean, { result }: ModelCall, request: Promise<unknown>) {
    const word = result === undefined ? 'LEASE_LOST' : 'ALREADY_REPORTED';
    if (isLive) await request;
    else await expect(request).rejects.toMatchObject({ word });
  }

  async recallAll(which: number, priority: number) {
    const { task, model } = this.pair(which);
    const failed = model.failedSeqs();
    if (!['running', 'paused', 'completed', 'failed'].includes(model.state)) return;
    const answer = await this.service(which).dialer.recalls.recall(task.id, { priority }, this.now);
    expect(answer.recallCount).toBe(failed.length);
    expect(answer.recallIds.toSorted()).toEqual(
      failed.map((seq) => contactId(task.dataSourceId, seq)).sort(),
    );
    model.recall(failed, priority, this.now);
    await this.checkStates();
  }

  async recallSome(which: number, picks: readonly number[], priority: number) {
    const { task, model } = this.pair(which);
    const live = model.liveSeqs();
    const seqs = [
      ...new Set(picks.flatMap((pick) => (live.length === 0 ? [] : [live[pick % live.length]!]))),
    ];
    if (seqs.length === 0 || model.state === 'stopped') return;
    const contactIds = seqs.map((seq) => contactId(task.dataSourceId, seq));
    const { recallIds } = await this.service(which).dialer.recalls.recall(
      task.id,
      { contactIds, priority },
      this.now,
    );
    const queued = model.recall(seqs, priority, this.now);
    expect(recallIds).toEqual(queued.map((seq) => contactId(task.dataSourceId, seq)));
    for (const seq of queued) await this.#adoptPlace({ task, model }, seq);
    await this.checkStates();
  }

  async move(which: number, operation: 'pause' | 'resume' | 'fail' | 'stop') {
    const { task, model } = this.pair(which);
    const moves = {
      pause: ['running'],
      resume: ['paused'],
      fail: ['running', 'paused'],
      stop: ['running', 'paused'],
    };
    if (!moves[operation].includes(model.state)) return;
    const states = { pause: 'paused', resume: 'running', fail: 'failed', stop: 'stopped' } as const;
    if (operation === 'fail') await this.service().dialer.ends.fail(task.id, 'test', this.now);
    else await move(this.service(), task, operation, this.now);
    if (operation === 'resume') model.braked = [];
    model.state = states[operation];
  }

  async addContact(which: number, timeZone?: string) {
    const { id, model } = this.sources[which % this.sources.length]!;
    const phone = String(1000 + this.#phones++);
    const fields = timeZone === undefined ? {} : { timeZone };
    const { seq } = await this.service().contacts.add(id, { phoneNumber: phone, fields }, this.now);
    expect(seq).toBe(model.contacts.length);
    model.contacts.push({ ...newContact, createTime: this.now, phone, timeZone });
  }

  async deleteContact(which: number, pick: number) {
    const { id, model } = this.sources[which % this.sources.length]!;
    const contact = model.contacts[pick % Math.max(1, model.contacts.length)];
    if (!contact?.live) return;
    await this.service().contacts.remove(id, contactId(id, model.contacts.indexOf(contact)), Date.now());
    contact.live = false;
  }

  /**
   * Deletes a contact with its calls. A contact whose last call is not reported is left alone: its
   * result would count.
   */
  async eraseContact(which: number, pick: number) {
    const { id, model } = this.sources[which % this.sources.length]!;
    const contact = model.contacts[pick % Math.max(1, model.contacts.length)];
    if (!contact?.live) return;
    const seq = model.contacts.indexOf(contact);
    const calls = this.given.map((given) => given.model).filter((call) => call.task.source === model);
    const own = calls.filter((call) => call.seq === seq);
    if (own.some((call) => call.result === undefined)) return;
    const { contacts, tasks } = this.service();
    const { agenda, ...stores } = openStores(this.#database);
    const parts = { ...stores, database: this.#database, agenda, contacts, tasks, newId };
    const erasures = new Erasures({ ...parts, phones: async () => withoutCountry });
    // So old that its request has broken off: the schedule finishes it.
    await agenda.add(erasureWork(newId()), this.now - hour, { contacts: [{ dataSourceId: id, seq }] });
    await workOffAt(this.#database, [erasures.worker()], this.now);
    contact.live = false;
    for (const call of own) call.isForgotten = true;
  }

  async #states(): Promise<number[]> {
    const items = await this.#database.batchGet(this.pairs.map(({ task }) => keys.task(task.id)));
    return items.map((item) => Number(item?.status));
  }

  async checkStates() {
    expect(await this.#states()).toEqual(this.pairs.map(({ model }) => status[model.state]));
  }

  /** Where the model cannot know when a task is found complete, it must at least be so. */
  async adoptCompletions() {
    const states = await this.#states();
    for (const [i, { model }] of this.pairs.entries()) {
      // The first lease that looks at a task whose dates are over stops it.
      if (states[i] === status.stopped && model.state === 'running' && model.end <= this.now)
        model.state = 'stopped';
      if (states[i] !== status.completed || model.state !== 'running') continue;
      expect(model.isFinished()).toBe(true);
      model.state = 'completed';
    }
  }

  async checkCounts() {
    const tallies = await readTallies(
      this.#database,
      this.pairs.map(({ task }) => task.id),
    );
    for (const { task, model } of this.pairs) {
      const { success, failed, noAnswer, duration } = model.callsMade;
      expect(tallies.get(task.id)).toMatchObject({
        callCount: model.callCount,
        successCount: success,
        failCount: failed,
        noAnswerCount: noAnswer,
        duration,
      });
      const { callsByReason } = await readCounters(this.#database, task.id);
      expect(callsByReason).toMatchObject(model.reasons);
      const summaries = await new TaskContacts(this.#database).summaries(
        task,
        0,
        model.source.contacts.length,
        this.now,
      );
      for (const seq of model.liveSeqs()) {
        const { outcome, blocked, calls, lastCall, duration: callDuration } = model.taskContact(seq);
        if (blocked) expect(summaries.get(seq)).toMatchObject({ standing: 'blocked' });
        expect(
          summaries.get(seq) ?? { status: 0, callCount: 0, callDuration: 0, lastCallTime: null },
        ).toMatchObject({
          status: model.isInCall(seq, this.now) ? 4 : codeOf(outcome),
          callCount: calls,
          callDuration,
          lastCallTime: lastCall ?? null,
        });
      }
    }
    for (const { id, model } of this.sources) {
      const { rows } = await this.service().contacts.page(id, { offset: 0, limit: 500 });
      const tasks = this.pairs.filter((pair) => pair.model.source === model);
      const inCall = (seq: number) => tasks.some((pair) => pair.model.isInCall(seq, this.now));
      const expected = model.contacts.flatMap(({ live, latest, calls }, seq) =>
        live ? { status: inCall(seq) ? 4 : codeOf(latest), callCount: calls } : [],
      );
      expect(rows.map((row) => ({ status: statusAt(row, this.now), callCount: row.callCount }))).toEqual(
        expected,
      );
    }
  }

  /** What the overview of a task says is what a count of its contacts comes to. */
  async checkOverview(which: number) {
    await new DialingInvariants(this.#database, this.pair(which).task).check(this.now, true);
  }

  /** Lets every task run to its end: each ends, with a final outcome for every contact. */
  async finish() {
    for (const [which] of this.pairs.entries()) {
      await this.adjust(which, { pauseWhen: null });
      await this.move(which, 'resume');
    }
    const running = () => this.pairs.filter(({ model }) => model.state === 'running');
    for (let round = 0; this.#waitForWork(running()); round++) {
      await this.lease(round, 100, 30);
      if (round % 3 === 0) await this.stopOverdue(round);
      const open = this.given.filter(
        ({ model }) => !model.result && model.task.taskContact(model.seq).latest === model,
      );
      for (const [i, given] of open.entries()) {
        // Some dialers die during their call.
        const outcome = i % 3 === 0 ? 'failed' : 'success';
        if ((i + round) % 7 !== 6) await this.report(given, { outcome, duration: i }, i);
      }
    }
    await this.stopOverdue(0);
    for (const { model } of running()) expect([model.callCount, model.liveSeqs()]).toEqual([0, []]);
    await this.checkCounts();
    await auditTasks(this.#database, await itemsOf(this.#table), this.now);
  }

  /**
   * Turns the clock on to the next quarter of an hour with something to do for a dialer; false when
   * none has.
   */
  #waitForWork(pairs: readonly Pair[]): boolean {
    const latest = this.now + 10 * day;
    const hasWork = ({ model }: Pair) =>
      model.due(this.now).some(({ refusal }) => refusal === undefined || refusal === 'listed') ||
      (model.isOpenAt(this.now) && model.isFinished());
    const isOver = () => pairs.every(({ model }) => model.end <= this.now);
    const isWorkLeft = () => pairs.some(hasWork);
    while (!isWorkLeft() && !isOver() && this.now < latest) this.now += 15 * minute;
    return isWorkLeft();
  }
}
