import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { units } from '../../bench/costs/quantities.ts';
import { measureInsight } from '../../bench/insight.ts';
import { dataSourceId, measureOperations, pageSize, pagesOf, searches } from '../../bench/operations.ts';
import { openSeeded } from '../../bench/seeding.ts';
import { failedItems } from '../../bench/task-seeds.ts';
import { openStores } from '../../shared/app/runtime/imports.ts';
import { createRuntime } from '../../shared/app/runtime/runtime.ts';
import type { LeasedCall } from '../../shared/calls/rules/call.ts';
import { contactItem } from '../../shared/contacts/contact-items.ts';
import { doNotCall } from '../../shared/contacts/rules/data-source.ts';
import { withoutCountry } from '../../shared/contacts/rules/phone-number.ts';
import { PreflightReader } from '../../shared/insight/preflight-reader.ts';
import { Agenda } from '../../shared/platform/agenda/agenda.ts';
import { removalWork } from '../../shared/platform/agenda/work.ts';
import { serviceSettings } from '../../shared/platform/settings/settings.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { type Item, keys } from '../../shared/platform/table/keys.ts';
import { createTask, type TaskInput } from '../../shared/tasks/rules/task.ts';
import {
  aDataSource,
  aDraft,
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  newId,
  reportAll,
  rulesWithoutLimits,
  second,
  start,
} from '../support/dialing/dialing.ts';
import { leaseAll, oneInAHundred } from '../support/dialing/lease-all.ts';
import { engines } from '../support/engines/engines.ts';
import { meter } from '../support/engines/meter.ts';
import {
  contactAndGuard,
  directoryPages,
  frameItems,
  seedContacts,
  seededPhone,
} from '../support/engines/seed-contacts.ts';
import { sizeOf } from '../support/run/extent.ts';
import { sweepRemovals } from '../support/service/removal.ts';

/** The most read units, write units and calls in a row of each operation: as measured, with room for what a run draws by lot. */
type Budgets = Record<string, [rcu: number, wcu: number, depth: number]>;

const over = (budgets: Budgets, measured: [name: string, ...usage: number[]][]) => {
  expect(Object.keys(budgets)).toEqual(measured.map(([name]) => name));
  return measured.filter(([name, ...usage]) => usage.some((units, at) => units > budgets[name]![at]!));
};

const count = sizeOf(100_000, 1_000_000);
const failed = count / 10;
/** The read units of a search: 7 bytes a contact. */
const searchUnits = sizeOf(153, 1340);
const upTo = (length: number, from = 0) => Array.from({ length }, (_, at) => from + at);

/** The contacts that a page of a search shows, and those between near ones that are read along. */
const foundBy = (part: string) => {
  const seqs: number[] = [];
  for (let seq = 0; seq < count && seqs.length < pageSize; seq++)
    if (seededPhone(seq).includes(part)) seqs.push(seq);
  return seqs.flatMap((seq) => upTo(8, seq));
};

/** Many contacts, of which those that are read have items, and a task with more failed ones than a recall lists. */
function* manyContacts(): Generator<Item> {
  yield* frameItems(dataSourceId, count);
  const seqs = new Set([
    ...upTo(600),
    ...upTo(40, failed),
    ...pagesOf(count).flatMap(({ offset }) => upTo(pageSize, offset)),
    ...searches.flatMap(({ part }) => foundBy(part)),
  ]);
  for (const seq of seqs) yield* contactAndGuard(dataSourceId, seq);
  yield* failedItems('0000000000000003', dataSourceId, failed, Math.min(failed, 12_000));
}

