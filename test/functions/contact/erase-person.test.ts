import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { phonesOf } from '../../../shared/contacts/phone-block.ts';
import { erasureWork } from '../../../shared/people/erasures.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { log } from '../../../shared/platform/observability/log.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { type Item, isCallKey, keys } from '../../../shared/platform/table/keys.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { watchedBy } from '../../support/engines/overtaken.ts';
import { imported } from '../../support/files/contact-files.ts';
import { Api, expectError, succeeded } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';
import { send } from '../../support/service/post-scenarios.ts';

type Call = { callId: string; contactId: string; phoneNumber: string };
const anyHour = { dailyStartTime: '00:00', dailyEndTime: '24:00' };

describe.each(engines)('erasing a person on $name', (engine) => {
  const api = new Api();
  let table: OpenTable;
  const lines: string[] = [];
  const number = '+49301234567';
  const digits = '49301234567';

  beforeAll(async () => {
    for (const level of ['info', 'warn', 'error'] as const)
      vi.spyOn(log, level).mockImplementation((...parts) => void lines.push(JSON.stringify(parts)));
    table = await engine.open();
    await api.start({ engine: { open: async () => table }, maxCallsPerNumberPerDay: 50 });
  });
  afterAll(async () => {
    await api.stop();
    vi.restoreAllMocks();
  });

  const erase = (body: object) => api.post('/api/contact/erase', body);
  const find = async (phoneNumber: string) =>
    succeeded(await api.post('/api/contact/find', { phoneNumber })) as unknown as {
      doNotCall: boolean;
      contacts: unknown[];
    };
  const scanned = async (): Promise<Item[]> => {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new ScanCommand({ TableName: table.tableName, ConsistentRead: true }),
    );
    expect(LastEvaluatedKey).toBeUndefined();
    return Items as Item[];
  };
  const textOf = ({ bytes, ...item }: Item) => {
    const packed = item.pk.includes('#B#') || item.pk.includes('#PLAN#') ? phonesOf(bytes as Uint8Array) : [];
    const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);
    return JSON.stringify([item, packed], plain);
  };
  /**
   * The partitions of all items that hold the number, in any form. Stored answers expire after a
   * day.
   */
  const holders = async () =>
    (await scanned()).filter((item) => textOf(item).includes(digits)).map(({ pk }) => pk);

  const aRunningTask = async (dataSourceId: string, rules: object = {}) => {
    const task = await api.aTask({ dataSourceId, maxDialCount: 3, callInterval: 0, ...anyHour, ...rules });
    succeeded(await api.post('/api/task/publish', { id: task.id }));
    return task;
  };
  const leased = async (taskId: string) =>
    succeeded(await api.post('/api/dialer/lease', { taskId, limit: 100 })).calls as unknown as Call[];
  const callTo = async (taskId: string) =>
    (await leased(taskId)).find(({ phoneNumber }) => phoneNumber === number)!;
  const report = (callId: string, outcome: string) =>
    api.post('/api/dialer/result', { callId, outcome, duration: 9, reason: 'other' });
  const statOf = async (id: string) => succeeded(await api.get(`/api/task/${id}/stat`));

  it('leaves the number on the do-not-call list only', async () => {
    const [first, second] = [await api.aDataSource(), await api.aDataSource()];
    const csv = `phoneNumber,customerName\n${number},Li Wei\n+49301234568,Wang Fang\n`;
    expect(await imported(api, first.id, Buffer.from(csv))).toMatchObject({ successCount: 2 });
    // At the place that another person has in the first list.
    await api.aContact(second.id);
    await api.aContact(second.id, { phoneNumber: number, note: `call ${number}` });
    await aRunningTask(second.id);
    await api.aContact('do-not-call', { phoneNumber: number, customerName: 'Li Wei' });
    succeeded(await api.post(`/api/dataSource/do-not-call/contact/batchDelete`, { phoneNumbers: [number] }));
    const task = await aRunningTask(first.id);
    const [call, other] = await leased(task.id);
    for (const { callId } of [call!, other!]) succeeded(await report(callId, 'failed'));
    succeeded(await report((await callTo(task.id)).callId, 'success'));
    const known = { customerName: 'Li Wei', address: 'Main Street', note: 'a friend of Li Wei' };
    const list = await api.aContact('do-not-call', { phoneNumber: number, ...known });
    const before = await statOf(task.id);
    const answer = succeeded(await erase({ phoneNumber: '+49 30 1234567' }));
    expect(answer).toEqual({ contactCount: 2, taskCount: 1, lastCopyExpireTime: expect.any(String) });
    // A stored answer is kept for a day, and a backup for 35 days.
    const days = (Date.parse(`${answer.lastCopyExpireTime}Z`) - Date.now()) / dayMs;
    expect(Math.round(days)).toBe(36);
    expect(await new Agenda(api.database).listed('erasure')).toEqual([]);
    const left = await holders();
    expect([...new Set(left)].sort()).toEqual([
      keys.block('do-not-call', 0).pk,
      keys.contact('do-not-call', 0).pk,
      keys.phone('do-not-call', number).pk,
    ]);
    const rows = succeeded(await api.get('/api/dataSource/do-not-call/contacts')).rows;
    expect(rows).toMatchObject([{ id: list.id, phoneNumber: number, customerName: '' }]);
    expect((await scanned()).filter((item) => textOf(item).includes('Li Wei'))).toEqual([]);
    expect(succeeded(await api.get(`/api/call/detail/${other!.callId}`))).toMatchObject({
      phoneNumber: other!.phoneNumber,
    });
    expect(await statOf(task.id)).toEqual({ ...before, totalContacts: 1, dialRate: 3 });
    expect(await find(number)).toEqual({ phoneNumber: number, doNotCall: true, contacts: [] });
    const zeros = { contactCount: 0, taskCount: 0, lastCopyExpireTime: expect.any(String) };
    expect(succeeded(await erase({ phoneNumber: number }))).toEqual(zeros);
    // A process that died was about to put it on the list.
    const waiting = keys.waitingNumbers('do-not-call');
    const numbers = new Set([`0#${number}`, '0#+4912']);
    const dead = { ...waiting, numbers, ttl: Date.UTC(2050, 0) / 1000 };
    await api.database.put(dead);
    succeeded(await erase({ phoneNumber: number }));
    expect(await api.database.get(waiting)).toEqual(dead);
    const all = succeeded(await erase({ phoneNumber: number, keepDoNotCall: false }));
    expect(all).toMatchObject({ contactCount: 1, taskCount: 0 });
    expect((await api.database.get(waiting))?.numbers).toEqual(new Set(['0#+4912']));
    expect(await holders()).toEqual([]);
    expect(succeeded(await erase({ phoneNumber: number, keepDoNotCall: false }))).toEqual(zeros);
    expect(lines.filter((line) => line.includes(digits))).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  });

  it('takes a contact away that waits to be added, so that no other request adds it later', async () => {
    const { id } = await api.aDataSource();
    const { contacts } = openStores(api.database);
    const later = '+49301234568';
    // The process of the contact dies as soon as the contact waits.
    const dying = watchedBy(table, ({ name, input }) => {
      if (name === 'TransactWrite')
        throw new TransactionConflictException({ message: 'busy', $metadata: {} });
      if (name === 'Delete' || (name === 'Query' && JSON.stringify(input).includes('ADDS') && hasPut))
        throw new Error('dead');
      if (name === 'Put') hasPut = true;
    });
    let hasPut = false;
    const sent = { phoneNumber: number, fields: { customerName: 'Li Wei' } };
    await expect(openStores(dying).contacts.add(id, sent, Date.now())).rejects.toThrow('dead');
    expect(await holders()).toEqual([keys.waitingContacts(id)]);
    succeeded(await erase({ phoneNumber: '+49 30 1234567' }));
    expect(await holders()).toEqual([]);
    await contacts.add(id, { phoneNumber: later, fields: {} }, Date.now());
    const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contacts`));
    expect(rows).toMatchObject([{ phoneNumber: later }]);
  });

  it('leaves nothing of the number under another spelling, under which it was called', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId, { phoneNumber: number.replace('+', '00') });
    const task = await aRunningTask(dataSourceId);
    const [call] = await leased(task.id);
    succeeded(await report(call!.callId, 'failed'));
    expect(succeeded(await erase({ phoneNumber: number }))).toMatchObject({ contactCount: 1, taskCount: 1 });
    expect(await holders()).toEqual([]);
  });

  it('lets a call in progress end, and counts its result', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId, { phoneNumber: number });
    const task = await aRunningTask(dataSourceId);
    succeeded(await report((await callTo(task.id)).callId, 'failed'));
    const call = await callTo(task.id);
    expect(succeeded(await erase({ phoneNumber: number }))).toMatchObject({ contactCount: 1, taskCount: 1 });
    const ended = succeeded(await report(call.callId, 'noAnswer'));
    expect(ended).toMatchObject({ taskId: task.id, contactId: call.contactId });
    // A repeat is recognised.
    expect(succeeded(await report(call.callId, 'noAnswer'))).toEqual(ended);
    expect(await statOf(task.id)).toMatchObject({ callCount: 2, failCount: 1, noAnswerCount: 1 });
    expect(await leased(task.id)).toEqual([]);
    expect(succeeded(await api.get(`/api/task/${task.id}/contacts`)).rows).toEqual([]);
    expect(await holders()).toEqual([]);
  });

  it('leaves the dispositions that the task of a call declares, and passes over calls without a record', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId, { phoneNumber: number });
    const declared = [[{ code: 'sold' }], [], []];
    const called: { task: string; callId: string }[] = [];
    for (const dispositions of declared) {
      const task = await aRunningTask(dataSourceId, { dispositions });
      const { callId } = await callTo(task.id);
      const result = { callId, outcome: 'success', disposition: 'sold' };
      succeeded(await api.post('/api/dialer/result', result));
      called.push({ task: task.id, callId });
    }
    const lost = (await scanned()).filter(({ pk }) => isCallKey(pk) && pk.includes(called[2]!.task));
    for (const { pk, sk } of lost) await api.database.delete({ pk, sk });
    expect(lost).toHaveLength(1);
    expect(succeeded(await erase({ phoneNumber: number }))).toMatchObject({ contactCount: 1, taskCount: 3 });
    const details = called.slice(0, 2).map(({ callId }) => api.get(`/api/call/detail/${callId}`));
    const dispositions = (await Promise.all(details)).map((each) => succeeded(each).disposition);
    expect(dispositions).toEqual(['sold', null]);
  });

  it('counts the result of a call that was reported before no second time', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId, { phoneNumber: number });
    const task = await aRunningTask(dataSourceId, { maxDialCount: 1 });
    const call = await callTo(task.id);
    succeeded(await report(call.callId, 'success'));
    succeeded(await erase({ phoneNumber: number }));
    expectError(await report(call.callId, 'success'), 409, /./);
    expect(await statOf(task.id)).toMatchObject({ callCount: 1, successCount: 1 });
  });

  it('lets its tasks complete, and the others be called', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId, { phoneNumber: number });
    await api.aContact(dataSourceId, { phoneNumber: '+49301234569' });
    const task = await aRunningTask(dataSourceId, { maxDialCount: 2 });
    for (const { callId } of await leased(task.id)) succeeded(await report(callId, 'failed'));
    succeeded(await erase({ phoneNumber: number }));
    const [left, ...none] = await leased(task.id);
    expect([left?.phoneNumber, none]).toEqual(['+49301234569', []]);
    succeeded(await report(String(left?.callId), 'success'));
    await leased(task.id);
    expect(succeeded(await api.get(`/api/task/detail/${task.id}`))).toMatchObject({
      status: 4,
      callCount: 3,
    });
  });

  it('is finished by the next request where a request broke off', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const contact = await api.aContact(dataSourceId, { phoneNumber: number });
    const agenda = new Agenda(table.database);
    await agenda.add(erasureWork('broken'), Date.now(), { contacts: [{ dataSourceId, seq: 0 }] });
    expect(succeeded(await erase({ phoneNumber: '+49309' }))).toMatchObject({ contactCount: 0 });
    const path = `/api/dataSource/${dataSourceId}/contact/detail/${contact.id}`;
    expectError(await api.get(path), 404, /contact does not exist/);
    expect(await agenda.find(erasureWork('broken'))).toBeUndefined();
  });

  it('is left to its request by the schedule and by other requests, until that has had its time', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const contact = await api.aContact(dataSourceId, { phoneNumber: number });
    const { erasures } = createRuntime(serviceSettings({}), table.database);
    const time = Date.now();
    const contacts = [{ dataSourceId, seq: 0 }];
    await new Agenda(table.database).add(erasureWork('under way'), time + dayMs, { contacts });
    succeeded(await erase({ phoneNumber: '+49309' }));
    const finishAll = (now: number) => workOffAt(table.database, [erasures.worker()], now);
    const path = `/api/dataSource/${dataSourceId}/contact/detail/${contact.id}`;
    await finishAll(time + dayMs - 1);
    succeeded(await api.get(path));
    await finishAll(time + dayMs);
    expectError(await api.get(path), 404, /contact does not exist/);
  });

  it('waits for an import that is adding the number', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    // As an import does, which raises the length of the numbers first.
    await api.aContact(dataSourceId);
    const hidden = {
      ...keys.contact(dataSourceId, 128),
      phone: number,
      fields: '{}',
      status: 0,
      callCount: 0,
    };
    await table.database.putAll([
      { ...keys.phone(dataSourceId, number), seq: 128, importId: 'x' },
      { ...hidden, created: 0, v: 1 },
    ]);
    const eraseOnce = () =>
      send(api, { path: '/api/contact/erase', body: { phoneNumber: number } }, 'one-erasure');
    expectError(await erase({ phoneNumber: number }), 409, /an import is adding this number/);
    expectError(await eraseOnce(), 409, /an import is adding this number/);
    expect(await find(number)).toMatchObject({ contacts: [] });
    await table.database.deleteAll([keys.phone(dataSourceId, number), keys.contact(dataSourceId, 128)]);
    // The import has ended: the same request under the same key is carried out now.
    await api.aContact(dataSourceId, { phoneNumber: number });
    expect(succeeded(await eraseOnce())).toMatchObject({ contactCount: 1 });
    expect(await find(number)).toMatchObject({ contacts: [] });
  });

  it('races with itself, with additions and with calls', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId, { phoneNumber: number });
    const task = await aRunningTask(dataSourceId);
    const call = await callTo(task.id);
    const answers = await Promise.all([
      erase({ phoneNumber: number }),
      erase({ phoneNumber: number }),
      report(call.callId, 'failed'),
      leased(task.id),
    ]);
    expect(answers.slice(0, 3).map((answer) => (answer as { status: number }).status)).toEqual([
      200, 200, 200,
    ]);
    expect(await statOf(task.id)).toMatchObject({ callCount: 1, failCount: 1 });
    await erase({ phoneNumber: number });
    expect(await holders()).toEqual([]);
  });
});
