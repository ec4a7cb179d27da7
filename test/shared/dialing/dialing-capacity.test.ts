import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { dayMark } from '../../../shared/calls/index.ts';
import type { LeasedCall } from '../../../shared/calls/rules.ts';
import { numberingIn } from '../../../shared/contacts/index.ts';
import { doNotCall } from '../../../shared/contacts/rules.ts';
import { openDialer } from '../../../shared/dialing/dialer.ts';
import { itemOf, nextDialState, readDialState } from '../../../shared/dialing/records/dialing-items.ts';
import { countMoves } from '../../../shared/dialing/records/task-counters.ts';
import type { DialState } from '../../../shared/dialing/rules/dial-state.ts';
import { newTaskContact, type TaskContact } from '../../../shared/dialing/rules/task-contact.ts';
import { type Database, keys } from '../../../shared/platform/table/index.ts';
import type { Task } from '../../../shared/tasks/rules.ts';
import {
  aDataSource,
  aDraft,
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  newId,
  reportAll,
  type Service,
  second,
  start,
} from '../../support/dialing/dialing.ts';
import { leaseAll, oneInAHundred } from '../../support/dialing/lease-all.ts';
import { engines } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { seedEmptyDataSource, seededPhone, seedSparsely } from '../../support/engines/seed-contacts.ts';

const [small, large] = [1000, 100_000];
const perLease = 10;
/** Of the large task, enough to go beyond the ids that a recall lists. */
const mostFailed = 12_000;

const change = async (database: Database, task: Task, changes: (dial: DialState) => Partial<DialState>) => {
  const dial = await readDialState(database, task.id);
  await database.put(...nextDialState({ ...dial, ...changes(dial) }));
};

/** The next contacts as if each had been called in vain for the last time; none is left to be dialed. */
const failTheRest = async (database: Database, task: Task, count: number) => {
  const { cursor } = await readDialState(database, task.id);
  const seqs = Array.from({ length: count }, (_, i) => cursor + i);
  const failed = {
    state: 'final',
    outcome: 'failed',
    recallNumber: 0,
    lastCallTime: start,
    callCount: 1,
  } as const;
  const contacts = seqs.map((seq): TaskContact => ({ ...newTaskContact(task, seq, start), ...failed }));
  await database.putAll(contacts.map(itemOf));
  const moves = contacts.map((after) => ({ before: undefined, after }));
  await database.transact(countMoves(database, moves));
  await change(database, task, ({ claimed }) => ({ cursor: large, claimed: claimed + count }));
};

/** Running over so many contacts, of whom only those that are called have items of their own. */
const aTaskOf = async (database: Database, service: Service, contactCount: number, settings: object) => {
  const dataSourceId = newId();
  const called = Array.from({ length: 200 }, (_, seq) => seq);
  await seedSparsely(database, dataSourceId, contactCount, called);
  return move(service, await aDraft(service, dataSourceId, settings), 'publish');
};

/** As after the first calls of a day. Each of them costs a write unit more: it enters the task on the day. */
const enterToday = (database: Database, { id }: Task) =>
  database.putAll(
    Array.from({ length: 12 }, (_, shard) => ({ ...keys.taskCounter(id, shard), ...dayMark(start) })),
  );

const costsAt = async (contactCount: number) => {
  const { database, client, close } = await engines[0]!.open();
  const service = aService(database);
  const task = await aTaskOf(database, service, contactCount, { maxDialCount: 2, callInterval: 0 });
  await enterToday(database, task);
  const { measure } = meter(client);
  const lease = async (now: number) => {
    let calls: Awaited<ReturnType<typeof leaseFrom>> = [];
    const usage = await measure(async () => {
      calls = await leaseFrom(service, task, now, { limit: perLease, leaseSeconds: 10 });
    });
    expect(calls).toHaveLength(perLease);
    return { calls, rcu: usage.rcu / perLease, wcu: usage.wcu / perLease };
  };
  const report = async (
    { calls }: Awaited<ReturnType<typeof lease>>,
    outcome: 'success' | 'failed',
    now: number,
  ) => {
    const { rcu, wcu } = await measure(() => reportAll(service, calls, outcome, now, 30));
    return { rcu: rcu / perLease, wcu: wcu / perLease };
  };
  const fresh = await lease(start);
  const success = await report(fresh, 'success', start);
  const tried = await report(await lease(start + 1 * second), 'failed', start + 2 * second);
  const { cursor } = await readDialState(database, task.id);
  const due = await lease(start + 12 * second);
  const failed = await report(due, 'failed', start + 21 * second);
  await failTheRest(database, task, Math.min(contactCount - cursor, mostFailed));
  await service.dialer.ends.fail(task.id, 'no trunk', start + hour);
  const recall = await measure(() => service.dialer.recalls.recall(task.id, { priority: 1 }, start + hour));
  const recalled = await lease(start + hour);
  await close();
  return { fresh, due, success, tried, failed, recall, recalled };
};

