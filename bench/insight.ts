import { randomUUID } from 'node:crypto';
import { ensureTable } from '../local/dynamodb/ensure-table.ts';
import { serve } from '../local/service.ts';
import { createRuntime } from '../shared/app/runtime/runtime.ts';
import { contactId, readNamedContacts } from '../shared/contacts/rules/contact.ts';
import { doNotCall } from '../shared/contacts/rules/data-source.ts';
import { asCleaned } from '../shared/contacts/rules/phone-number.ts';
import { log } from '../shared/platform/observability/log.ts';
import { serviceSettings } from '../shared/platform/settings/settings.ts';
import { Database } from '../shared/platform/table/database.ts';
import type { TaskInput } from '../shared/tasks/rules/task.ts';
import { aRunningTask, aService, leaseFrom, type Service } from '../test/support/dialing/dialing.ts';
import { openEngine } from '../test/support/engines/engine-door.ts';
import { meter, type Usage } from '../test/support/engines/meter.ts';
import { seedEmptyDataSource } from '../test/support/engines/seed-contacts.ts';
import { aCrowd } from './crowd.ts';
import {
  aBusyTask,
  aLongLife,
  aMonthOfCalls,
  callsInProgress,
  endedCalls,
  lifeNow,
  rare,
  underWay,
} from './long-life.ts';
import { clientOf, dataSourceId, freshRows, importOf, leaseSize, pageSize } from './operations.ts';
import { tableName } from './seeding.ts';
import type { Table } from './table.ts';

/** `prepare` is not measured. */
type Row = { name: string; prepare?: () => Promise<unknown>; run: () => Promise<unknown> };

const listed = 20;
const token = 'bench';

/** What operators see of a task that has run for a long time. */
const seeing = async (database: Database): Promise<Row[]> => {
  const { insight, tasks } = createRuntime(serviceSettings({}), database);
  const { id } = await aLongLife(database);
  const others: string[] = [];
  const service = aService(database);
  for (let i = 0; i < listed; i++) {
    const task = await aRunningTask(database, service, { contactCount: 60 });
    await leaseFrom(service, task, lifeNow, { limit: 5 });
    others.push(task.id);
  }
  const { id: called } = await aRunningTask(database, service, { contactCount: 1 });
  await aMonthOfCalls(database, called);
  const page = (outcome: 'all' | 'inCall' | 'waiting' | 'success' | 'noAnswer') => ({
    name: `contacts, page of ${pageSize}: ${outcome}`,
    run: () => insight.contacts(id, { outcome, pageSize }, lifeNow),
  });
  return [
    { name: 'overview', run: () => insight.overview(id, lifeNow) },
    { name: `overviews of ${listed} with 5 calls each`, run: () => insight.overviews(others, lifeNow) },
    {
      name: 'timeline, hours of 30 days',
      run: () => insight.timeline(called, 'hour', lifeNow),
    },
    ...(['all', 'inCall', 'waiting', 'success', 'noAnswer'] as const).map(page),
    ...(await seeingAfter(database, 120)),
    ...(await seeingAfter(database, 3600)),
    { name: 'history', run: () => tasks.history(id, 0, pageSize) },
  ];
};

/** What operators see of a task whose calls have ended, but not the time of their leases. */
const seeingAfter = async (database: Database, leaseSeconds: number): Promise<Row[]> => {
  const { insight } = createRuntime(serviceSettings({}), database);
  const { id, seenAt } = await aBusyTask(database, leaseSeconds);
  const after = `after ${endedCalls.toLocaleString('en')} calls, leases of ${leaseSeconds} s`;
  const silentSince = seenAt + 2 * leaseSeconds * 1000;
  return [
    { name: `overview ${after}`, run: () => insight.overview(id, seenAt) },
    { name: `overview ${after} that ran out`, run: () => insight.overview(id, silentSince) },
    {
      name: `contacts, page of ${pageSize}: inCall, ${after}`,
      run: () => insight.contacts(id, { outcome: 'inCall', pageSize }, seenAt),
    },
  ];
};

