import { describe, expect, it } from 'vitest';
import { adjustable } from '../../../shared/tasks/rules/task-settings.ts';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded } from '../../support/service/api.ts';

describe.each(engines)('an adjust on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });
  const adjust = (id: string, changes: object) => api.post('/api/task/adjust', { id, ...changes });
  const overview = async (id: string) => succeeded(await api.get(`/api/task/${id}/overview`));
  const lastChange = async (id: string) =>
    succeeded(await api.get(`/api/task/${id}/history`, { pageSize: 1 })).rows[0];
  const stop = async (id: string) => succeeded(await dialing.operate('stop', id));

  it.each([0, 1, 2])('changes what may change in state %i, and the history says what', async (state) => {
    const list = await api.aDataSource();
    const { id } = await api.aTaskIn(state, { weekdays: [1, 2], maxConcurrentCalls: 5, taskDesc: 'x' });
    const changes = {
      weekdays: [3, 1],
      excludedDates: ['2026-12-25'],
      breaks: [{ start: '12:00', end: '13:00' }],
      excludedDataSourceIds: [list.id],
      callFrom: '2026-05-01 09:00',
      callUntil: '2090-05-01 09:00',
      maxConcurrentCalls: null,
      callsPerMinute: 100,
      pauseWhen: { failedPercent: 50, calls: 10 },
      retryRules: [{ reasons: ['busy'], waitSeconds: 5, attempts: 2 }],
      retryOrder: 'last',
      callSettings: { script: 'a' },
      callerNumbers: ['+4930123'],
      keepOpen: true,
    };
    const answer = succeeded(await adjust(id, changes));
    expect(answer).toEqual({ id, status: state, updateTime: expect.any(String) });
    const shown = await overview(id);
    expect(shown).toMatchObject({ ...changes, weekdays: [1, 3], taskDesc: 'x', status: state });
    expect(shown.updateTime).toBe(answer.updateTime);
    const { reason, ...entry } = (await lastChange(id))!;
    expect(entry).toMatchObject({ operation: 'adjust', from: state, to: state, by: 'local-developer' });
    expect(String(reason).split('; ')).toEqual([
      'weekdays: [1,2] -> [1,3]',
      'excludedDates: none -> ["2026-12-25"]',
      'breaks: none -> [{"start":"12:00","end":"13:00"}]',
      `excludedDataSourceIds: none -> ["${list.id}"]`,
      'callFrom: none -> 2026-05-01 09:00',
      'callUntil: none -> 2090-05-01 09:00',
      'maxConcurrentCalls: 5 -> none',
      'callsPerMinute: none -> 100',
      'pauseWhen: none -> {"failedPercent":50,"calls":10}',
      'retryRules: none -> [{"reasons":["busy"],"waitSeconds":5,"attempts":2}]',
      'retryOrder: none -> last',
      'callSettings: none -> {"script":"a"}',
      'callerNumbers: none -> ["+4930123"]',
      'keepOpen: none -> true',
    ]);
    const before = { weekdays: [1, 2], maxConcurrentCalls: 5 };
    expect(entry.changes).toEqual(
      Object.entries({ ...changes, weekdays: [1, 3] }).map(([name, to]) => ({
        name,
        from: before[name as keyof typeof before] ?? null,
        to,
      })),
    );
    if (state > 0) await stop(id);
  });

  it.each([0, 1])('that changes nothing leaves the task in state %i as it is', async (state) => {
    const { id } = await api.aTaskIn(state, { maxConcurrentCalls: 5, weekdays: [1, 2] });
    const before = await overview(id);
    const history = async () => succeeded(await api.get(`/api/task/${id}/history`));
    const entries = await history();
    clock.advance(5);
    const same = { maxConcurrentCalls: 5, weekdays: [2, 1, 2] };
    // What holds for a task without these settings.
    const absent = { keepOpen: false, retryOrder: 'due', breaks: [], excludedDates: [], callUntil: null };
    for (const changes of [{}, same, absent]) {
      const answer = succeeded(await adjust(id, changes));
      expect(answer).toEqual({ id, status: state, updateTime: before.updateTime });
    }
    expect(await history()).toEqual(entries);
    expect((await overview(id)).updateTime).toBe(before.updateTime);
    succeeded(await adjust(id, { ifUpdateTime: before.updateTime, maxConcurrentCalls: 6 }));
    const entry = await lastChange(id);
    expect(entry?.changes).toEqual([{ name: 'maxConcurrentCalls', from: 5, to: 6 }]);
    expect((await history()).total).toBe(entries.total + 1);
    if (state > 0) await stop(id);
  });

  it('that changes nothing is repeated under its key as it was', async () => {
    const { id } = await api.aTaskIn(1, { maxConcurrentCalls: 5 });
    const keyed = (changes: object, key: string) =>
      api.send({
        method: 'POST',
        path: '/api/task/adjust',
        body: JSON.stringify({ id, ...changes }),
        headers: { 'idempotency-key': key },
      });
    succeeded(await keyed({ maxConcurrentCalls: 5 }, 'unchanged'));
    succeeded(await adjust(id, { maxConcurrentCalls: 6 }));
    succeeded(await keyed({ maxConcurrentCalls: 5 }, 'unchanged'));
    expect(await overview(id)).toMatchObject({ maxConcurrentCalls: 6 });
    await stop(id);
  });

  it('keeps in its history whole what the text cuts after 200 characters', async () => {
    const { id } = await api.aTaskIn(0);
    const script = 'x'.repeat(200 - JSON.stringify({ script: '' }).length);
    succeeded(await adjust(id, { callSettings: { script } }));
    expect((await lastChange(id))!.reason).toBe(`callSettings: none -> ${JSON.stringify({ script })}`);
    const excludedDates = Array.from(
      { length: 60 },
      (_, i) => `2027-0${1 + Math.floor(i / 28)}-${10 + (i % 19)}`,
    );
    const dates = [...new Set(excludedDates)].sort();
    succeeded(await adjust(id, { excludedDates: dates }));
    const { reason, changes } = (await lastChange(id))!;
    expect(reason).toMatch(/…$/);
    expect(changes).toEqual([{ name: 'excludedDates', from: null, to: dates }]);
  });

  it('names no field of the contract, and none that is frozen', async () => {
    const { id } = await api.aTaskIn(1, { timeZone: 'Asia/Tokyo' });
    const before = await api.storedTask(id);
    const shown = Object.entries(succeeded(await api.get(`/api/task/detail/${id}`)));
    const frozen = shown.filter(([field]) => !['id', ...adjustable].includes(field));
    for (const [field, value] of frozen) {
      const refused = await adjust(id, { weekdays: [1], [field]: value ?? 'other' });
      expectError(refused, 400, new RegExp(`^${field}: `));
    }
    expect(await api.storedTask(id)).toEqual(before);
    await stop(id);
  });

  it('is checked together with what it does not change', async () => {
    const window = { dailyStartTime: '09:00', dailyEndTime: '18:00', callFrom: '2026-05-01 09:00' };
    const { id } = await api.aTaskIn(2, window);
    expectError(await adjust(id, { callUntil: '2026-05-01 09:00' }), 400, /^callFrom: must be before/);
    expectError(await adjust(id, { breaks: [{ start: '08:00', end: '10:00' }] }), 400, /^breaks: /);
    expectError(await adjust(id, { excludedDataSourceIds: ['nowhere'] }), 400, /^excludedDataSourceIds: /);
    expectError(await adjust(id, { callsPerMinute: 0 }), 400, /^callsPerMinute: /);
    expectError(await adjust('nowhere', { callsPerMinute: 1 }), 404, /task does not exist/);
  });

  it('and an update change nothing that was changed meanwhile, if they say what they have seen', async () => {
    const { id } = await api.aTask();
    const stale = async (operation: string, ifUpdateTime: unknown) => {
      const changes = operation === 'update' ? { taskDesc: 'late' } : { weekdays: [7] };
      const answer = await api.post(`/api/task/${operation}`, { id, ifUpdateTime, ...changes });
      expectError(answer, 409, /^the task was changed since/);
      expect(answer.headers.get('x-error-code')).toBe('CHANGED_SINCE');
    };
    await stale('adjust', '2026-05-01 09:00:00');
    const first = succeeded(await api.post('/api/task/update', { id, ifUpdateTime: null, priority: 1 }));
    await stale('update', null);
    await stale('adjust', null);
    // The clock stands still: the two changes are told apart all the same.
    const second = succeeded(await adjust(id, { ifUpdateTime: first.updateTime, weekdays: [1] }));
    await stale('update', first.updateTime);
    await stale('adjust', first.updateTime);
    succeeded(await dialing.operate('publish', id));
    await stale('adjust', second.updateTime);
    const { updateTime } = await overview(id);
    succeeded(await adjust(id, { ifUpdateTime: updateTime, weekdays: [1, 2] }));
    expect(await overview(id)).toMatchObject({ weekdays: [1, 2], taskDesc: '' });
    expectError(await adjust(id, { ifUpdateTime: 'yesterday' }), 400, /^ifUpdateTime: /);
    await stop(id);
  });

  it('frees calls at once when it raises a limit', async () => {
    const { id } = await dialing.aRunningTask(5, { maxConcurrentCalls: 1 });
    expect(await dialing.lease({ limit: 5 })).toHaveLength(1);
    expect(await dialing.lease({ limit: 5 })).toEqual([]);
    succeeded(await adjust(id, { maxConcurrentCalls: 3 }));
    expect(await dialing.lease({ limit: 5 })).toHaveLength(2);
    succeeded(await adjust(id, { maxConcurrentCalls: null }));
    expect(await dialing.lease({ limit: 5 })).toHaveLength(2);
    await stop(id);
  });

  it('holds for the contacts in line at their next turn', async () => {
    const { id } = await dialing.aRunningTask(2, { callInterval: 60 });
    const [first, second] = await dialing.lease({ taskId: id });
    const retryRules = [{ reasons: ['busy'], waitSeconds: 600, attempts: 1 }];
    const list = await api.aDataSource();
    await api.aContact(list.id, { phoneNumber: first!.phoneNumber });
    await dialing.report(first!.callId, 'failed');
    succeeded(await adjust(id, { retryRules, excludedDataSourceIds: [list.id] }));
    const busy = { callId: second!.callId, outcome: 'failed', reason: 'busy' };
    expect(succeeded(await api.post('/api/dialer/result', busy))).toMatchObject({ final: true });
    clock.advance(60);
    expect(await dialing.lease({})).toEqual([]);
    expect(await overview(id)).toMatchObject({ status: 4, contacts: { failed: 1, blocked: 1 } });
  });

  it('moves the last date of a task', async () => {
    const inSeconds = (seconds: number) => api.timeIn(clock.time + seconds * 1000).slice(0, 16);
    const { id } = await dialing.aRunningTask(2, { callUntil: inSeconds(3600) });
    const other = await api.aTaskIn(2, { callUntil: inSeconds(36_000) });
    succeeded(await adjust(id, { callUntil: inSeconds(7200) }));
    succeeded(await adjust(other.id, { callUntil: inSeconds(3600) }));
    clock.advance(3600);
    await expect.poll(() => dialing.statusOf(other.id)).toBe(3);
    expect(await dialing.lease({ limit: 1 })).toHaveLength(1);
    clock.advance(3600);
    expect(await dialing.lease({ limit: 1 })).toEqual([]);
    expect(await dialing.statusOf(id)).toBe(3);
  });

  it('sets a brake that counts from then on', async () => {
    const { id } = await dialing.aRunningTask(30, { maxDialCount: 1 });
    const fail = async (count: number) => {
      const states = [];
      for (const { callId } of await dialing.lease({ taskId: id, limit: count }))
        states.push((await dialing.report(callId, 'failed')).taskStatus);
      return states;
    };
    expect(await fail(9)).toEqual(Array(9).fill(1));
    succeeded(await adjust(id, { pauseWhen: { failedPercent: 100, calls: 10 } }));
    expect(await fail(9)).toEqual(Array(9).fill(1));
    succeeded(await adjust(id, { callsPerMinute: 1000 }));
    expect(await fail(1)).toEqual([2]);
    succeeded(await adjust(id, { pauseWhen: null }));
    succeeded(await dialing.operate('resume', id));
    expect(await fail(11)).toEqual([...Array(10).fill(1), 4]);
  });
});