it(`operations on ${count} contacts keep to their budgets`, async () => {
  const { engine, close } = await openSeeded(manyContacts());
  onTestFinished(close);
  const measured = await measureOperations(engine, count, () => {});
  const budgets: Budgets = {
    'list, first page': [3, 0, 2],
    'list, middle page': [3, 0, 2],
    'list, last page': [3, 0, 2],
    'search, 1 digit': [searchUnits, 0, 3],
    'search, 2 digits': [searchUnits, 0, 3],
    'search, 4 digits': [searchUnits, 0, 3],
    'search, 8 digits': [searchUnits, 0, 3],
    'search, whole number': [3, 0, 3],
    add: [6.5, 8, 5],
    edit: [2, 1, 2],
    'phone change': [3, 8, 2],
    // Of a contact that was called: its number and its place in line are written too.
    delete: [7, 17, 5],
    'import of 10k': [13, 20_200, 150],
    're-import of 10k': [12, 10_100, 91],
    'lease of 10': [7.5, 20, 5],
    'lease of 10 due': [6.5, 32, 5],
    'lease of 10, any task': [40, 40, 17],
    'the same of 1,000': [28, 24, 13],
    result: [6, 10, 5],
    'result, callback': [6, 12, 7],
    'result, do not call': [12, 18, 10],
    release: [3, 5, 6],
    extend: [1, 3, 3],
    'recall of all failed': [235, 18, 11],
    'idle poll of 1,000': [3, 1, 2],
  };
  const usages = measured.map(({ name, usage: { rcu, wcu, depth } }): [string, ...number[]] => [
    name,
    ...[rcu, wcu, depth],
  ]);
  expect(over(budgets, usages)).toEqual([]);
  expect(measured.find(({ name }) => name === 'import of 10k')!.usage.calls).toBeLessThanOrEqual(900);
  // docs/costs.md counts with what is used, at most a tenth more.
  const counted = {
    'import of 10k': [units.import, 10_000],
    'lease of 10': [units.lease, 10],
    result: [units.result, 1],
    'idle poll of 1,000': [units.idlePoll, 1],
  } as const;
  for (const [name, [{ reads, writes }, count]] of Object.entries(counted)) {
    const { rcu, wcu } = measured.find((each) => each.name === name)!.usage;
    expect([name, rcu / count <= reads, wcu / count <= writes]).toEqual([name, true, true]);
    // An idle poll that comes soon after another writes nothing.
    if (name !== 'idle poll of 1,000') expect([name, wcu / count >= 0.9 * writes]).toEqual([name, true]);
  }
});

it('seeing tasks, and the rules of who may be called, keep to their budgets', async () => {
  const { rows } = await measureInsight(() => {});
  const budgets: Budgets = {
    overview: [12, 0, 7],
    'overviews of 20 with 5 calls each': [40.5, 0, 6],
    'timeline, hours of 30 days': [2.5, 0, 1],
    'contacts, page of 20: all': [16, 0, 11],
    'contacts, page of 20: inCall': [16, 0, 9],
    'contacts, page of 20: waiting': [16, 0, 9],
    'contacts, page of 20: success': [22, 0, 4],
    'contacts, page of 20: noAnswer': [22, 0, 4],
    // 20 calls are in progress: that is what they may cost, whatever has ended.
    'overview after 5,000 calls, leases of 120 s': [8, 0, 7],
    'overview after 5,000 calls, leases of 120 s that ran out': [12, 0, 9],
    'contacts, page of 20: inCall, after 5,000 calls, leases of 120 s': [14, 0, 11],
    'overview after 5,000 calls, leases of 3600 s': [8, 0, 7],
    'overview after 5,000 calls, leases of 3600 s that ran out': [12, 0, 9],
    'contacts, page of 20: inCall, after 5,000 calls, leases of 3600 s': [14, 0, 11],
    history: [3, 0, 3],
    'result with a record below 1 KB': [13, 9, 10],
    'calls, page of 20': [9, 0, 2],
    'one call': [3, 0, 3],
    annotation: [4, 2, 3],
    'lease of 10': [11, 25, 7],
    'lease of 10, task under way': [7.5, 20, 5],
    result: [6, 10, 5],
    'lease of 10, task under way, pace of the task limited': [8.5, 21, 7],
    'result, pace of the task limited': [8, 11, 7],
    'lease of 10, task under way, with a brake': [7.5, 20, 5],
    'result, with a brake': [8, 11, 8],
    'lease of 10, task under way, calls of the service limited': [8.5, 21, 7],
    'result, calls of the service limited': [6, 11, 6],
    'the same, one exclusion list': [11, 25, 7],
    // At most two units written and one read more for each contact, with its result.
    'lease of 10, task under way, calls to a number limited': [17.5, 30, 10],
    'result, calls to a number limited': [7, 11, 7],
    'result that leads to a retry, calls to a number limited': [7, 12, 6],
    'person found': [135, 0, 9],
    'the same, with a country': [135, 0, 9],
    'person erased': [380, 22, 34],
    'batchAdd of 5,000': [12, 10_120, 84],
    'batchDelete of 1,000': [1100, 4200, 88],
  };
  // The last two ask a whole service, whose schedules read meanwhile.
  const measured = rows.slice(0, -2).map((row) => row.slice(0, 4)) as [string, ...number[]][];
  expect(over(budgets, measured)).toEqual([]);
});

