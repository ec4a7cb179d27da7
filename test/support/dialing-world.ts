import { expect } from 'vitest';
import type { LeasedCall } from '../../shared/domain/call.ts';
import { statusAt } from '../../shared/domain/contact.ts';
import { contactId } from '../../shared/domain/contact-id.ts';
import type { Outcome } from '../../shared/domain/dialing.ts';
import { ServiceError } from '../../shared/domain/errors.ts';
import type { Task } from '../../shared/domain/task.ts';
import { status } from '../../shared/domain/task-states.ts';
import type { Database } from '../../shared/store/database.ts';
import { TaskContacts } from '../../shared/store/dialing/task-contacts.ts';
import { keys } from '../../shared/store/keys.ts';
import { aDataSource, aDraft, aService, hour, minute, move, type Service, second } from './dialing.ts';
import { codeOf, type ModelCall, ModelSource, ModelTask, type Rules } from './dialing-model.ts';

/** The clock is put forward at 07:00 UTC of this day. */
const begin = Date.UTC(2024, 2, 10, 2, 0, 0);
const zone = 'America/New_York';
const day = 24 * hour;
const seededAt = 1_700_000_000_000;

type Pair = { task: Task; model: ModelTask };
export type Given = { call: LeasedCall; model: ModelCall };

/** The service and the model, driven side by side. */
export class World {
  readonly #database: Database;
  readonly services: Service[];
  readonly pairs: Pair[] = [];
  readonly sources: { id: string; model: ModelSource }[] = [];
  readonly given: Given[] = [];
  #phones = 0;
  now = begin;

  constructor(database: Database) {
    this.#database = database;
    // So short that the cursor moves with the few contacts of a scenario, and sometimes not.
    this.services = [aService(database, zone, 2), aService(database, zone, 4)];
  }

  service(which = 0): Service {
    return this.services[which % this.services.length]!;
  }

