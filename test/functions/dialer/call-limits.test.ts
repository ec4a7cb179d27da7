import { describe, expect, it } from 'vitest';
import { type Call, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import type { Row } from '../../support/service/answers.ts';
import { succeeded } from '../../support/service/api.ts';

const hour = 3600;
let numbers = 0;
/** Each test calls numbers of its own. */
const aNumber = () => `+86139${String(10_000_000 + ++numbers)}`;

const useLimits = (settings: object = {}) => {
  const { clock, api, dialing } = useDialing({ engine: engines[0]!, country: 'CN', ...settings });

  const aTask = async (phoneNumber: string, rules: object = {}, fields: object = {}) => {
    const { id: dataSourceId } = await api.aDataSource();
    const { id: contactId } = await api.aContact(dataSourceId, { phoneNumber, ...fields });
    const usual = { callInterval: 0, maxDialCount: 10 };
    const { id } = await api.aTaskIn(1, { dataSourceId, ...usual, ...rules });
    const update = async (changes: object) =>
      succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/update`, { contactId, ...changes }));
    return { id, contactId, dataSourceId, update };
  };
  const lease = (taskId: string, leaseSeconds = 60): Promise<Call[]> =>
    dialing.lease({ taskId, leaseSeconds });
  const isCalled = async (taskId: string) => (await lease(taskId)).length === 1;
  const call = async (taskId: string, outcome = 'failed', details: object = {}) => {
    const { callId } = await dialing.leaseOne({ taskId });
    succeeded(await api.post('/api/dialer/result', { callId, outcome, ...details }));
    return callId;
  };
  const waitOf = async (taskId: string) => {
    const { rows } = succeeded(await api.get(`/api/task/${taskId}/contacts`));
    const [{ nextCallTime, waitReason, outcome, blockReason }] = rows as [Row];
    return { nextCallTime, waitReason, outcome, blockReason };
  };
  const overview = async (taskId: string) => succeeded(await api.get(`/api/task/${taskId}/overview`));
  /** A dialer that asks a second before gets nothing, and one that asks then gets the contact. */
  const expectCalledAt = async (taskId: string, time: string, waitReason: string) => {
    expect(await waitOf(taskId)).toMatchObject({ nextCallTime: time, waitReason });
    const instant = Date.parse(`${time.replace(' ', 'T')}Z`);
    clock.time = instant - 1000;
    expect(await isCalled(taskId)).toBe(false);
    clock.time = instant;
    expect(await isCalled(taskId)).toBe(true);
  };
  return { clock, api, dialing, aTask, lease, isCalled, call, waitOf, overview, expectCalledAt };
};

describe('the limits of a task on the calls to a number', () => {
  const { clock, api, dialing, aTask, lease, isCalled, call, waitOf, overview, expectCalledAt } = useLimits();

  it('slide: a call counts for its whole window, to the next full minute', async () => {
    const { id } = await aTask(aNumber(), { callLimits: [{ calls: 2, minutes: 60 }] });
    clock.time = Date.UTC(2026, 4, 4, 23, 50, 30);
    await call(id);
    clock.advance(5 * 60);
    await call(id);
    await expectCalledAt(id, '2026-05-05 00:51:00', 'CALL_LIMITS');
  });

  it('hold together: the one that ends last is named', async () => {
    const callLimits = [
      { calls: 1, minutes: 60 },
      { calls: 2, minutes: 1440 },
    ];
    const { id } = await aTask(aNumber(), { callLimits });
    clock.time = Date.UTC(2026, 4, 6, 10);
    await call(id);
    clock.advance(hour);
    await call(id);
    await expectCalledAt(id, '2026-05-07 10:00:00', 'CALL_LIMITS');
  });

  it('count the calls of every task, also those before the limit, under every spelling', async () => {
    const phoneNumber = aNumber();
    const free = await aTask(phoneNumber);
    clock.time = Date.UTC(2026, 4, 8, 10);
    await call(free.id);
    const limited = await aTask(phoneNumber.replace('+86', '0086'), {
      callLimits: [{ calls: 2, minutes: 60 }],
    });
    expect(await isCalled(limited.id)).toBe(true);
    const other = await aTask(phoneNumber, { callLimits: [{ calls: 2, minutes: 60 }] });
    expect(await isCalled(other.id)).toBe(false);
    // A task without a limit is not held back, and its calls count.
    clock.advance(30 * 60);
    await call(free.id);
    clock.advance(30 * 60);
    expect(await waitOf(other.id)).toMatchObject({ nextCallTime: null });
    await call(free.id);
    expect(await isCalled(other.id)).toBe(false);
  });

  it('count a call that was in progress when the limit came', async () => {
    const phoneNumber = aNumber();
    const free = await aTask(phoneNumber);
    const [open] = await lease(free.id, 600);
    const { id } = await aTask(phoneNumber, { callLimits: [{ calls: 1, minutes: 60 }] });
    expect(await isCalled(id)).toBe(false);
    succeeded(await api.post('/api/dialer/result', { callId: open!.callId, outcome: 'failed' }));
    expect(await isCalled(id)).toBe(false);
  });

  it('count a lease that runs out, and no call that was given back', async () => {
    const { id } = await aTask(aNumber(), { callLimits: [{ calls: 1, minutes: 60 }] });
    clock.time = Date.UTC(2026, 4, 10, 10);
    const { callId } = await dialing.leaseOne({ taskId: id });
    succeeded(await api.post('/api/dialer/release', { callId }));
    expect(await waitOf(id)).toMatchObject({ nextCallTime: null });
    await lease(id, 60);
    clock.advance(61);
    expect(await isCalled(id)).toBe(false);
    await expectCalledAt(id, '2026-05-10 11:00:00', 'CALL_LIMITS');
  });

  it('may be changed while the task runs, and count at once', async () => {
    const { id } = await aTask(aNumber());
    clock.time = Date.UTC(2026, 4, 12, 10);
    await call(id);
    const adjust = async (changes: object) =>
      succeeded(await api.post('/api/task/adjust', { id, ...changes }));
    await adjust({ callLimits: [{ calls: 1, minutes: 120 }] });
    expect(await waitOf(id)).toMatchObject({
      nextCallTime: '2026-05-12 12:00:00',
      waitReason: 'CALL_LIMITS',
    });
    expect(await overview(id)).toMatchObject({
      callLimits: [{ calls: 1, minutes: 120 }],
      contacts: { callable: 0, waiting: 1 },
      waits: [{ reason: 'CALL_LIMITS', count: 1, from: '2026-05-12 12:00:00', to: '2026-05-12 12:00:00' }],
      dialing: { active: false, reason: 'AT_LIMIT', limit: 'CALL_LIMITS', nextTime: '2026-05-12 12:00:00' },
    });
    const outlook = succeeded(await api.get(`/api/task/${id}/outlook`));
    expect(outlook.hours).toContainEqual({ time: '2026-05-12 12:00:00', count: 1 });
    await adjust({ callLimits: [] });
    expect(await overview(id)).toMatchObject({ callLimits: [], contacts: { callable: 1 }, waits: [] });
    expect(await isCalled(id)).toBe(true);
  });

  it('rest after a conversation, except for an agreed callback', async () => {
    const { id } = await aTask(aNumber(), {
      restAfterSuccess: 24,
      dispositions: [{ code: 'again', then: 'retry' }],
    });
    clock.time = Date.UTC(2026, 4, 14, 10);
    await call(id, 'success', { disposition: 'again', duration: 60 });
    expect((await overview(id)).dialing).toMatchObject({ reason: 'AT_LIMIT', limit: 'REST' });
    await expectCalledAt(id, '2026-05-15 10:00:00', 'REST');
    const other = await aTask(aNumber(), { restAfterSuccess: 24 });
    await call(other.id, 'success', { callbackTime: '2026-05-15 12:00:00' });
    await expectCalledAt(other.id, '2026-05-15 12:00:00', 'CALLBACK');
  });

  it('hold an agreed callback, and say that they have moved it', async () => {
    const { id } = await aTask(aNumber(), { callLimits: [{ calls: 1, minutes: 120 }] });
    clock.time = Date.UTC(2026, 4, 17, 10);
    await call(id, 'noAnswer', { callbackTime: '2026-05-17 11:00:00' });
    expect((await overview(id)).contacts).toMatchObject({ callbacks: 1, callbacksMoved: 1 });
    await expectCalledAt(id, '2026-05-17 12:00:00', 'CALL_LIMITS');
  });

  it('let the disposition of one task rest a number for every task', async () => {
    const phoneNumber = aNumber();
    const dispositions = [{ code: 'refused', restHours: 1440 }, { code: 'other' }];
    const { id } = await aTask(phoneNumber, { dispositions });
    const other = await aTask(phoneNumber);
    clock.time = Date.UTC(2026, 4, 19, 10);
    await call(id, 'failed', { disposition: 'refused' });
    await expectCalledAt(other.id, '2026-07-18 10:00:00', 'REST');
    const callId = await call(id, 'failed', { disposition: 'other' });
    expect(await isCalled(id)).toBe(true);
    succeeded(await api.post('/api/dialer/annotate', { callId, disposition: 'refused' }));
    clock.advance(120);
    expect(await waitOf(id)).toMatchObject({ nextCallTime: '2026-09-16 10:00:00', waitReason: 'REST' });
    expect(await isCalled(id)).toBe(false);
  });

  it('are all named by the search for a number, each with its end', async () => {
    const phoneNumber = aNumber();
    const rules = { callLimits: [{ calls: 1, minutes: 60 }], restAfterSuccess: 2, callInterval: 600 };
    const { id } = await aTask(phoneNumber, { ...rules, dispositions: [{ code: 'again', then: 'retry' }] });
    clock.time = Date.UTC(2026, 9, 1, 10);
    await call(id, 'success', { disposition: 'again' });
    const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber }));
    expect((contacts as Row[])[0]!.tasks).toMatchObject([
      {
        holds: [
          { reason: 'RETRY', until: '2026-10-01 10:10:00' },
          { reason: 'CALL_LIMITS', until: '2026-10-01 11:00:00' },
          { reason: 'REST', until: '2026-10-01 12:00:00' },
        ],
      },
    ]);
  });

  it('are looked at before a task is published', async () => {
    const phoneNumber = aNumber();
    const { id, dataSourceId } = await aTask(phoneNumber);
    clock.time = Date.UTC(2026, 9, 2, 10);
    await call(id);
    await api.aContact(dataSourceId, { phoneNumber: aNumber(), callAfter: 'soon', callBefore: '' });
    await api.aContact(dataSourceId, { phoneNumber: aNumber(), callBefore: '2026-09-30' });
    const inputs = { dataSourceId, callLimits: [{ calls: 1, minutes: 60 }] };
    const preflight = async () => succeeded(await api.post('/api/task/preflight', inputs));
    const counts = { total: 3, callable: 2, blocked: 1, unreadableTimes: 1, estimated: false };
    expect(await preflight()).toMatchObject({ ...counts, atLimit: 1 });
    const draft = succeeded(
      await api.post('/api/task/add', { taskName: aNumber(), maxDialCount: 1, callInterval: 0, ...inputs }),
    );
    const file = await api.file(`/api/task/${draft.id}/preflight/blocked?format=csv`);
    expect(await file.text()).toContain('CALL_BEFORE');
    clock.advance(hour);
    expect(await preflight()).toMatchObject({ ...counts, atLimit: 0 });
  });

  it.each([
    [{ callLimits: [{ calls: 0, minutes: 60 }] }, 'callLimits'],
    [{ callLimits: [{ calls: 1001, minutes: 60 }] }, 'callLimits'],
    [{ callLimits: [{ calls: 1, minutes: 43_201 }] }, 'callLimits'],
    [{ callLimits: [1, 2, 3, 4, 5].map((minutes) => ({ calls: 1, minutes })) }, 'callLimits'],
    [
      {
        callLimits: [
          { calls: 1, minutes: 60 },
          { calls: 2, minutes: 60 },
        ],
      },
      'callLimits',
    ],
    [{ callLimits: [{ calls: 1, minutes: 60, hours: 1 }] }, 'hours'],
    [{ restAfterSuccess: 8785 }, 'restAfterSuccess'],
    [{ restAfterSuccess: -1 }, 'restAfterSuccess'],
    [{ dispositions: [{ code: 'refused', restHours: 0 }] }, 'restHours'],
    [{ call_limits: [] }, 'callLimits'],
  ])('are refused where they are wrong: %j', async (rules, named) => {
    const { id: dataSourceId } = await api.aDataSource();
    const usual = { dataSourceId, maxDialCount: 1, callInterval: 0 };
    const refused = await api.post('/api/task/add', { taskName: aNumber(), ...usual, ...rules });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(named);
  });
});

describe('the limits of the service', () => {
  const settings = {
    callLimits: [{ calls: 2, minutes: 1440 }],
    restAfterSuccess: 48,
    timeZone: 'Asia/Shanghai',
  };
  const { clock, api, aTask, isCalled, call, waitOf } = useLimits(settings);

  it('hold for every task, and are told of', async () => {
    const phoneNumber = aNumber();
    const [one, other] = [await aTask(phoneNumber), await aTask(phoneNumber)];
    clock.time = Date.UTC(2026, 4, 4, 15, 59);
    await call(one.id);
    clock.advance(120);
    await call(other.id);
    expect(await isCalled(one.id)).toBe(false);
    expect(await waitOf(one.id)).toMatchObject({ nextCallTime: '2026-05-05 23:59:00' });
    expect(succeeded(await api.get('/api/service'))).toMatchObject({
      callLimits: settings.callLimits,
      restAfterSuccess: 48,
    });
  });

  it('rest with the longer of two rests', async () => {
    const phoneNumber = aNumber();
    const { id } = await aTask(phoneNumber, { restAfterSuccess: 24 });
    const longer = await aTask(phoneNumber, { restAfterSuccess: 72 });
    clock.time = Date.UTC(2026, 5, 4, 10);
    await call(id, 'success');
    const shorter = await aTask(phoneNumber);
    expect(await waitOf(longer.id)).toMatchObject({
      nextCallTime: '2026-06-07 18:00:00',
      waitReason: 'REST',
    });
    expect(await waitOf(shorter.id)).toMatchObject({
      nextCallTime: '2026-06-06 18:00:00',
      waitReason: 'REST',
    });
    clock.time = Date.UTC(2026, 5, 6, 9, 59, 59);
    expect(await isCalled(shorter.id)).toBe(false);
    clock.advance(1);
    expect(await isCalled(shorter.id)).toBe(true);
  });

  it('are kept by 16 dialers on 5 tasks with the same numbers', async () => {
    const phoneNumbers = Array.from({ length: 10 }, aNumber);
    clock.time = Date.UTC(2026, 6, 4, 10);
    const tasks = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { id: dataSourceId } = await api.aDataSource();
        for (const phoneNumber of phoneNumbers) await api.aContact(dataSourceId, { phoneNumber });
        return api.aTaskIn(1, { dataSourceId, callInterval: 0, maxDialCount: 10 });
      }),
    );
    const calls: Call[] = [];
    const dial = async () => {
      for (let i = 0; i < 6; i++) {
        const leased = succeeded(await api.post('/api/dialer/lease', { limit: 3 })).calls as Call[];
        calls.push(...leased);
        for (const { callId } of leased)
          await api.post('/api/dialer/result', { callId, outcome: 'noAnswer' });
      }
    };
    await Promise.all(Array.from({ length: 16 }, dial));
    for (const { id } of tasks) for (let i = 0; i < 3; i++) calls.push(...(await isLeased(id)));
    const counts = phoneNumbers.map(
      (number) => calls.filter(({ phoneNumber }) => phoneNumber === number).length,
    );
    expect(counts).toEqual(phoneNumbers.map(() => 2));
  });
  const isLeased = async (taskId: string) =>
    succeeded(await api.post('/api/dialer/lease', { taskId, limit: 100 })).calls as Call[];
});

describe("a contact's own times", () => {
  const { clock, api, aTask, isCalled, waitOf, overview, call } = useLimits({
    timeZone: 'Asia/Shanghai',
  });

  it.each([
    ['2026-05-08', '2026-05-08 00:00:00'],
    ['2026-05-08 09:30', '2026-05-08 09:30:00'],
    ['2026-05-08 09:30:15', '2026-05-08 09:30:15'],
  ])('is not called before %s', async (callAfter, time) => {
    clock.time = Date.UTC(2026, 4, 4, 10);
    const { id } = await aTask(aNumber(), {}, { callAfter });
    expect(await isCalled(id)).toBe(false);
    expect(await waitOf(id)).toMatchObject({ nextCallTime: time, waitReason: 'CALL_AFTER' });
    expect((await overview(id)).dialing).toMatchObject({ reason: 'OUTSIDE_HOURS', nextTime: time });
    clock.time = Date.parse(`${time.replace(' ', 'T')}+08:00`) - 1000;
    expect(await isCalled(id)).toBe(false);
    clock.advance(1);
    expect(await isCalled(id)).toBe(true);
  });

  it('are by the clock of its own zone', async () => {
    clock.time = Date.UTC(2026, 4, 4, 10);
    const own = { timeZone: 'America/New_York', callAfter: '2026-05-08 09:00' };
    const { id } = await aTask(aNumber(), {}, own);
    expect(await waitOf(id)).toMatchObject({ nextCallTime: '2026-05-08 21:00:00', waitReason: 'CALL_AFTER' });
  });

  it.each([
    ['2026-05-08', '2026-05-08T23:59:59+08:00'],
    ['2026-05-08 12:00', '2026-05-08T11:59:59+08:00'],
  ])('is blocked from %s on, until a recall finds another time', async (callBefore, last) => {
    clock.time = Date.UTC(2026, 4, 4, 10);
    const { id, update, contactId } = await aTask(aNumber(), { keepOpen: true }, { callBefore });
    const other = await aTask(aNumber(), {}, { callBefore });
    clock.time = Date.parse(last);
    expect(await isCalled(other.id)).toBe(true);
    clock.advance(1);
    expect(await isCalled(id)).toBe(false);
    expect(await waitOf(id)).toMatchObject({
      outcome: 'blocked',
      blockReason: 'CALL_BEFORE',
      nextCallTime: null,
    });
    await update({ callBefore: '2026-06-01' });
    succeeded(await api.post(`/api/task/${id}/recall`, { contactIds: [contactId] }));
    expect(await isCalled(id)).toBe(true);
  });

  it('count at once when they are changed, and are ignored in another form', async () => {
    clock.time = Date.UTC(2026, 4, 4, 10);
    const { id, update } = await aTask(aNumber(), {}, { callAfter: '2026-05-08' });
    expect(await isCalled(id)).toBe(false);
    await update({ callAfter: 'next week' });
    expect(await isCalled(id)).toBe(true);
  });

  it('is called in time, where adjusted hours leave time before its end', async () => {
    // A Wednesday, 22:00 in Shanghai. The contact may be called until the end of Thursday.
    clock.time = Date.parse('2026-05-06T22:00:00+08:00');
    const own = { callBefore: '2026-05-07' };
    const { id } = await aTask(aNumber(), { weekdays: [3, 5], callInterval: 4 * hour }, own);
    await call(id);
    expect(await waitOf(id)).toMatchObject({ nextCallTime: null, outcome: 'waiting' });
    succeeded(await api.post('/api/task/adjust', { id, weekdays: [3, 4, 5] }));
    expect(await waitOf(id)).toMatchObject({ nextCallTime: '2026-05-07 02:00:00', waitReason: 'RETRY' });
    clock.time = Date.parse('2026-05-07T02:00:00+08:00');
    expect(await isCalled(id)).toBe(true);
  });

  it('leave no time to call: nothing is foretold, and the contact is blocked when the last moment has passed', async () => {
    clock.time = Date.UTC(2026, 4, 4, 10);
    const { id } = await aTask(aNumber(), {}, { callAfter: '2026-05-09', callBefore: '2026-05-08' });
    expect(await isCalled(id)).toBe(false);
    expect(await waitOf(id)).toMatchObject({ nextCallTime: null, outcome: 'notDialed' });
    clock.time = Date.parse('2026-05-09T00:00:00+08:00');
    expect(await isCalled(id)).toBe(false);
    expect(await waitOf(id)).toMatchObject({ outcome: 'blocked', blockReason: 'CALL_BEFORE' });
  });
});
