import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DialingApi } from '../support/dialing/dialing-api.ts';
import { examples, hasPython, runPython, startPython } from '../support/run/python.ts';
import { type Api, accessToken, startApi, succeeded } from '../support/service/api.ts';
import { anIssuer } from '../support/service/issuer.ts';

const dialer = path.join(examples, 'dialer.py');

describe.skipIf(!hasPython)('the dialer in Python', () => {
  let api: Api;
  let dialing: DialingApi;
  beforeAll(async () => {
    api = await startApi();
    dialing = new DialingApi(api);
  });
  afterAll(() => api.stop());

  const environment = () => ({ BASE_URL: api.url, TOKEN: accessToken });
  /** Dials the task with another `place_call`, and with shorter times. */
  const startWith = (place: readonly string[], taskId: string) => {
    const lines = ['import dialer', 'dialer.ASK_SECONDS = 0.05', 'dialer.LONGEST_CALL = 3600', ...place];
    const program = [...lines, `dialer.dial('${taskId}', place)`].join('\n');
    return startPython(['-c', program], examples, environment());
  };

  it('runs a task to its end', async () => {
    const { id } = await dialing.aRunningTask(25);
    await runPython([dialer, id], examples, environment());
    expect(await dialing.statistics(id)).toMatchObject({ status: 4, successCount: 25, totalDuration: 1050 });
  });

  it('without a task it calls until it is stopped', async () => {
    const { id } = await dialing.aRunningTask(3);
    const { child, ended } = startPython([dialer], examples, environment());
    await expect.poll(() => dialing.statusOf(id)).toBe(4);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('reports a call that breaks down, and goes on', async () => {
    const { id } = await dialing.aRunningTask(12, { maxDialCount: 1 });
    const { ended, stderr } = startWith(['def place(call, task):', '  raise OSError("no line")'], id);
    expect(await ended).toBe(0);
    expect(stderr()).toContain('no line');
    expect(await dialing.statistics(id)).toMatchObject({ status: 4, failCount: 12 });
  });

  it('waits until the voice agent has reported', async () => {
    const { id } = await dialing.aRunningTask(2, { maxDialCount: 1 });
    const place = [
      'def place(call, task):',
      '  print(call["callId"], flush=True)',
      '  return dialer.BY_AGENT',
    ];
    const { lines, ended } = startWith(place, id);
    await expect.poll(() => lines).toHaveLength(2);
    for (const callId of lines) {
      const told = { disposition: 'promised', summary: 'Pays on Friday.' };
      succeeded(await api.post('/api/dialer/result', { callId, outcome: 'success', duration: 61, ...told }));
    }
    expect(await ended).toBe(0);
    const { rows } = succeeded(await api.get(`/api/task/${id}/calls`));
    expect(rows).toMatchObject(Array(2).fill({ duration: 61, disposition: 'promised' }));
  });

  it('reports a call whose agent has died', async () => {
    const { id } = await dialing.aRunningTask(1, { maxDialCount: 1 });
    const place = ['dialer.LONGEST_CALL = 0.1', 'place = lambda *_: dialer.BY_AGENT'];
    expect(await startWith(place, id).ended).toBe(0);
    expect(await dialing.statistics(id)).toMatchObject({ status: 4, failCount: 1 });
  });

  it('gives a call back that was not started', async () => {
    const { id } = await dialing.aRunningTask(1);
    const { child } = startWith(['place = lambda *_: dialer.NOT_STARTED'], id);
    const overview = async () => succeeded(await api.get(`/api/task/${id}/overview`));
    await expect.poll(overview).toMatchObject({ waits: [{ reason: 'RETRY', count: 1 }] });
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 0 });
    child.kill('SIGKILL');
  });

  it('reports a call although its callback cannot be kept', async () => {
    const callUntil = api.timeIn(Date.now() + 1800_000).slice(0, 16);
    const callbackTime = api.timeIn(Date.now() + 3600_000);
    const { id } = await dialing.aRunningTask(1, { callUntil });
    const result = `{"outcome": "success", "duration": 5, "callbackTime": "${callbackTime}"}`;
    expect(await startWith([`place = lambda *_: ${result}`], id).ended).toBe(0);
    expect(await dialing.statistics(id)).toMatchObject({ status: 4, successCount: 1 });
  });

  it('renews its token, and after a refusal asks for another one', async () => {
    const issuer = await anIssuer([
      { token: accessToken, seconds: 0 },
      { token: 'withdrawn' },
      { token: accessToken },
    ]);
    const { tokenUrl, clientId, clientSecret } = issuer.credentials;
    const { id } = await dialing.aRunningTask(5);
    const client = { TOKEN_URL: tokenUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    await runPython([dialer, id], examples, { BASE_URL: api.url, ...client });
    expect(issuer.asked).toBe(3);
    await issuer.close();
  });

  it('says why it cannot go on', async () => {
    const { id } = await dialing.aRunningTask(1);
    const { ended, stderr } = startPython([dialer, id], examples, { BASE_URL: api.url, TOKEN: 'wrong' });
    expect(await ended).toBe(1);
    expect(stderr()).toContain('401 UNAUTHENTICATED');
  });
});