/** A table of its own, and what a job on it costs. */
const aTable = async () => {
  const { database, client, tableName, close } = await engines[0]!.open();
  onTestFinished(close);
  return { database, client, tableName, service: aService(database), ...meter(client) };
};

describe('dialing', () => {
  it.each([1, 10, 100])(
    'writes less than 2.5 units for a fresh contact, leased %i at a time and its intakes removed',
    async (limit) => {
      const { database, service, measure } = await aTable();
      const task = await aRunningTask(database, service, { contactCount: 240, maxDialCount: 1 });
      const calls: LeasedCall[] = [];
      const lease = async (now: number, most = limit) =>
        calls.push(...(await leaseFrom(service, task, now, { limit: most })));
      const usage = await measure(async () => {
        for (let at = 0; at < 100 / limit; at++) await lease(start + at);
      });
      await reportAll(service, calls, 'success', start + minute);
      const after = await measure(() => lease(start + hour, 1));
      expect((usage.wcu + after.wcu) / calls.length).toBeLessThan(2.5);
    },
  );

  it('reads the list at most 1.3 times for contacts that a filter leaves out, and writes nothing for them', async () => {
    const { database, measure } = await aTable();
    const [whole, part] = [await aDataSource(database, 4000), await aDataSource(database, 40)];
    const once = await measure(async () => {
      for await (const _ of openStores(database).contacts.scan(whole));
    });
    const filtered = await measure(async () =>
      expect(await leaseAll(database, whole, { contactFilter: oneInAHundred })).toMatchObject({ calls: 40 }),
    );
    const plain = await measure(() => leaseAll(database, part));
    expect((filtered.rcu - plain.rcu) / once.rcu).toBeLessThanOrEqual(1.3);
    // Two moves of the cursor more, each with its intake.
    expect(filtered.wcu - plain.wcu).toBeLessThanOrEqual(2 * 8);
  });

  it('reads hardly more while 300 contacts that were due are in a call', async () => {
    const { database, service, measure } = await aTable();
    const settings = { contactCount: 320, maxDialCount: 2, callInterval: 0, retryOrder: 'last' as const };
    const task = await aRunningTask(database, service, settings);
    const lease = (limit: number) => leaseFrom(service, task, start + hour, { limit });
    for (let at = 0; at < 320; at += 80) await reportAll(service, await lease(80), 'failed', start + hour);
    await lease(10);
    const first = await measure(() => lease(10));
    for (let at = 1; at < 30; at++) expect(await lease(10)).toHaveLength(10);
    const last = await measure(() => lease(10));
    expect((last.rcu - first.rcu) / 10).toBeLessThanOrEqual(1);
    expect(last.wcu).toBe(first.wcu);
  });

  it('writes nothing for an idle poll over tasks at their limits, and goes on with the first that has room', async () => {
    const { database, service, measure } = await aTable();
    for (let at = 0; at < 30; at++)
      await aRunningTask(database, service, { contactCount: 3, maxConcurrentCalls: 1 });
    const calls = await leaseFrom(service, undefined, start, { limit: 100, leaseSeconds: 3600 });
    expect(calls).toHaveLength(30);
    await leaseFrom(service, undefined, start + 11 * second);
    const idle = await measure(() => leaseFrom(service, undefined, start + 12 * second));
    expect([idle.rcu <= 10, idle.depth <= 3, idle.wcu]).toEqual([true, true, 0]);
    await reportAll(service, calls.slice(7, 8), 'success', start + minute);
    expect(await leaseFrom(service, undefined, start + minute)).toMatchObject([{ taskId: calls[7]!.taskId }]);
  });

  it('counts channels and calls of each second in one small item, and drops what is over', async () => {
    const { database, service, measure } = await aTable();
    const settings = { contactCount: 300, maxDialCount: 1, maxConcurrentCalls: 500, callsPerMinute: 500 };
    const task = await aRunningTask(database, service, settings);
    for (let at = 0; at < 150; at++)
      await leaseFrom(service, task, start + at * second, { limit: 1, leaseSeconds: 120 });
    const taken = keys.taken(keys.taskPace(task.id));
    const { bytes } = await measure(() => database.get(taken));
    expect(bytes).toBeLessThanOrEqual(1024);
    await leaseFrom(service, task, start + hour, { limit: 1 });
    const counts = Object.keys((await database.get(taken))!).filter((name) => /^[tb]\w{6}$/.test(name));
    expect(counts, 'of the last call only').toHaveLength(2);
  });

  it('costs no more for an idle task that is kept open than for one that waits for retries, or for contacts', async () => {
    // The time of the next check is drawn by lot: here each task draws the same.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    onTestFinished(() => void vi.restoreAllMocks());
    const idleCost = async (
      settings: Partial<TaskInput> & { contactCount?: number },
      outcome: 'success' | 'noAnswer',
    ) => {
      const { database, service, measure } = await aTable();
      const task = await aRunningTask(database, service, { callInterval: 7200, ...settings });
      await reportAll(service, await leaseFrom(service, task, start), outcome, start);
      // As often as an idle dialer is told to ask.
      const poll = async (from: number, until: number) => {
        for (let now = from; now < until; now += 15 * second) await leaseFrom(service, undefined, now);
      };
      // By then the task has been checked once after its last calls: it is idle.
      await poll(start, start + 10 * minute);
      return measure(() => poll(start + 10 * minute, start + 70 * minute));
    };
    const open = await idleCost({ keepOpen: true }, 'success');
    for (const running of [await idleCost({}, 'noAnswer'), await idleCost({ contactCount: 0 }, 'success')])
      for (const cost of ['rcu', 'wcu', 'calls'] as const)
        expect(open[cost], cost).toBeLessThanOrEqual(running[cost]);
  });
});