  async addSource(contactCount: number) {
    const model = new ModelSource();
    const contact = () => ({ createTime: seededAt, live: true, latest: undefined, calls: 0 });
    model.contacts.push(...Array.from({ length: contactCount }, contact));
    this.sources.push({ id: await aDataSource(this.#database, contactCount), model });
  }

  async addTask(rules: Rules, which: number) {
    const source = this.sources[which % this.sources.length]!;
    const draft = await aDraft(this.service(), source.id, rules);
    const task = await move(this.service(), draft, 'publish', this.now);
    this.pairs.push({ task, model: new ModelTask(rules, source.model, this.now, zone) });
  }

  pair(which: number): Pair {
    return this.pairs[which % this.pairs.length]!;
  }

  async lease(which: number, limit: number, leaseSeconds: number, only?: number) {
    const pairs = only === undefined ? this.pairs : [this.pair(only)];
    const eligible = pairs
      .flatMap(({ model }) => model.eligible(this.now))
      .sort((a, b) => a.priority - b.priority || a.since - b.since);
    const request = { limit, leaseSeconds, taskId: only === undefined ? undefined : this.pair(only).task.id };
    const calls = await this.service(which).dialer.lease(request, this.now);
    expect(calls.length).toBe(Math.min(limit, eligible.length));
    const places = calls.map((call) => this.#take(call, eligible, leaseSeconds));
    const order = ({ priority, since }: { priority: number; since: number }) => [priority, since];
    expect(places.map(order)).toEqual(eligible.slice(0, calls.length).map(order));
    if (calls.length < limit) this.#completeIdle(pairs, calls);
    await this.checkStates();
  }

  /** Two dialers at once: together they get what is there, and nothing twice. */
  async leaseTogether(limit: number, leaseSeconds: number) {
    const eligible = this.pairs.flatMap(({ model }) => model.eligible(this.now));
    const request = { limit, leaseSeconds };
    const calls = (
      await Promise.all(this.services.map(({ dialer }) => dialer.lease(request, this.now)))
    ).flat();
    for (const call of calls) this.#take(call, eligible, leaseSeconds);
    if (eligible.length <= limit) expect(calls.length).toBe(eligible.length);
    await this.adoptCompletions();
  }

  #take(call: LeasedCall, eligible: ReturnType<ModelTask['eligible']>, leaseSeconds: number) {
    const { model } = this.pairs.find(({ task }) => task.id === call.taskId)!;
    const place = eligible.find(
      ({ task, seq }) => task === model && contactId(call.dataSourceId, seq) === call.contactId,
    );
    expect(place, `${call.contactId} may not be called now`).toBeDefined();
    const { since, priority, attempts } = model.place(place!.seq);
    expect(since, `${call.contactId} is in a call`).toBeDefined();
    expect(call).toMatchObject({ attempt: attempts + 1, priority });
    expect(attempts).toBeLessThan(model.rules.maxDialCount);
    this.given.push({ call, model: model.lease(place!.seq, this.now + leaseSeconds * second) });
    return place!;
  }

  #completeIdle(pairs: readonly Pair[], calls: readonly LeasedCall[]) {
    for (const { task, model } of pairs) {
      const idle = calls.every(({ taskId }) => taskId !== task.id);
      if (idle && model.isOpenAt(this.now) && model.isFinished() && !model.hasLiveLeases(this.now))
        model.state = 'completed';
    }
  }

  async report({ call, model }: Given, outcome: Outcome, duration: number, which: number) {
    const { task } = model;
    const expected = task.report(model, outcome, duration, this.now);
    const report = { callId: call.callId, outcome, duration };
    const answer = await this.service(which)
      .dialer.result(report, this.now)
      .catch((error: unknown) => (error instanceof ServiceError ? error.code : Promise.reject(error)));
    if (expected === 'conflict') return void expect(answer).toBe('conflict');
    expect(answer).toMatchObject({
      callId: call.callId,
      contactId: call.contactId,
      contactStatus: codeOf(outcome),
      final: expected,
    });
    if (task.hasLooseEnds()) await this.adoptCompletions();
    else if (expected && task.state === 'running' && task.isFinished()) task.state = 'completed';
    await this.checkStates();
  }

  async release({ call, model }: Given, delay: number, which: number) {
    model.task.expireLeases(this.now);
    model.task.release(model, this.now + delay);
    await this.service(which).dialer.release(call.callId, this.now, this.now + delay);
  }

  async recallAll(which: number, priority: number) {
    const { task, model } = this.pair(which);
    const failed = model.failedSeqs();
    if (!['running', 'paused', 'completed', 'failed'].includes(model.state)) return;
    const answer = await this.service(which).dialer.recall(task.id, { priority }, this.now);
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
    const { recallIds } = await this.service(which).dialer.recall(
      task.id,
      { contactIds, priority },
      this.now,
    );
    const queued = model.recall(seqs, priority, this.now);
    expect(recallIds).toEqual(queued.map((seq) => contactId(task.dataSourceId, seq)));
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
    if (operation === 'fail') await this.service().dialer.fail(task.id, 'test', this.now);
    else await move(this.service(), task, operation, this.now);
    model.state = states[operation];
  }

  async addContact(which: number) {
    const { id, model } = this.sources[which % this.sources.length]!;
    const phoneNumber = String(1000 + this.#phones++);
    const { seq } = await this.service().contacts.add(id, { phoneNumber, fields: {} }, this.now);
    expect(seq).toBe(model.contacts.length);
    model.contacts.push({ createTime: this.now, live: true, latest: undefined, calls: 0 });
  }

  async deleteContact(which: number, pick: number) {
    const { id, model } = this.sources[which % this.sources.length]!;
    const contact = model.contacts[pick % Math.max(1, model.contacts.length)];
    if (!contact?.live) return;
    await this.service().contacts.remove(id, contactId(id, model.contacts.indexOf(contact)));
    contact.live = false;
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
      if (states[i] !== status.completed || model.state !== 'running') continue;
      expect(model.isFinished()).toBe(true);
      model.state = 'completed';
    }
  }

  async checkCounts() {
    const tallies = await this.service().dialer.tallies(this.pairs.map(({ task }) => task.id));
    for (const { task, model } of this.pairs) {
      const { success, failed, noAnswer, duration } = model.callsMade;
      expect(tallies.get(task.id)).toMatchObject({
        callCount: model.callCount,
        successCount: success,
        failCount: failed,
        noAnswerCount: noAnswer,
        duration,
      });
      const outcomes = await new TaskContacts(this.#database).outcomes(
        task.id,
        0,
        model.source.contacts.length,
        this.now,
      );
      for (const seq of model.liveSeqs()) {
        const { outcome, calls, lastCall, duration: callDuration } = model.place(seq);
        expect(
          outcomes.get(seq) ?? { status: 0, callCount: 0, callDuration: 0, lastCallTime: null },
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

  /** Lets every task run to its end: each ends, with a final outcome for every contact. */
  async finish() {
    for (const [which] of this.pairs.entries()) await this.move(which, 'resume');
    const running = () => this.pairs.filter(({ model }) => model.state === 'running');
    for (let round = 0; this.#waitForWork(running()); round++) {
      await this.lease(round, 100, 30);
      const open = this.given.filter(
        ({ model }) => !model.report && model.task.place(model.seq).latest === model,
      );
      for (const [i, given] of open.entries()) {
        // Some dialers die during their call.
        if ((i + round) % 7 !== 6) await this.report(given, i % 3 === 0 ? 'failed' : 'success', i, i);
      }
    }
    for (const { model } of running()) expect([model.callCount, model.liveSeqs()]).toEqual([0, []]);
    await this.checkCounts();
  }

  /** Turns the clock on to the next minute in which a dialer has something to do; false when there is none. */
  #waitForWork(pairs: readonly Pair[]): boolean {
    const latest = this.now + 3 * day;
    const hasWork = ({ model }: Pair) =>
      model.isOpenAt(this.now) && (model.eligible(this.now).length > 0 || model.isFinished());
    while (!pairs.some(hasWork) && this.now < latest) this.now += minute;
    return pairs.some(hasWork);
  }
}
