import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, DialingApi } from '../support/dialing/dialing-api.ts';
import { type Api, accessToken, startApi } from '../support/service/api.ts';

type Dial = (options: {
  baseUrl: string;
  token: string;
  lines?: number;
  signal: AbortSignal;
  placeCall: (call: Call) => Promise<{ outcome: string; duration: number }>;
}) => Promise<void>;

const example = new URL('../../docs/examples/dialer.mjs', import.meta.url);
let api: Api;
let dialing: DialingApi;
beforeAll(async () => {
  api = await startApi();
  dialing = new DialingApi(api);
});
afterAll(() => api.stop());

describe('the example dialer of the documentation', () => {
  it('is shorter than 40 lines', async () => {
    expect((await readFile(example, 'utf8')).trimEnd().split('\n').length).toBeLessThan(40);
  });

  it('runs a task to its end, though some of its calls break down', async () => {
    const { dial } = (await import(example.href)) as { dial: Dial };
    const { id } = await dialing.aRunningTask(30, { maxDialCount: 1 });
    const stop = new AbortController();
    const called: string[] = [];
    const running = dial({
      baseUrl: api.url,
      token: accessToken,
      signal: stop.signal,
      placeCall: async ({ phoneNumber }) => {
        called.push(phoneNumber);
        if (called.length % 3 === 0) throw new Error('no line');
        return { outcome: 'success', duration: 5 };
      },
    });
    while ((await dialing.statusOf(id)) === 1) await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    await running;
    expect(new Set(called).size).toBe(30);
    expect(await dialing.statistics(id)).toMatchObject({
      status: 4,
      callCount: 30,
      successCount: 20,
      failCount: 10,
      totalDuration: 100,
    });
  });

  it('says why it cannot go on', async () => {
    const { dial } = (await import(example.href)) as { dial: Dial };
    const options = { baseUrl: api.url, token: 'wrong', signal: new AbortController().signal };
    const placeCall = async () => ({ outcome: 'success', duration: 0 });
    await expect(dial({ ...options, placeCall })).rejects.toThrow(/token/);
  });
});
