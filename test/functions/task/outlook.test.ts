import { describe, expect, it } from 'vitest';
import { type Call, phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { succeeded } from '../../support/service/api.ts';

type Outlook = {
  callable: number;
  perMinute: number;
  hours: { time: string; count: number }[];
  later: { date: string; count: number }[];
};
type Wait = { reason: string; count: number; from: string; to: string };

describe('the outlook of a task', () => {
  const { clock, api, dialing } = useDialing({ timeZone: 'Asia/Shanghai' });
  const outlookOf = async (id: unknown) =>
    succeeded(await api.get(`/api/task/${id}/outlook`)) as unknown as Outlook;
  const waitsOf = async (id: unknown) =>
    succeeded(await api.get(`/api/task/${id}/overview`)).waits as unknown as Wait[];

  it('counts the calls of the last five minutes, for each of them', async () => {
    const { id } = await dialing.aRunningTask(12, { maxDialCount: 1 });
    const end = async (calls: readonly Call[]) => {
      for (const { callId } of calls) await dialing.report(callId, 'success');
    };
    await end(await dialing.lease({ taskId: id, limit: 2 }));
    clock.advance(600);
    await end(await dialing.lease({ taskId: id, limit: 10 }));
    clock.advance(60);
    expect(await outlookOf(id)).toMatchObject({ callable: 0, perMinute: 2 });
    clock.advance(600);
    expect(await outlookOf(id)).toMatchObject({ perMinute: 0 });
  });

  it('has 48 hours one by one, and days after that by the clock of the service', async () => {
    const { id } = await dialing.aRunningTask(3);
    const calls = (await dialing.lease({ taskId: id })) as [Call, Call, Call];
    const times = ['2026-05-06 17:59:59', '2026-05-06 18:00:00', '2026-05-07 01:00:00'];
    clock.time = Date.UTC(2026, 4, 4, 10, 30);
    for (const [i, { callId }] of calls.entries()) {
      const result = { callId, outcome: 'success', callbackTime: times[i] };
      succeeded(await api.post('/api/dialer/result', result));
    }
    const { hours, later } = await outlookOf(id);
    expect(hours).toHaveLength(48);
    expect(hours[0]).toEqual({ time: '2026-05-04 18:00:00', count: 0 });
    expect(hours.at(-1)).toEqual({ time: '2026-05-06 17:00:00', count: 1 });
    // It is still the day before in UTC.
    expect(later).toEqual([
      { date: '2026-05-06', count: 1 },
      { date: '2026-05-07', count: 1 },
    ]);
  });

  it('knows from when to when contacts of several zones open that nobody has looked at', async () => {
    clock.time = Date.UTC(2026, 4, 4, 20);
    const contacts = ['Asia/Tokyo', 'Europe/Berlin'].map((timeZone, i) => ({
      phoneNumber: phoneOf(900 + i),
      timeZone,
    }));
    const { id } = await api.aTaskOf(contacts, { dailyStartTime: '09:00', dailyEndTime: '10:00' });
    // 09:00 in Tokyo, and in Berlin.
    expect(await waitsOf(id)).toEqual([
      { reason: 'HOURS', count: 2, from: '2026-05-05 08:00:00', to: '2026-05-05 15:00:00' },
    ]);
  });
});
