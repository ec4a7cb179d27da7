import { describe, expect, it } from 'vitest';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

describe('a task at a glance', () => {
  const api = useApi();
  const overviewOf = async (id: string) => succeeded(await api.get(`/api/task/${id}/overview`));

  it('shows all its settings, those of defaults too', async () => {
    const { id, dataSourceId } = await api.aTask({ taskDesc: 'x', callInterval: 5 });
    expect(await overviewOf(id)).toMatchObject({
      ...{
        id,
        taskDesc: 'x',
        status: 0,
        dataSourceId,
        dataSourceName: expect.stringMatching(/^data source/),
      },
      ...{ priority: 3, maxDialCount: 3, callInterval: 5, dailyStartTime: '00:00', dailyEndTime: '24:00' },
      ...{ timeZone: 'UTC', weekdays: [1, 2, 3, 4, 5, 6, 7], excludedDates: [], breaks: [] },
      ...{ excludedDataSourceIds: [], startTime: null, endTime: null, updateTime: null, reason: null },
      dialing: { active: false, reason: 'DRAFT', nextTime: null, lastLeaseTime: null },
    });
    const rules = {
      ...{ timeZone: 'Asia/Tokyo', weekdays: [2], excludedDates: ['2026-01-01'] },
      ...{ breaks: [{ start: '12:00', end: '13:00' }], excludedDataSourceIds: ['do-not-call'] },
    };
    expect(await overviewOf((await api.aTask(rules)).id)).toMatchObject(rules);
  });

  it('is one of several, in the order asked', async () => {
    const [a, b] = [await api.aTask(), await api.aTask()];
    const { rows, total } = succeeded(
      await api.get('/api/task/overviews', { ids: `${b.id}, ${a.id},none,,${b.id}` }),
    );
    expect([total, rows.map(({ id }) => id)]).toEqual([2, [b.id, a.id]]);
    expect(rows[1]).toEqual(await overviewOf(a.id));
    expect(succeeded(await api.get('/api/task/overviews', { ids: 'none' }))).toEqual({ total: 0, rows: [] });
    const many = Array.from({ length: 51 }, (_, i) => String(i));
    expectError(await api.get('/api/task/overviews', { ids: many.join(',') }), 400, /^ids: .*50/);
    succeeded(await api.get('/api/task/overviews', { ids: many.slice(1).join(',') }));
    expectError(await api.get('/api/task/overviews'), 400, /^ids: /);
  });

  it('says why it was stopped', async () => {
    const { id } = await api.aTaskIn(1);
    succeeded(await api.post('/api/task/stop', { id, reason: 'enough' }));
    expect(await overviewOf(id)).toMatchObject({ reason: 'enough', dialing: { reason: 'ENDED' } });
  });

  it('is 404 where there is no such task', async () => {
    for (const part of ['overview', 'timeline', 'contacts', 'history']) {
      expectError(await api.get(`/api/task/none/${part}`), 404, /task does not exist/);
    }
  });
});