describe('what dialing costs', () => {
  let costs: [Awaited<ReturnType<typeof costsAt>>, Awaited<ReturnType<typeof costsAt>>];

  beforeAll(async () => {
    costs = [await costsAt(small), await costsAt(large)];
  });

  it('is 3 write units to lease a contact that was due', () => {
    const [, { due }] = costs;
    // How far the line was leased from is one more for a whole lease, every twenty seconds of due times at most.
    expect(due.wcu).toBeCloseTo(3 + 1 / perLease);
  });

  it.each([1, 2, 4, 10, 100])(
    'is below 2.5 write units to lease a fresh contact, %i at a time',
    async (limit) => {
      const { database, client, close } = await engines[0]!.open();
      const service = aService(database);
      const task = await aRunningTask(database, service, { contactCount: 240, maxDialCount: 1 });
      const { measure } = meter(client);
      const calls: LeasedCall[] = [];
      const lease = async (now: number, most = limit) =>
        calls.push(...(await leaseFrom(service, task, now, { limit: most })));
      const usage = await measure(async () => {
        for (let at = 0; at < 100 / limit; at++) await lease(start + at);
      });
      await reportAll(service, calls, 'success', start + minute);
      // The leases have run out: what the intake records cost to remove.
      const after = await measure(() => lease(start + hour, 1));
      expect((usage.wcu + after.wcu) / calls.length).toBeLessThan(2.5);
      const records = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keys.intakes(task.id) },
      };
      // Except for a task that has contacts yet to be called.
      const ended = (await database.queryAll(records)).filter(({ sk }) => Number.parseInt(sk, 10) > 0);
      expect(ended).toEqual([]);
      await close();
    },
  );

  it('is 9 to 10 write units for a result with its record', () => {
    const [, { success, tried, failed }] = costs;
    expect([success.wcu, tried.wcu, failed.wcu]).toEqual([9, 9, 10]);
  });

  it('is 9 write units for a result that agrees on a callback, 2 more for the first of its task, and 8 more for the do-not-call list', async () => {
    const { database, client, close } = await engines[0]!.open();
    await seedEmptyDataSource(database, doNotCall.id);
    const service = aService(database);
    const task = await aRunningTask(database, service, { contactCount: 40, callInterval: 0 });
    await enterToday(database, task);
    const { measure } = meter(client);
    const calls = await leaseFrom(service, task, start, { limit: 20 });
    const report = (wish: object, now: number) => {
      const { callId } = calls.shift()!;
      return measure(() =>
        service.dialer.results.report({ callId, outcome: 'failed', duration: 1, ...wish }, now),
      );
    };
    const plain = await report({}, start);
    const [first, next] = [
      await report({ callbackTime: start + hour }, start),
      await report({ callbackTime: start + 2 * hour }, start),
    ];
    expect([plain.wcu, first.wcu, next.wcu]).toEqual([9, 11, 9]);
    const excluded = await report({ doNotCall: true }, start);
    expect(excluded.wcu - plain.wcu).toBeLessThanOrEqual(8);
    const again = await report({ doNotCall: true }, start);
    expect(again.wcu - plain.wcu).toBeLessThanOrEqual(8);
    await close();
  });

  it('is a few read units more while 300 contacts that were due are in a call', async () => {
    const { database, client, close } = await engines[0]!.open();
    const service = aService(database);
    const task = await aRunningTask(database, service, {
      contactCount: 320,
      maxDialCount: 2,
      callInterval: 0,
      retryOrder: 'last',
    });
    const { measure } = meter(client);
    const lease = (limit: number) => leaseFrom(service, task, start + hour, { limit });
    for (let at = 0; at < 320; at += 80) await reportAll(service, await lease(80), 'failed', start + hour);
    await lease(perLease);
    const first = await measure(() => lease(perLease));
    for (let at = 1; at < 30; at++) expect(await lease(perLease)).toHaveLength(perLease);
    const last = await measure(() => lease(perLease));
    expect((last.rcu - first.rcu) / perLease).toBeLessThanOrEqual(1);
    expect(last.wcu).toBe(first.wcu);
    await close();
  });

  it('is at most 25 write units to recall all that failed, and 7 for each as it is queued again', () => {
    const [, { recall, recalled, due }] = costs;
    // The task had ended: to bring it back takes two more than a recall in a running one.
    expect(recall.wcu).toBeLessThanOrEqual(25);
    // A lease queues 80 at once.
    expect(((recalled.wcu - due.wcu) * perLease) / 80).toBeLessThanOrEqual(7);
  });

  it('is a read unit more for each list, and a read and a write unit where calls a day are counted', async () => {
    const { database, client, close } = await engines[0]!.open();
    const service = aService(database);
    const counting = aService(database, 'UTC', undefined, 5);
    await seedEmptyDataSource(database, doNotCall.id);
    const { measure } = meter(client);
    const lease = async (from: Service) => {
      const settings = { contactCount: 40, maxDialCount: 3, callInterval: 0 };
      const task = await aRunningTask(database, service, settings);
      const calls: LeasedCall[] = [];
      const ask = async (now: number, limit = perLease) =>
        void calls.push(...(await leaseFrom(from, task, now, { limit })));
      const fresh = await measure(() => ask(start));
      await ask(start, 40);
      await reportAll(from, calls.splice(0), 'failed', start);
      // That a dialer asks for calls is written down every twenty seconds at most.
      const due = await measure(() => ask(start + second));
      expect(calls).toHaveLength(perLease);
      return { fresh, due };
    };
    const free = await lease(service);
    const counted = await lease(counting);
    await service.contacts.add(doNotCall.id, { phoneNumber: seededPhone(9999), fields: {} }, start);
    const listed = await lease(service);
    for (const kind of ['fresh', 'due'] as const) {
      const { rcu, wcu, depth } = free[kind];
      expect([listed[kind].rcu - rcu, listed[kind].wcu - wcu], kind).toEqual([perLease, 0]);
      expect([counted[kind].rcu - rcu, counted[kind].wcu - wcu], kind).toEqual([perLease, perLease]);
      expect(Math.max(depth, listed[kind].depth)).toBeLessThanOrEqual(8);
      expect(counted[kind].depth).toBeLessThanOrEqual(10);
    }
    await close();
  });

  it('is a read unit for each spelling that a list can hold, where the service has a country', async () => {
    const { database, client, close } = await engines[0]!.open();
    const service = aService(database);
    const dialer = openDialer({
      ...openStores(database),
      database,
      newId,
      zone: 'UTC',
      phones: numberingIn('CN'),
    });
    await seedEmptyDataSource(database, doNotCall.id);
    const { measure } = meter(client);
    const lease = async () => {
      const task = await aRunningTask(database, service, { contactCount: 40 });
      return measure(() => leaseFrom({ ...service, dialer }, task, start, { limit: perLease }));
    };
    const list = (phoneNumber: string) =>
      service.contacts.add(doNotCall.id, { phoneNumber, fields: {} }, start);
    const free = await lease();
    await list(seededPhone(9999));
    // A list of short numbers and of numbers in E.164, as a service with a country stores them.
    await list('110');
    const listed = await lease();
    await list('13800138000');
    const listedBefore = await lease();
    expect(listed.rcu - free.rcu).toBe(perLease);
    expect(listedBefore.rcu - free.rcu).toBeGreaterThan(perLease);
    expect(listedBefore.rcu - free.rcu).toBeLessThanOrEqual(2 * perLease);
    for (const { depth } of [listed, listedBefore]) expect(depth).toBeLessThanOrEqual(8);
    await close();
  });

  it('is at most 1.3 times the reads of the list once, and no write, for contacts that a filter leaves out', async () => {
    const { database, client, close } = await engines[0]!.open();
    const [whole, part] = [await aDataSource(database, 4000), await aDataSource(database, 40)];
    const { measure } = meter(client);
    const once = await measure(async () => {
      for await (const _ of openStores(database).contacts.scan(whole));
    });
    const found = { calls: 0, leases: 0 };
    const filtered = await measure(async () =>
      Object.assign(found, await leaseAll(database, whole, { contactFilter: oneInAHundred })),
    );
    const plain = await measure(() => leaseAll(database, part));
    expect(found.calls).toBe(40);
    expect((filtered.rcu - plain.rcu) / once.rcu).toBeLessThanOrEqual(1.3);
    // Two moves of the cursor more, each with its intake.
    expect(filtered.wcu - plain.wcu).toBeLessThanOrEqual(2 * 8);
    await close();
  });

  it('is no more for an idle task that is kept open than for one that waits for retries, or for contacts', async () => {
    // The time of the next check is drawn by lot: here each task draws the same.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    onTestFinished(() => void vi.restoreAllMocks());
    const idleCost = async (settings: object, outcome: 'success' | 'noAnswer') => {
      const { database, client, close } = await engines[0]!.open();
      const service = aService(database);
      const task = await aRunningTask(database, service, { callInterval: 7200, ...settings });
      await reportAll(service, await leaseFrom(service, task, start), outcome, start);
      // As often as an idle dialer is told to ask.
      const poll = async (from: number, until: number) => {
        for (let now = from; now < until; now += 15 * second) await leaseFrom(service, undefined, now);
      };
      // By then the task has been checked once after its last calls: it is idle.
      const idleFrom = start + 10 * minute;
      await poll(start, idleFrom);
      const cost = await meter(client).measure(() => poll(idleFrom, idleFrom + hour));
      await close();
      return cost;
    };
    const open = await idleCost({ keepOpen: true }, 'success');
    const retrying = await idleCost({}, 'noAnswer');
    const empty = await idleCost({ contactCount: 0 }, 'success');
    for (const running of [retrying, empty])
      for (const cost of ['rcu', 'wcu', 'calls'] as const)
        expect(open[cost], cost).toBeLessThanOrEqual(running[cost]);
  });

  it('is at most 3 write units to defer a contact until its number may be called again, whichever process made the calls', async () => {
    const { database, client, close } = await engines[0]!.open();
    const [service, other] = [1, 2].map(() => aService(database, 'UTC', undefined, 1)) as [Service, Service];
    const settings = { maxDialCount: 4, callInterval: 0 };
    const calling = await aRunningTask(database, service, { contactCount: perLease, ...settings });
    const task = await aDraft(service, calling.dataSourceId, settings);
    await move(service, task, 'publish');
    const { measure } = meter(client);
    const nobody = (from: Service, of: Task, now: number) =>
      measure(async () => expect(await leaseFrom(from, of, now)).toEqual([]));
    const putOff = async (from: Service, now: number) => {
      const calls = await leaseFrom(service, calling, now);
      expect(calls).toHaveLength(perLease);
      const others = await nobody(from, task, now);
      await reportAll(service, calls, 'failed', now);
      return { others, own: await nobody(service, calling, now) };
    };
    const first = await putOff(service, start);
    const midnight = Date.UTC(2023, 10, 15);
    // That a dialer asks for calls is written down every twenty seconds at most.
    await leaseFrom(service, task, midnight - second);
    const again = await putOff(service, midnight);
    await leaseFrom(other, task, midnight + 24 * hour - second);
    const elsewhere = await putOff(other, midnight + 24 * hour);
    // How far the line was leased from is one more for a whole lease.
    for (const { others, own } of [first, again, elsewhere])
      for (const { wcu } of [others, own]) expect((wcu - 1) / perLease).toBeLessThanOrEqual(3);
    await close();
  });

  it(`is the same for ${small} and ${large} contacts`, () => {
    for (const operation of ['fresh', 'due', 'success', 'tried', 'failed'] as const) {
      const [at1k, at100k] = [costs[0][operation], costs[1][operation]];
      expect(at100k.wcu / at1k.wcu, operation).toBeLessThanOrEqual(1.1);
      expect(at100k.rcu / at1k.rcu, operation).toBeLessThanOrEqual(1.1);
    }
    expect(costs[1].recall.wcu / costs[0].recall.wcu).toBeLessThanOrEqual(1.1);
  });
});