it('a removal writes 2.2 units a contact and reads none of them', async () => {
  const { database, measure } = await aTable();
  const [id, contacts] = [newId(), 3_000];
  await seedContacts(database, id, contacts);
  await database.delete(keys.directoryPage(id, 0));
  await database.delete(keys.dataSource(id));
  await new Agenda(database).add(removalWork('dataSource', id), start, { end: contacts });
  const { wcu, rcu } = await measure(() => sweepRemovals({ database }, () => start + hour));
  expect([wcu >= 2 * contacts, wcu <= 2.2 * contacts, rcu < 0.01 * contacts]).toEqual([true, true, true]);
});

describe('a pre-flight', () => {
  const aReader = async () => {
    const { database: whole, ...table } = await aTable();
    const database = whole.lagging;
    const reader = new PreflightReader({
      ...openStores(database),
      database,
      phones: async () => withoutCountry,
      country: '',
      timeZone: 'UTC',
    });
    const rules = rulesWithoutLimits(database);
    const aSourceOf = async (contacts: number, id = newId()) => {
      await database.putAll([...frameItems(id, contacts)]);
      return id;
    };
    const of = (settings: Partial<TaskInput> & { dataSourceId: string }) =>
      reader.of(createTask({ taskName: 'x', ...settings }, '', start), rules, start);
    return { ...table, database, aSourceOf, of };
  };

  it('reads as many units as the numbers take, and writes nothing', async () => {
    const { aSourceOf, of, measure } = await aReader();
    await aSourceOf(100_000, doNotCall.id);
    const excludedDataSourceIds = [await aSourceOf(10_000), await aSourceOf(10_000)];
    const settings = { dataSourceId: await aSourceOf(100_000), excludedDataSourceIds };
    const { rcu, wcu, depth } = await measure(async () =>
      expect(await of(settings)).toMatchObject({ total: 100_000, blocked: 100_000 }),
    );
    expect([rcu <= 155, wcu, depth <= 8], `${rcu}`).toEqual([true, 0, true]);
  });

  it('estimates by a sample what a filter selects of a long list, and refuses a longer one', async () => {
    const { database, aSourceOf, of } = await aReader();
    await aSourceOf(0, doNotCall.id);
    const contactFilter = [{ field: 'plan', is: 'equal' as const, value: 'gold' }];
    const long = await aSourceOf(100_100);
    const contacts = ['gold', 'tin', 'tin', 'tin'].map((plan, seq) =>
      contactItem(long, seq, { phoneNumber: seededPhone(seq), fields: { plan } }, start),
    );
    await database.putAll(contacts);
    const estimated = await of({ dataSourceId: long, contactFilter });
    expect(estimated).toMatchObject({ total: 100_100, notSelected: 75_075, estimated: true });
    const longer = newId();
    await database.putAll([...directoryPages(longer, 4_000_001)]);
    const refused = of({ dataSourceId: longer, contactFilter });
    await expect(refused).rejects.toMatchObject({ word: 'TOO_MANY_CONTACTS' });
  });

  it('stays bounded however many contacts other tasks have, and says that it did not see all', async () => {
    const { service, aSourceOf, of, measure } = await aReader();
    const task = async (from: string) => {
      const { id } = await aDraft(service, from);
      await service.tasks.move(id, 'publish', (draft) => draft);
      return id;
    };
    await aSourceOf(0, doNotCall.id);
    const [own, small] = [await aSourceOf(1_000), await aSourceOf(500)];
    const [same, seen] = [await task(own), await task(small)];
    const see = () => of({ dataSourceId: own });
    const others: string[] = [];
    for (let i = 0; i < 200; i++) others.push(await task(await aSourceOf(0)));
    expect(await see()).toMatchObject({ alsoInComplete: false });
    for (const id of others) await service.tasks.move(id, 'stop', (stopped) => stopped);
    expect(await see()).toMatchObject({ alsoInComplete: true });
    for (let i = 0; i < 5; i++) await task(await aSourceOf(100_000));
    const { rcu } = await measure(async () => {
      const { alsoIn, ...found } = await see();
      expect(found).toMatchObject({ alsoInComplete: false, total: 1_000 });
      expect(alsoIn.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining([same, seen]));
      expect(alsoIn).toHaveLength(5);
    });
    expect(rcu).toBeLessThanOrEqual(300);
  });
});

it('a task that was added a moment ago is read a second time where its items do not show yet', async () => {
  const { database, client, tableName, service } = await aTable();
  const tasks = [await aRunningTask(database, service), await aRunningTask(database, service)];
  const ids = tasks.map(({ id }) => id);
  const isLagging = (command: object) =>
    command instanceof QueryCommand && command.input.ConsistentRead !== true;
  const send = async (command: never) => (isLagging(command) ? { Items: [] } : client.send(command));
  const behind = new Database({ send } as never, tableName);
  const { insight } = createRuntime(serviceSettings({}), behind);
  for (const some of [ids, ids.slice(1)])
    expect((await insight.overviews(some, start)).map(({ task }) => task.id)).toEqual(some);
});