describe('a task that dials', () => {
  let now = Date.parse('2026-05-01T12:00:00Z');
  const api = useApi({ now: () => now });
  const overviewOf = async (id: string) => succeeded(await api.get(`/api/task/${id}/overview`));
  const contactsOf = async (id: string, query = {}) =>
    succeeded(await api.get(`/api/task/${id}/contacts`, query));
  const lease = async (taskId: string, limit: number, leaseSeconds = 120) =>
    succeeded(await api.post('/api/dialer/lease', { taskId, limit, leaseSeconds })).calls as {
      callId: string;
      contactId: string;
    }[];
  const report = async ({ callId }: { callId: string }, outcome: string) =>
    succeeded(await api.post('/api/dialer/result', { callId, outcome, duration: 2 }));
  const none = {
    callbacks: 0,
    notSelected: 0,
    notDialed: 0,
    inCall: 0,
    waiting: 0,
    reached: 0,
    failed: 0,
    noAnswer: 0,
    blocked: 0,
  };
  const aRunningTask = async (contacts: number, settings: object) => {
    const people = Array.from({ length: contacts }, (_, i) => ({ customerName: `c${i}` }));
    return (await api.aTaskOf(people, settings)).id;
  };

  it('shows where each contact stands, in counts that add up and in lists', async () => {
    const id = await aRunningTask(6, { maxDialCount: 2, callInterval: 60 });
    const [first, second, third] = await lease(id, 4);
    const counted = async (counts: object) =>
      expect((await overviewOf(id)).contacts).toMatchObject({
        ...{ total: 6, selected: { count: 6, estimated: false } },
        ...none,
        ...counts,
      });
    await counted({ notDialed: 2, callable: 2, inCall: 4 });
    await report(first!, 'success');
    await report(second!, 'failed');
    await counted({ notDialed: 2, inCall: 2, reached: 1, waiting: 1 });
    now += 121_000;
    // Two first leases ran out: these contacts were never called.
    await counted({ notDialed: 4, callable: 5, reached: 1, waiting: 1 });
    await report(third!, 'success');
    await counted({ notDialed: 3, callable: 4, reached: 2, waiting: 1 });
    expect((await overviewOf(id)).calls).toMatchObject({
      total: 3,
      success: 2,
      failed: 1,
      duration: 6,
      talkDuration: 4,
      contacts: 3,
    });

    const all = await contactsOf(id);
    expect(all.rows.map(({ outcome, attempts }) => `${outcome} ${attempts}`)).toEqual([
      ...['success 1', 'waiting 1', 'success 1', 'notDialed 0', 'notDialed 0', 'notDialed 0'],
    ]);
    expect([all.total, all.nextPageToken]).toEqual([6, null]);
    expect(all.rows[1]).toMatchObject({
      fields: { customerName: 'c1' },
      nextCallTime: null,
      calls: [{ outcome: 'failed', duration: 2 }],
    });
    for (const [outcome, count] of Object.entries({ success: 2, waiting: 1, notDialed: 3, inCall: 0 })) {
      const { total, rows, nextPageToken } = await contactsOf(id, { outcome });
      expect([outcome, total, rows.length, nextPageToken]).toEqual([outcome, count, count, null]);
    }
    expectError(await api.get(`/api/task/${id}/contacts`, { pageToken: 'x' }), 400, /^pageToken: /);
    expectError(await api.get(`/api/task/${id}/contacts`, { outcome: 'x' }), 400, /^outcome: /);
    // The contact whose call ended in vain comes first.
    const [again] = await lease(id, 1);
    await report(again!, 'failed');
    expect((await overviewOf(id)).calls).toMatchObject({ total: 4, contacts: 3 });
    await counted({ notDialed: 3, reached: 2, waiting: 0, failed: 1 });
  });

  it.each(['released', 'lapsed'])('counts the calls in progress behind 60 that were %s', async (how) => {
    const { id: dataSourceId } = await api.aDataSource();
    const contacts = Array.from({ length: 160 }, (_, i) => ({ phoneNumber: `139000${10_000 + i}` }));
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/batchAdd`, { contacts }));
    const rules = { maxDialCount: 3, callInterval: 0, retryOrder: 'last' };
    const { id } = await api.aTaskIn(1, { dataSourceId, ...rules });
    for (let i = 0; i < 4; i++) {
      const results = (await lease(id, 40)).map(({ callId }) => ({ callId, outcome: 'failed', duration: 1 }));
      succeeded(await api.post('/api/dialer/results', { results }));
    }
    now += 1000;
    const first = await lease(id, 60);
    const others = await lease(id, 40, 3600);
    if (how === 'lapsed') now += 121_000;
    else for (const { callId } of first) succeeded(await api.post('/api/dialer/release', { callId }));
    expect((await overviewOf(id)).contacts).toMatchObject({ inCall: 40, waiting: 120 });
    const { total, rows } = await contactsOf(id, { outcome: 'inCall', pageSize: 100 });
    const called = others.map(({ contactId }) => contactId).sort();
    expect([total, rows.map(({ contactId }) => contactId).sort()]).toEqual([40, called]);
    const waiting = await contactsOf(id, { outcome: 'waiting', pageSize: 200 });
    expect([waiting.total, waiting.rows.length]).toEqual([120, 120]);
    succeeded(await api.post('/api/task/stop', { id, reason: 'enough' }));
    expectError(await api.post('/api/task/close', { id }), 405, /40 calls/);
  });

  it('knows when a dialer last asked for it: after its publish, by its id or among others', async () => {
    const other = await aRunningTask(3, { priority: 1 });
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId);
    const { id } = await api.aTask({ dataSourceId, maxDialCount: 1, priority: 2 });
    const asked = async () => (await overviewOf(id)).dialing as Record<string, unknown>;
    const leaseAny = async (limit: number) => succeeded(await api.post('/api/dialer/lease', { limit }));
    await lease(id, 1);
    await leaseAny(1);
    now += 1000;
    succeeded(await api.post('/api/task/publish', { id }));
    expect(await asked()).toMatchObject({ lastLeaseTime: null });
    await lease(other, 1);
    await leaseAny(1);
    // A dialer that would serve the task has just asked for others.
    expect(await asked()).toMatchObject({ lastLeaseTime: null, reason: null });
    now += 61_000;
    expect(await asked()).toMatchObject({ lastLeaseTime: null, reason: 'NO_DIALER' });
    const time = api.timeIn(now);
    const { calls } = await leaseAny(100);
    expect(await asked()).toMatchObject({ lastLeaseTime: time });
    const call = (calls as { callId: string; taskId: string }[]).find(({ taskId }) => taskId === id);
    expect((await report(call!, 'success')).taskStatus).toBe(4);
    now += 61_000;
    await leaseAny(1);
    expect(await asked()).toMatchObject({ lastLeaseTime: time });
    succeeded(await api.post('/api/task/stop', { id: other, reason: 'enough' }));
  });

  it('refuses the page token of another task or of another outcome', async () => {
    const [id, other] = [await aRunningTask(5, { maxDialCount: 1 }), await aRunningTask(5, {})];
    for (const call of await lease(id, 4)) await report(call, 'noAnswer');
    for (const outcome of ['all', 'noAnswer']) {
      const { nextPageToken: pageToken } = await contactsOf(id, { outcome, pageSize: 1 });
      expect(pageToken, 'in an address').toMatch(/^[\w-]+$/);
      expect((await contactsOf(id, { outcome, pageToken })).rows.length).toBeGreaterThan(0);
      const query = { outcome, pageToken: String(pageToken) };
      expectError(await api.get(`/api/task/${other}/contacts`, query), 400, /^pageToken: /);
      for (const wrong of ['notDialed', 'failed', 'waiting', 'inCall'])
        expectError(
          await api.get(`/api/task/${id}/contacts`, { ...query, outcome: wrong }),
          400,
          /^pageToken: /,
        );
    }
  });

  it('finds contacts by a part of their number, page by page with the exact total', async () => {
    const numbers = ['13900000001', '13900000012', '13900000123', '+13900000124', '13900000005'];
    const contacts = numbers.map((phoneNumber) => ({ phoneNumber }));
    const { id } = await api.aTaskOf(contacts, { maxDialCount: 1 });
    await report((await lease(id, 1))[0]!, 'success');
    const found = async (phoneNumber: string, pageSize = 20) => {
      const rows: string[] = [];
      for (let pageToken: string | null = '0'; pageToken !== null; ) {
        const page = await contactsOf(id, { phoneNumber, pageSize, pageToken });
        rows.push(...page.rows.map((row) => `${row.phoneNumber} ${row.outcome}`));
        expect(page.total).toBe(phoneNumber === '012' ? 3 : rows.length);
        pageToken = page.nextPageToken as unknown as string | null;
      }
      return rows;
    };
    const some = ['13900000012 notDialed', '13900000123 notDialed', '+13900000124 notDialed'];
    expect(await found('012')).toEqual(some);
    expect(await found('012', 1)).toEqual(some);
    expect(await found('139 0000-0001')).toEqual(['13900000001 success']);
    expect(await found('+')).toEqual(['+13900000124 notDialed']);
    expect(await found('no number')).toEqual([]);
    expect((await contactsOf(id, { phoneNumber: ' ' })).total).toBe(5);
    const both = { phoneNumber: '1', outcome: 'success' };
    expectError(await api.get(`/api/task/${id}/contacts`, both), 400, /^phoneNumber: /);
    const { nextPageToken } = await contactsOf(id, { phoneNumber: '012', pageSize: 1 });
    const other = { phoneNumber: '013', pageToken: String(nextPageToken) };
    expectError(await api.get(`/api/task/${id}/contacts`, other), 400, /^pageToken: /);
  });

  it('finds by number only the contacts it had when it ended', async () => {
    const contacts = [0, 1, 2, 3, 4].map((at) => ({ phoneNumber: `1391000000${at}` }));
    const { id, dataSourceId } = await api.aTaskOf(contacts, { maxDialCount: 1 });
    succeeded(await api.post('/api/task/stop', { id }));
    const found = async () => {
      const { total, rows } = await contactsOf(id, { phoneNumber: '13910' });
      return [total, rows.length];
    };
    expect(await found()).toEqual([5, 5]);
    now += 1000;
    for (let at = 5; at < 8; at++) await api.aContact(dataSourceId, { phoneNumber: `1391000000${at}` });
    expect(await found()).toEqual([5, 5]);
    const file = await api.file(`/api/task/${id}/export`, { format: 'csv' });
    expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(1 + 5);
  });

  it('lists no contacts that were added after it had ended, until a recall', async () => {
    const id = await aRunningTask(2, { maxDialCount: 1 });
    await report((await lease(id, 1))[0]!, 'failed');
    succeeded(await api.post('/api/dialer/fail', { taskId: id, reason: 'no trunk' }));
    now += 1000;
    await api.aContact(String((await overviewOf(id)).dataSourceId));
    const shown = async () => {
      const lists = [await contactsOf(id), await contactsOf(id, { outcome: 'notDialed' })];
      return lists.flatMap(({ total, rows }) => [total, rows.length]);
    };
    expect(await shown()).toEqual([2, 2, 1, 1]);
    succeeded(await api.post(`/api/task/${id}/recall`, {}));
    expect(await shown()).toEqual([3, 3, 2, 2]);
  });

  it('shows those who ended page by page, the latest first, and those who wait by when they are due', async () => {
    const id = await aRunningTask(5, { maxDialCount: 2, callInterval: 60 });
    for (const outcome of ['success', 'success', 'failed', 'success', 'failed']) {
      now += 1000;
      await report((await lease(id, 1))[0]!, outcome);
    }
    for (const [outcome, names] of Object.entries({ success: ['c3', 'c1', 'c0'], waiting: ['c2', 'c4'] })) {
      const shown: unknown[] = [];
      for (let pageToken: string | null = '0'; pageToken !== null; ) {
        const page = await contactsOf(id, { outcome, pageSize: 1, pageToken });
        shown.push(...page.rows.map(({ fields }) => (fields as { customerName: string }).customerName));
        pageToken = page.nextPageToken as unknown as string | null;
      }
      expect([outcome, shown]).toEqual([outcome, names]);
    }
    now += 61_000;
    expect(await lease(id, 2)).toHaveLength(2);
    expect((await contactsOf(id, { outcome: 'waiting' })).rows).toEqual([]);
    // Their leases run out.
    now += 121_000;
    expect((await contactsOf(id, { outcome: 'waiting' })).rows).toHaveLength(2);
  });

  it('waits for the hours of its contacts, wherever they are, and for its own where they have none', async () => {
    now = Date.parse('2026-05-01T12:00:00Z');
    const hours = { dailyStartTime: '09:00', dailyEndTime: '17:00', timeZone: 'UTC' };
    const { id, dataSourceId } = await api.aTaskOf([{ timeZone: 'Asia/Tokyo' }], hours);
    const dialing = async () => (await overviewOf(id)).dialing as Record<string, unknown>;
    const tomorrow = '2026-05-02 00:00:00';
    expect(await dialing()).toMatchObject({ reason: 'OUTSIDE_HOURS', nextTime: tomorrow });
    expect(await lease(id, 1)).toEqual([]);
    expect(await dialing()).toMatchObject({ reason: 'OUTSIDE_HOURS', nextTime: tomorrow });
    now = Date.parse('2026-05-02T00:30:00Z');
    expect(await dialing()).toMatchObject({ reason: 'NO_DIALER' });
    expect(await lease(id, 1)).toHaveLength(1);
    await api.aContact(dataSourceId, { timeZone: 'Asia/Tokyo' });
    expect(await dialing()).toMatchObject({ active: true, reason: null });
    now += 120_000;
    await api.aContact(dataSourceId);
    expect(await dialing()).toMatchObject({ reason: 'NO_DIALER' });
  });

  it('is not outside its hours while the second in line, or a recalled contact, may be called', async () => {
    now = Date.parse('2026-05-01T10:00:00Z');
    const { id: dataSourceId } = await api.aDataSource();
    for (const timeZone of ['Asia/Tokyo', 'Europe/Berlin']) await api.aContact(dataSourceId, { timeZone });
    const hours = { dailyStartTime: '09:00', dailyEndTime: '20:00', callInterval: 60 };
    for (const maxDialCount of [2, 1]) {
      const { id } = await api.aTaskIn(1, { dataSourceId, maxDialCount, ...hours });
      for (const call of await lease(id, 2)) {
        await report(call, 'failed');
        now += 1000;
      }
      now = Date.parse('2026-05-01T15:00:00Z');
      if (maxDialCount === 1) succeeded(await api.post(`/api/task/${id}/recall`, {}));
      expect((await overviewOf(id)).dialing).toMatchObject({ reason: 'NO_DIALER' });
      now = Date.parse('2026-05-01T10:00:00Z');
    }
  });

  it('is outside its hours while each contact in line waits for its own', async () => {
    now = Date.parse('2026-05-01T10:00:00Z');
    const hours = { dailyStartTime: '09:00', dailyEndTime: '20:00', callInterval: 60, maxDialCount: 2 };
    const zones = [...Array<string>(11).fill('Europe/Berlin'), 'Asia/Tokyo'];
    const { id } = await api.aTaskOf(
      zones.map((timeZone) => ({ timeZone })),
      hours,
    );
    for (const call of await lease(id, 12)) {
      await report(call, 'failed');
      now += 1000;
    }
    now = Date.parse('2026-05-01T22:00:00Z');
    const [reason, nextTime] = ['OUTSIDE_HOURS', '2026-05-02 00:00:00'];
    expect((await overviewOf(id)).dialing).toMatchObject({ reason, nextTime });
  });

  it('looks for a deleted contact when its turn comes, before the next one waits for its own hours', async () => {
    now = Date.parse('2026-05-01T15:00:00Z');
    const { id: dataSourceId } = await api.aDataSource();
    const { id: contactId } = await api.aContact(dataSourceId);
    await api.aContact(dataSourceId, { timeZone: 'Asia/Tokyo' });
    const hours = { dailyStartTime: '09:00', dailyEndTime: '20:00', callInterval: 60, maxDialCount: 2 };
    const { id } = await api.aTaskIn(1, { dataSourceId, ...hours });
    const [call] = await lease(id, 2);
    await report(call!, 'failed');
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
    const [reason, nextTime] = ['WAITING_FOR_RETRY', '2026-05-01 15:01:00'];
    expect((await overviewOf(id)).dialing).toMatchObject({ reason, nextTime });
  });

  it('tells a contact whose lease expired from the one that still waits behind it', async () => {
    now = Date.parse('2026-05-01T15:00:00Z');
    const { id } = await api.aTaskOf([{}, {}], { callInterval: 60, maxDialCount: 2 });
    for (const call of await lease(id, 2)) await report(call, 'failed');
    now += 60_000;
    await lease(id, 1);
    expect((await overviewOf(id)).contacts).toMatchObject({ inCall: 1, callable: 1 });
    now += 120_000;
    expect((await overviewOf(id)).contacts).toMatchObject({ inCall: 0, callable: 2, waiting: 2 });
  });

  it('is not outside its hours while somebody further down may be called', async () => {
    now = Date.parse('2026-05-01T15:00:00Z');
    const zones = [...Array<string>(13).fill('Asia/Tokyo'), 'America/New_York'];
    const { id } = await api.aTaskOf(
      zones.map((timeZone) => ({ timeZone })),
      { dailyStartTime: '09:00', dailyEndTime: '14:00', callInterval: 0 },
    );
    const dialing = async () => (await overviewOf(id)).dialing as Record<string, unknown>;
    expect(await dialing()).toMatchObject({ reason: 'NO_DIALER' });
    const [call] = await lease(id, 5);
    expect(await dialing()).toMatchObject({ reason: 'OUTSIDE_HOURS', nextTime: '2026-05-02 00:00:00' });
    await report(call!, 'failed');
    expect(await dialing()).toMatchObject({ active: true });
  });
});

describe('a task whose numbers had their calls of the day', () => {
  const { clock, api, dialing } = useDialing({ maxCallsPerNumberPerDay: 1 });
  const shown = async (id: string) => {
    const { contacts, waits } = succeeded(await api.get(`/api/task/${id}/overview`));
    const { callable, callbacks, callbacksMoved } = contacts as unknown as Record<string, number>;
    return { callable, callbacks, callbacksMoved, waits };
  };

  it('tells who waits for what, from when and until when', async () => {
    const opens = '2026-05-05 08:00:00';
    const { id } = await dialing.aRunningTask(130, { callInterval: 60, dailyStartTime: '08:00' });
    expect(await shown(id)).toMatchObject({ callable: 130, waits: [] });
    const some = async (limit: number) => {
      for (const { callId } of await dialing.lease({ taskId: id, limit }))
        await dialing.report(callId, 'failed');
    };
    const closed = (count: number) => ({ reason: 'HOURS', count, from: opens, to: opens });
    await some(20);
    // Midnight ends the limit, and the hours begin after that.
    expect(await shown(id)).toMatchObject({ callable: 110, waits: [closed(20)] });
    clock.advance(60);
    await some(100);
    expect(await shown(id)).toMatchObject({ callable: 10, waits: [closed(120)] });
    const calls = await dialing.lease({ taskId: id, limit: 100 });
    const { callId } = calls[0]!;
    const callbackTime = '2026-05-07 09:30:00';
    succeeded(await api.post('/api/dialer/result', { callId, outcome: 'success', callbackTime }));
    const callback = { reason: 'CALLBACK', count: 1, from: callbackTime, to: callbackTime };
    expect(await shown(id)).toMatchObject({ callable: 0, waits: [closed(120), callback] });
    // The other calls end without a result, and count for the day.
    clock.advance(600);
    expect(await shown(id)).toMatchObject({ callable: 0, waits: [closed(129), callback] });
    clock.advance(21 * 3600 + 49 * 60 - 1);
    expect(await shown(id)).toMatchObject({ callable: 0, waits: [closed(129), callback] });
    clock.advance(1);
    expect(await shown(id)).toMatchObject({
      callable: 129,
      callbacks: 1,
      callbacksMoved: 0,
      waits: [callback],
    });
  });

  it('says when an agreed callback is moved', async () => {
    const { id } = await dialing.aRunningTask(1, { dailyStartTime: '08:00', dailyEndTime: '20:00' });
    const [call] = await dialing.lease({ taskId: id });
    const callbackTime = api.timeIn(clock.time + 3600_000);
    succeeded(
      await api.post('/api/dialer/result', { callId: call!.callId, outcome: 'success', callbackTime }),
    );
    const { waits, callbacksMoved } = await shown(id);
    expect([waits, callbacksMoved]).toMatchObject([[{ reason: 'HOURS', count: 1 }], 1]);
    const { rows } = succeeded(await api.get(`/api/task/${id}/contacts`));
    expect(rows).toMatchObject([{ outcome: 'callback', callbackTime, waitReason: 'HOURS' }]);
  });

  it('is at the limit of the day, where nothing else keeps its next contact from being called', async () => {
    clock.advance(86_400);
    const { id } = await dialing.aRunningTask(2, { callInterval: 60 });
    const dialed = async () => succeeded(await api.get(`/api/task/${id}/overview`)).dialing;
    for (const { callId } of await dialing.lease({ taskId: id })) await dialing.report(callId, 'failed');
    const limited = { active: false, reason: 'AT_LIMIT', limit: 'DAILY_LIMIT' };
    expect(await dialed()).toMatchObject({ ...limited, nextTime: expect.stringMatching(/ 00:00:00$/) });
  });

  it('is at the limit of the day, also where contacts have time zones of their own', async () => {
    const hours = { dailyStartTime: '08:00', dailyEndTime: '20:00', callInterval: 60 };
    const { id } = await api.aTaskOf([{ timeZone: 'Europe/Berlin' }, { timeZone: 'Asia/Tokyo' }], hours);
    for (const { callId } of await dialing.lease({ taskId: id })) await dialing.report(callId, 'failed');
    clock.advance(60);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    const { dialing: now } = succeeded(await api.get(`/api/task/${id}/overview`));
    const limited = { reason: 'AT_LIMIT', limit: 'DAILY_LIMIT' };
    expect(now).toMatchObject({ ...limited, nextTime: expect.stringMatching(/ 00:00:00$/) });
  });
});
