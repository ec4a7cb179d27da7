import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeUpContacts } from '../../../local/simulation/made-up.ts';
import { CallLost, ServiceClient, SimulationError } from '../../../local/simulation/service-client.ts';
import { ResultQueue, Simulator } from '../../../local/simulation/simulator.ts';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { watchedWaits } from '../../support/run/watched-waits.ts';
import { type Api, accessToken, startApi, succeeded } from '../../support/service/api.ts';
import { until } from '../../support/service/object-store.ts';

/** Calls that take no time. */
const speed = Number.POSITIVE_INFINITY;
const options = {
  mix: { success: 0.6, noAnswer: 0.3 },
  callsPerSecond: 200,
  speed,
  seed: 5,
  untilIdle: true,
};

let api: Api;
let dialing: DialingApi;
let service: ServiceClient;
beforeAll(async () => {
  api = await startApi();
  dialing = new DialingApi(api);
  service = new ServiceClient(api.url, accessToken);
});
afterAll(() => api.stop());

describe('the simulator', () => {
  it('runs a task to its end, the same way with the same seed', async () => {
    const run = async () => {
      const { id } = await dialing.aRunningTask(40, { maxDialCount: 2, callInterval: 0 });
      const simulator = new Simulator(service, { ...options, speed: 500, taskId: id });
      await simulator.run();
      const { status, callCount, successCount, failCount, noAnswerCount, totalDuration } =
        await service.statistics(id);
      expect(simulator.progress).toEqual([
        { taskId: id, inCall: 0, calls: callCount, succeeded: expect.any(Number), done: 40, lost: 0 },
      ]);
      return { status, callCount, successCount, failCount, noAnswerCount, totalDuration };
    };
    const first = await run();
    expect(first.status).toBe(4);
    expect(first.callCount).toBeGreaterThan(40);
    expect(await run()).toEqual(first);
  });

  it('makes calls that take as long as they are said to: no more talk than its lines have time for', async () => {
    const maxConcurrentCalls = 5;
    const { id } = await dialing.aRunningTask(20, { maxConcurrentCalls, callInterval: 0, maxDialCount: 2 });
    await new Simulator(service, { ...options, speed: 60, taskId: id }).run();
    const calls = (await callsOf(id)).map(({ startTime, endTime, duration }) => ({
      ...{ start: Date.parse(`${startTime}Z`) / 1000, end: Date.parse(`${endTime}Z`) / 1000 },
      duration: duration as number,
    }));
    for (const { start, end, duration } of calls) expect(end - start).toBeGreaterThanOrEqual(duration);
    const total = calls.reduce((sum, { duration }) => sum + duration, 0);
    // Times are shown in whole seconds.
    const elapsed =
      Math.max(...calls.map(({ end }) => end)) + 1 - Math.min(...calls.map(({ start }) => start));
    expect(total).toBeGreaterThan(calls.length / 2);
    expect(total).toBeLessThanOrEqual(maxConcurrentCalls * elapsed);
  });

  it('agrees on callbacks, at most five with a contact, and makes them', async () => {
    const { id } = await dialing.aRunningTask(2, { maxDialCount: 1 });
    const mix = { success: 1, noAnswer: 0, callback: 1 };
    await new Simulator(service, { ...options, mix, taskId: id, callbackSeconds: [0] }).run();
    const { contacts, calls } = await service.overview(id);
    expect([contacts.reached, calls.success]).toEqual([2, 2 * 6]);
  });

  it('agrees on callbacks by the clock of the service', async () => {
    const { id } = await dialing.aRunningTask(1, {});
    const mix = { success: 1, noAnswer: 0, callback: 1 };
    const simulator = new Simulator(service, { ...options, mix, taskId: id, callbackSeconds: [3600] });
    const running = simulator.run();
    await until(() => simulator.progress[0]?.calls === 1);
    simulator.stop();
    await running;
    const { rows } = succeeded(await api.get(`/api/task/${id}/contacts`, { outcome: 'callback' }));
    const [{ nextCallTime, calls }] = rows as unknown as [
      { nextCallTime: string; calls: { time: string }[] },
    ];
    const seconds = (Date.parse(`${nextCallTime}Z`) - Date.parse(`${calls[0]!.time}Z`)) / 1000;
    // The call itself takes its part of the hour.
    expect(Math.abs(seconds - 3600)).toBeLessThan(60);
  });

  it('reports its call though the task ends before the callback', async () => {
    const callUntil = api.timeIn(Date.now() + 1800_000).slice(0, 16);
    const { id } = await dialing.aRunningTask(1, { callUntil });
    const mix = { success: 1, noAnswer: 0, callback: 1 };
    await new Simulator(service, { ...options, mix, taskId: id, callbackSeconds: [7200] }).run();
    expect(await service.statistics(id)).toMatchObject({ status: 4, callCount: 1, successCount: 1 });
  });

  it('puts the numbers of people who ask for it on the do-not-call list', async () => {
    const { id } = await dialing.aRunningTask(3, {});
    const mix = { success: 1, noAnswer: 0, doNotCall: 1 };
    await new Simulator(service, { ...options, mix, taskId: id }).run();
    const { total, rows } = succeeded(await api.get('/api/dataSource/do-not-call/contacts'));
    expect(total).toBe(3);
    // The other tests call the same numbers.
    for (const { id: contactId } of rows)
      succeeded(await api.post('/api/dataSource/do-not-call/contact/delete', { contactId }));
  });

  const talking = { success: 1, noAnswer: 0, disposition: 1, data: 1, summary: 1 };
  const callsOf = async (id: string) =>
    succeeded(await api.get(`/api/task/${id}/calls`, { pageSize: 100 })).rows as Record<string, unknown>[];

  it('reports declared dispositions, data and a summary', async () => {
    const dispositions = [{ code: 'likes', label: 'Likes it' }, { code: 'dislikes' }];
    const { id } = await dialing.aRunningTask(20, { dispositions });
    await new Simulator(service, { ...options, mix: talking, taskId: id }).run();
    const { byDisposition } = (await service.overview(id)).calls;
    expect(byDisposition).toEqual({ likes: expect.any(Number), dislikes: expect.any(Number), other: 0 });
    expect(byDisposition.likes! + byDisposition.dislikes!).toBe(20);
    for (const { data, summary, disposition } of await callsOf(id)) {
      const { rating } = data as { rating: number };
      expect(summary).toContain(
        `rates us ${rating} of 5. ${disposition === 'likes' ? 'Likes it' : 'dislikes'}.`,
      );
    }
  });

  it('reports its calls although the task declares other dispositions by then', async () => {
    const { id } = await dialing.aRunningTask(10, { dispositions: [{ code: 'old' }] });
    const overview = await service.overview(id);
    succeeded(await api.post('/api/task/adjust', { id, dispositions: [{ code: 'new' }] }));
    const late = new ServiceClient(api.url, accessToken);
    late.overview = async () => overview;
    await new Simulator(late, { ...options, mix: talking, taskId: id }).run();
    expect((await service.overview(id)).calls).toMatchObject({
      success: 10,
      byDisposition: { new: 0, other: 0 },
    });
  });

  it('reports many calls in one request', async () => {
    const { id } = await dialing.aRunningTask(120, { maxDialCount: 1 });
    const gathering = new ServiceClient(api.url, accessToken);
    const sizes: number[] = [];
    gathering.reportAll = (results) => {
      sizes.push(results.length);
      return service.reportAll(results);
    };
    await new Simulator(gathering, { ...options, callsPerSecond: 1000, taskId: id }).run();
    expect(await service.statistics(id)).toMatchObject({ status: 4, callCount: 120 });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(120);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  it('sends at most 100 results in a request', async () => {
    const sizes: number[] = [];
    const counting = {
      reportAll: async (results: readonly unknown[]) => {
        sizes.push(results.length);
        return results.map(() => ({}));
      },
    } as unknown as ServiceClient;
    const queue = new ResultQueue(counting);
    const result = { callId: 'a', outcome: 'success', duration: 1 } as const;
    await Promise.all(Array.from({ length: 250 }, () => queue.report(result)));
    expect(sizes).toEqual([100, 100, 50]);
  });

  it('finishes the calls in flight when it is stopped', async () => {
    const { id } = await dialing.aRunningTask(200, { maxDialCount: 1 });
    const simulator = new Simulator(service, { ...options, callsPerSecond: 20, taskId: id });
    const running = simulator.run();
    await until(() => (simulator.progress[0]?.calls ?? 0) >= 5);
    simulator.stop();
    await running;
    const { callCount } = await service.statistics(id);
    expect(callCount).toBeLessThan(200);
    expect(simulator.progress).toMatchObject([{ inCall: 0, calls: callCount }]);
    const leased = (await dialing.exported(id)).values();
    expect([...leased].filter(({ status }) => status === '4')).toEqual([]);
  });

  it('goes on when a call was given to someone else meanwhile', async () => {
    await expect(
      service.report({ callId: '4k9x2m7q8t3vbn5c-2s-h7w2k9', outcome: 'success', duration: 1 }),
    ).rejects.toThrow(CallLost);
  });

  it('stops with one line when the token is wrong, and when nobody answers', async () => {
    const lease = (url: string, token: string) =>
      new Simulator(new ServiceClient(url, token), { ...options, taskId: undefined }).run();
    await expect(lease(api.url, 'wrong')).rejects.toThrow(/does not accept the access token/);
    await expect(lease('http://127.0.0.1:9', accessToken)).rejects.toThrow(SimulationError);
    await expect(lease('http://127.0.0.1:9', accessToken)).rejects.toThrow(/no service answers at/);
  });

  it('waits as long as the service says, and asks sooner once it has reported a result', async () => {
    const waits = watchedWaits();
    const call = { callId: 'a', taskId: 't', phoneNumber: '+15550100', attempt: 1 };
    const answers = [
      { calls: [call], retryAfterSeconds: 3600 },
      { calls: [], retryAfterSeconds: 3600 },
    ];
    let asked = 0;
    const idle = {
      leaseOrWait: async () => answers[Math.min(asked++, 1)],
      reportAll: async () => [{ final: true, taskStatus: 1 }],
    } as unknown as ServiceClient;
    const simulator = new Simulator(idle, { ...options, untilIdle: false, taskId: undefined });
    const running = simulator.run();
    const long = () => waits.filter((ms) => ms === 3600_000 - 250).length;
    // The result ended the first one.
    await until(() => long() === 2);
    simulator.stop();
    await running;
    expect([asked, long()]).toEqual([2, 2]);
  });

  it('may dial with another token than it reads with', async () => {
    const split = new ServiceClient(api.url, accessToken, 'wrong');
    expect(await split.runningTasks()).toBeGreaterThanOrEqual(0);
    await expect(split.lease(1, 10)).rejects.toThrow(/does not accept the access token/);
  });

  it('makes up as many different numbers as contacts', () => {
    const rows = madeUpContacts(500).trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(500);
    expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(500);
    expect(rows.every((row) => /^\+1\d{10},/.test(row))).toBe(true);
  });
});
