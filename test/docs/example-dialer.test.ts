import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Call, DialingApi } from '../support/dialing/dialing-api.ts';
import { watchedWaits } from '../support/run/watched-waits.ts';
import { type Api, accessToken, startApi, succeeded } from '../support/service/api.ts';
import { anIssuer, type Issuer } from '../support/service/issuer.ts';
import { until } from '../support/service/object-store.ts';

type Dial = (options: {
  baseUrl: string;
  token?: string;
  credentials?: { tokenUrl: string; clientId: string; clientSecret: string };
  lines?: number;
  taskId?: string;
  signal: AbortSignal;
  placeCall: (call: Call) => Promise<{ outcome: string; duration: number; startTime?: Date }>;
}) => Promise<void>;

const example = new URL('../../docs/examples/dialer.mjs', import.meta.url);
let dial: Dial;
let api: Api;
let dialing: DialingApi;
beforeAll(async () => {
  ({ dial } = (await import(example.href)) as { dial: Dial });
  api = await startApi();
  dialing = new DialingApi(api);
});
afterAll(() => api.stop());

describe('the example dialer of the documentation', () => {
  it('is shorter than 80 lines', async () => {
    expect((await readFile(example, 'utf8')).trimEnd().split('\n').length).toBeLessThan(80);
  });

  it('runs a task to its end, though some of its calls break down', async () => {
    const { id } = await dialing.aRunningTask(30, { maxDialCount: 1 });
    const called: string[] = [];
    await dial({
      baseUrl: api.url,
      token: accessToken,
      taskId: id,
      signal: new AbortController().signal,
      placeCall: async ({ phoneNumber }) => {
        called.push(phoneNumber);
        if (called.length % 3 === 0) throw new Error('no line');
        return { outcome: 'success', duration: 5 };
      },
    });
    expect(new Set(called).size).toBe(30);
    expect(await dialing.statistics(id)).toMatchObject({
      status: 4,
      callCount: 30,
      successCount: 20,
      failCount: 10,
      totalDuration: 100,
    });
  });

  it('reports a call though the task ends before the callback', async () => {
    const [end, callbackTime] = [1800_000, 3600_000].map((ms) => api.timeIn(Date.now() + ms));
    const { id } = await dialing.aRunningTask(1, { callUntil: end?.slice(0, 16) });
    const stop = new AbortController();
    const result = { outcome: 'success', duration: 5, callbackTime };
    const running = dial({
      ...{ baseUrl: api.url, token: accessToken, signal: stop.signal },
      placeCall: async () => result,
    });
    await until(async () => (await dialing.statusOf(id)) !== 1);
    stop.abort();
    await running;
    expect(await dialing.statistics(id)).toMatchObject({ status: 4, callCount: 1, successCount: 1 });
  });

  it('sends times by the clock of the service', async () => {
    const service = await startApi({ timeZone: 'Asia/Kolkata' });
    const { id } = await new DialingApi(service).aRunningTask(1, {});
    const stop = new AbortController();
    const startTime = new Date(Math.floor(Date.now() / 1000) * 1000 - 90_000);
    const running = dial({
      ...{ baseUrl: service.url, token: accessToken, signal: stop.signal },
      placeCall: async () => ({ outcome: 'success', duration: 5, startTime }),
    });
    const calls = async () => succeeded(await service.get(`/api/task/${id}/calls`)).rows;
    await expect.poll(calls).toHaveLength(1);
    stop.abort();
    await running;
    const inIndia = new Date(startTime.getTime() + 5.5 * 3600_000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
    expect(await calls()).toMatchObject([{ startTime: inIndia }]);
    await service.stop();
  });

  const placeCall = async () => ({ outcome: 'success', duration: 5 });
  /** Dials a task of 25 contacts to its end with tokens of the issuer. */
  const dialWith = async (issuer: Issuer) => {
    const { id } = await dialing.aRunningTask(25, { maxDialCount: 1 });
    const stop = new AbortController();
    const running = dial({
      baseUrl: api.url,
      credentials: issuer.credentials,
      signal: stop.signal,
      placeCall,
    });
    await until(async () => (await dialing.statusOf(id)) !== 1);
    stop.abort();
    await running;
    await issuer.close();
    return dialing.statistics(id);
  };

  it('asks for one token as long as that is valid', async () => {
    const issuer = await anIssuer([{ token: accessToken }]);
    expect(await dialWith(issuer)).toMatchObject({ status: 4, callCount: 25 });
    expect(issuer.asked).toBe(1);
  });

  it('goes on when its token expires, and when the service refuses one before its time', async () => {
    const issuer = await anIssuer([
      { token: accessToken, seconds: 0 },
      { status: 503 },
      { token: 'withdrawn' },
      { token: accessToken },
    ]);
    expect(await dialWith(issuer)).toMatchObject({ status: 4, callCount: 25 });
    expect(issuer.asked).toBe(4);
  });

  it('keeps its token until that expires while the issuer gives no other one', async () => {
    const module = new URL('token.mjs', example);
    const { renewing } = (await import(module.href)) as {
      renewing: (of: Issuer['credentials']) => (refused?: string) => Promise<string>;
    };
    const issuer = await anIssuer([{ token: 'first', seconds: 100 }, { status: 503 }]);
    const token = renewing(issuer.credentials);
    const begun = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(begun);
    expect(await token()).toBe('first');
    clock.mockReturnValue(begun + 95_000);
    expect(await token()).toBe('first');
    expect(issuer.asked).toBe(2);
    await expect(token('first')).rejects.toThrow('status 503');
    clock.mockReturnValue(begun + 100_000);
    await expect(token()).rejects.toThrow('status 503');
    clock.mockRestore();
    await issuer.close();
  });

  it('waits as long as the service says', async () => {
    const waits = watchedWaits();
    let asked = 0;
    const service = createServer(({ url }, response) => {
      if (url === '/api/dialer/lease') asked += 1;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ code: 0, data: { calls: [], retryAfterSeconds: asked === 1 ? 0 : 3600 } }),
      );
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const stop = new AbortController();
    const { port } = service.address() as AddressInfo;
    const running = dial({
      baseUrl: `http://127.0.0.1:${port}`,
      token: 'any',
      signal: stop.signal,
      placeCall,
    });
    await until(() => waits.includes(3600_000));
    stop.abort();
    await running;
    service.close();
    expect(asked).toBe(2);
  });

  it('says why it gets no token', async () => {
    const issuer = await anIssuer([{ status: 400 }]);
    const { credentials } = issuer;
    const { signal } = new AbortController();
    await expect(dial({ baseUrl: api.url, credentials, signal, placeCall })).rejects.toThrow('status 400');
    await issuer.close();
  });

  it('says why it cannot go on', async () => {
    const options = { baseUrl: api.url, token: 'wrong', signal: new AbortController().signal };
    await expect(dial({ ...options, placeCall })).rejects.toThrow(/token/);
  });
});