/** Calls of a task, one by one, with records a little below 1 KB. */
const reading = async (database: Database): Promise<Row[]> => {
  const { callReader, dialer } = createRuntime(serviceSettings({}), database);
  const service = aService(database);
  const task = await aRunningTask(database, service, { contactCount: 120, maxDialCount: 1 });
  const calls = await leaseFrom(service, task, lifeNow, { limit: 100 });
  const said = { summary: 'x'.repeat(600), data: { paysOn: '2026-05-08' }, disposition: 'promised' };
  const report = (callId: string) =>
    service.dialer.results.report({ callId, outcome: 'success', duration: 60, ...said }, lifeNow);
  for (const { callId } of calls.splice(1)) await report(callId);
  const { callId } = calls[0]!;
  return [
    { name: 'result with a record below 1 KB', run: () => report(callId) },
    {
      name: `calls, page of ${pageSize}`,
      run: () => callReader.page(task.id, { pageSize }, {}, lifeNow),
    },
    { name: 'one call', run: () => callReader.detail(callId, lifeNow) },
    { name: 'annotation', run: () => dialer.annotations.annotate({ callId, summary: 'short' }, lifeNow) },
  ];
};

/** Calls to each number are counted for that long. */
const limitedMs = 3 * 24 * 60 * 60 * 1000;

/** Limits above the calls that are made here. */
const pace = { maxConcurrentCalls: 1000, callsPerMinute: 1000 };

/** A task whose first calls were leased, so that the items that count its calls exist. */
const aTaskUnderWay = async (database: Database, by: Service, settings: Partial<TaskInput> = {}) => {
  const task = await aRunningTask(database, by, { contactCount: 60, maxDialCount: 1, ...settings });
  await leaseFrom(by, task, lifeNow, { limit: leaseSize });
  return task;
};

/** Leases and results of a task, without and with limits of its pace, and with a brake. */
const pacing = async (database: Database): Promise<Row[]> => {
  const service = aService(database);
  const kinds = [
    ['', service, {}],
    [', pace of the task limited', service, pace],
    [', with a brake', service, { pauseWhen: { failedPercent: 100, calls: 1000 } }],
    [', calls of the service limited', aService(database, 'UTC', undefined, 0, 1000), {}],
  ] as const;
  const rows = kinds.map(async ([kind, by, settings]) => {
    const task = await aTaskUnderWay(database, by, settings);
    const calls = await leaseFrom(by, task, lifeNow, { limit: leaseSize });
    const report = () =>
      by.dialer.results.report({ callId: calls.pop()!.callId, outcome: 'success', duration: 60 }, lifeNow);
    await report();
    return [
      {
        name: `lease of ${leaseSize}, task under way${kind}`,
        run: () => leaseFrom(by, task, lifeNow, { limit: leaseSize }),
      },
      { name: `result${kind}`, run: report },
    ];
  });
  return (await Promise.all(rows)).flat();
};

/** The same lease of fresh contacts, under each rule. */
const leasing = async (database: Database): Promise<Row[]> => {
  const service = aService(database);
  await seedEmptyDataSource(database, doNotCall.id);
  const leaseOf = async () => {
    const task = await aRunningTask(database, service, { contactCount: 40 });
    return () => leaseFrom(service, task, lifeNow, { limit: leaseSize });
  };
  const free = await leaseOf();
  const excluding = await leaseOf();
  return [
    { name: `lease of ${leaseSize}`, run: free },
    ...(await pacing(database)),
    {
      name: 'the same, one exclusion list',
      prepare: () => service.contacts.add(doNotCall.id, { phoneNumber: '110', fields: {} }, lifeNow),
      run: excluding,
    },
  ];
};

/** The same where the calls to a number are limited, and have been counted for some days. */
const limiting = async (database: Database): Promise<Row[]> => {
  const service = aService(database, 'UTC', undefined, 5);
  await seedEmptyDataSource(database, doNotCall.id);
  const first = await aRunningTask(database, service, { contactCount: 1 });
  await leaseFrom(service, first, lifeNow - limitedMs);
  const task = await aTaskUnderWay(database, service, { callInterval: 0, maxDialCount: 2 });
  const calls = await leaseFrom(service, task, lifeNow, { limit: leaseSize });
  const report = (outcome: 'success' | 'failed') =>
    service.dialer.results.report({ callId: calls.pop()!.callId, outcome, duration: 60 }, lifeNow);
  await report('success');
  return [
    {
      name: `lease of ${leaseSize}, task under way, calls to a number limited`,
      run: () => leaseFrom(service, task, lifeNow, { limit: leaseSize }),
    },
    { name: 'result, calls to a number limited', run: () => report('success') },
    { name: 'result that leads to a retry, calls to a number limited', run: () => report('failed') },
  ];
};

