import { describe, expect, it } from 'vitest';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded } from '../../support/service/api.ts';

describe.each(engines)('a task with dates on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });

  const overview = async (id: string) => succeeded(await api.get(`/api/task/${id}/overview`));
  const lastChange = async (id: string) =>
    succeeded(await api.get(`/api/task/${id}/history`, { pageSize: 1 })).rows[0];
  /** In the zone of the service. */
  const inSeconds = (seconds: number) => api.timeIn(clock.time + seconds * 1000).slice(0, 16);

  /** The local service stops tasks every second. */
  const becomesStopped = (id: string) => expect.poll(() => dialing.statusOf(id), { interval: 100 }).toBe(3);

  it('calls nobody before its first date, and is checked again then', async () => {
    const { id } = await dialing.aRunningTask(2, { callFrom: inSeconds(7200) });
    expect(await dialing.lease({})).toEqual([]);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    expect((await overview(id)).dialing).toMatchObject({
      active: false,
      reason: 'OUTSIDE_HOURS',
      nextTime: `${inSeconds(7200)}:00`,
    });
    clock.advance(7199);
    expect(await dialing.lease({})).toEqual([]);
    clock.advance(1);
    expect(await dialing.lease({})).toHaveLength(2);
    succeeded(await dialing.operate('stop', id));
  });

  it('is stopped by the first dialer that asks after its last date', async () => {
    const { id } = await dialing.aRunningTask(2, { callUntil: inSeconds(3600) });
    const { callId } = await dialing.leaseOne({ limit: 1, leaseSeconds: 3600 });
    clock.advance(3599);
    expect(await dialing.lease({ limit: 1, taskId: id })).toHaveLength(1);
    clock.advance(1);
    const until = inSeconds(0);
    const cause = { reasonCode: 'CALL_UNTIL_PASSED', figures: { callUntil: until, timeZone: 'UTC' } };
    expect(await dialing.lease({})).toEqual([]);
    expect(await overview(id)).toMatchObject({
      status: 3,
      endTime: `${until}:00`,
      reason: `callUntil has passed: ${until} (UTC)`,
      ...cause,
      contacts: { total: 2 },
    });
    expect(await lastChange(id)).toMatchObject({
      ...{ operation: 'stop', from: 1, to: 3, by: 'service' },
      reason: `callUntil has passed: ${until} (UTC)`,
      ...cause,
    });
    expect(await dialing.report(callId, 'success')).toMatchObject({ taskStatus: 3 });
  });

  it('agrees on no callback that it cannot keep', async () => {
    const { id } = await dialing.aRunningTask(1, { callUntil: inSeconds(3600) });
    const { callId } = await dialing.leaseOne({ taskId: id });
    const report = (callbackIn: number) =>
      api.post('/api/dialer/result', {
        ...{ callId, outcome: 'success' },
        callbackTime: api.timeIn(clock.time + callbackIn * 1000),
      });
    const refused = await report(3600);
    expectError(refused, 409, /callUntil/);
    expect(refused.headers.get('x-error-code')).toBe('CALLBACK_TOO_LATE');
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 0 });
    expect(succeeded(await report(3599))).toMatchObject({ final: false });
    succeeded(await dialing.operate('stop', id));
  });

  it('is stopped though no dialer asks, whether it runs or is paused', async () => {
    const callUntil = inSeconds(3600);
    const running = await dialing.aRunningTask(1, { callUntil });
    const paused = await api.aTaskIn(2, { callUntil });
    const draft = await api.aTask({ callUntil });
    const later = await dialing.aRunningTask(1, { callUntil: inSeconds(3660) });
    clock.advance(3600);
    for (const { id } of [running, paused]) {
      await becomesStopped(id);
      expect(await lastChange(id)).toMatchObject({ operation: 'stop', by: 'service' });
    }
    expect(await dialing.statusOf(draft.id)).toBe(0);
    expect(await dialing.statusOf(later.id)).toBe(1);
    succeeded(await dialing.operate('stop', later.id));
  });

  it('is stopped at once when it is published too late', async () => {
    const { id } = await dialing.aRunningTask(1, { callUntil: '2020-01-01 00:00' });
    expect((await overview(id)).dialing).toMatchObject({ active: false });
    expect(await dialing.lease({})).toEqual([]);
    await becomesStopped(id);
  });

  it('has its dates in its own zone, and its hours in the zone of a contact', async () => {
    // 10:00 in UTC is 19:00 in Tokyo and 12:00 in Berlin.
    clock.time = Date.UTC(2026, 5, 1, 10);
    const inBerlin = { phoneNumber: '+498011110002', timeZone: 'Europe/Berlin' };
    const { id } = await api.aTaskOf([{ phoneNumber: '+818011110001' }, inBerlin], {
      ...{ timeZone: 'Asia/Tokyo', dailyStartTime: '09:00', dailyEndTime: '18:00' },
      ...{ callFrom: '2026-06-01 19:30', callUntil: '2026-06-02 10:00' },
    });
    const called = async () => (await dialing.lease({})).map(({ phoneNumber }) => phoneNumber);
    expect(await called()).toEqual([]);
    expect((await overview(id)).dialing).toMatchObject({
      reason: 'OUTSIDE_HOURS',
      nextTime: '2026-06-01 10:30:00',
    });
    clock.advance(1800);
    const { callId, phoneNumber } = await dialing.leaseOne({});
    expect(phoneNumber).toBe('+498011110002');
    await dialing.report(callId, 'success');
    clock.time = Date.UTC(2026, 5, 2, 0);
    expect(await called()).toEqual(['+818011110001']);
    clock.time = Date.UTC(2026, 5, 2, 1);
    expect(await called()).toEqual([]);
    await becomesStopped(id);
  });

  it('has the hours of Vancouver, whose clocks stay on summer time after 2026', async () => {
    clock.time = Date.UTC(2026, 11, 15, 11, 59);
    const dates = { callFrom: '2026-12-15 04:30', callUntil: '2026-12-15 05:30' };
    const { id } = await dialing.aRunningTask(1, {
      ...{ timeZone: 'america/vancouver', dailyStartTime: '05:00', dailyEndTime: '06:00', ...dates },
    });
    expect(await dialing.lease({})).toEqual([]);
    const { dialing: state } = await overview(id);
    expect(state).toMatchObject({ reason: 'OUTSIDE_HOURS', nextTime: '2026-12-15 12:00:00' });
    clock.time = Date.UTC(2026, 11, 15, 12);
    expect(await dialing.lease({})).toHaveLength(1);
    clock.time = Date.UTC(2026, 11, 15, 12, 30);
    expect(await dialing.lease({})).toEqual([]);
    await becomesStopped(id);
  });
});

describe('the calling hours of a service', () => {
  const { clock, api, dialing } = useDialing({ callingHours: { start: '08:00', end: '21:00' } });
  const called = async () => (await dialing.lease({})).map(({ phoneNumber }) => phoneNumber).sort();

  it("hold for every task, by the clock of the contact's zone", async () => {
    const inNewYork = { phoneNumber: '+128011110002', timeZone: 'America/New_York' };
    const contacts = [{ phoneNumber: '+818011110001' }, inNewYork];
    const { id } = await api.aTaskOf(contacts, { timeZone: 'Asia/Tokyo' });
    // 23:00 in Tokyo is 10:00 in New York.
    clock.time = Date.UTC(2026, 5, 1, 14);
    const { callId, phoneNumber } = await dialing.leaseOne({});
    expect(phoneNumber).toBe('+128011110002');
    await dialing.report(callId, 'success');
    const { dialing: state } = succeeded(await api.get(`/api/task/${id}/overview`));
    expect(state).toMatchObject({ reason: 'OUTSIDE_HOURS', nextTime: '2026-06-01 23:00:00' });
    clock.time = Date.UTC(2026, 5, 1, 23);
    expect(await called()).toEqual(['+818011110001']);
    succeeded(await dialing.operate('stop', id));
  });

  it('close a task whose own hours are all outside', async () => {
    const hours = { dailyStartTime: '21:00', dailyEndTime: '24:00' };
    const { id } = await dialing.aRunningTask(1, hours);
    clock.time = Date.UTC(2026, 5, 2, 22);
    expect(await called()).toEqual([]);
    const { dialing: state } = succeeded(await api.get(`/api/task/${id}/overview`));
    expect(state).toMatchObject({ reason: 'OUTSIDE_HOURS', nextTime: null });
  });
});