/** A person in 200 data sources and 1,000 tasks, who was called by five tasks of one of them. */
const persons = async (database: Database): Promise<Row[]> => {
  const phoneNumber = '+8613800138000';
  await aCrowd(database, [phoneNumber]);
  const { personFinder, erasures } = createRuntime(serviceSettings({}), database);
  const { personFinder: finder } = createRuntime({ ...serviceSettings({}), country: 'CN' }, database);
  return [
    { name: 'person found', run: () => personFinder.find(phoneNumber, lifeNow) },
    { name: 'the same, with a country', run: () => finder.find(phoneNumber, lifeNow) },
    { name: 'person erased', run: () => erasures.erase({ phoneNumber, keepDoNotCall: true }, lifeNow) },
  ];
};

const batchSize = 5000;
const deletedAtOnce = 1000;

/** Contacts in and out without a file. */
const batches = async (database: Database): Promise<Row[]> => {
  await seedEmptyDataSource(database, dataSourceId);
  const { contacts } = createRuntime(serviceSettings({}), database);
  const rows = freshRows(0).slice(0, batchSize);
  const contactIds = Array.from({ length: deletedAtOnce }, (_, seq) => contactId(dataSourceId, seq));
  const named = readNamedContacts(dataSourceId, { contactIds }, asCleaned);
  return [
    { name: 'batchAdd of 5,000', run: () => importOf(database, 'batch', rows) },
    { name: 'batchDelete of 1,000', run: () => contacts.removeAll(dataSourceId, named, lifeNow) },
  ];
};

/** One request, without and with a key. */
const repeating = (url: string): Row[] => {
  const add = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ dataSourceName: randomUUID() });
    const answer = await fetch(`${url}/api/dataSource/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const keyed = () => add({ 'idempotency-key': randomUUID() });
  return [
    // The first request loads code, and the first sweep reads. Neither is measured.
    { name: 'POST, a data source added', prepare: keyed, run: () => add({}) },
    { name: 'the same, with an Idempotency-Key', run: keyed },
  ];
};

const openTable = async () => {
  const engine = await openEngine({ path: ':memory:' });
  const client = clientOf(engine);
  await ensureTable(client, tableName);
  return {
    database: new Database(client, tableName),
    measure: meter(client).measure,
    close: () => engine.close(),
  };
};

/** The cost of the rules of who may be called, and of what operators see. */
export const measureInsight = async (onDone: (name: string) => void): Promise<Table> => {
  // Log lines of requests would appear between the tables.
  log.setLogLevel('ERROR');
  const { database, measure, close } = await openTable();
  const limited = await openTable();
  const rows: [string, Usage][] = [];
  const measureAll = async (some: readonly Row[], by = measure) => {
    for (const { name, prepare, run } of some) {
      await prepare?.();
      rows.push([name, await by(run)]);
      onDone(name);
    }
  };
  await measureAll([...(await seeing(database)), ...(await reading(database)), ...(await leasing(database))]);
  await measureAll(await limiting(limited.database), limited.measure);
  await measureAll([...(await persons(database)), ...(await batches(database))]);
  const settings = { port: 0, host: '127.0.0.1', dataDir: ':memory:', accessToken: token };
  const service = await serve({ ...settings, ...serviceSettings({}) }, database);
  await measureAll(repeating(service.url));
  await service.close();
  await limited.close();
  await close();
  return {
    title: 'Seeing tasks, and the rules of who may be called',
    note:
      `A task of 1,000,000 contacts with ${underWay} calls in progress, ${underWay} waiting contacts, and ${rare} contacts of each ` +
      `outcome, far from each other. After ${endedCalls.toLocaleString('en')} calls, ten a second, all but ${callsInProgress} have ended; ` +
      `dialers have been silent where their leases ran out. Reads for operators may lag a moment, at half the price. The person is a contact of one of 200 ` +
      `data sources, and was called by five of 1,000 tasks.`,
    columns: ['operation', 'RCU', 'WCU', 'calls in a row', 'calls', 'KB of items'],
    rows: rows.map(([name, { rcu, wcu, depth, calls, bytes }]) => [
      name,
      rcu,
      wcu,
      depth,
      calls,
      bytes / 1024,
    ]),
  };
};
