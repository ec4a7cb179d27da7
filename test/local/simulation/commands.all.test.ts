import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceClient } from '../../../local/simulation/service-client.ts';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { type Api, accessToken, startApi, succeeded } from '../../support/service/api.ts';
import { until } from '../../support/service/object-store.ts';
import { programOf } from '../../support/service/program.ts';

/** The command as it is run, until it ends or `during` says what is to happen meanwhile. */
const simulate = async (args: string[], during?: (pid: number) => Promise<void>) => {
  const child = spawn(process.execPath, [await programOf('local/simulation/simulate.ts'), ...args]);
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await during?.(child.pid as number);
  return { code: await ended, output, errors };
};

describe('npm run simulate', () => {
  let api: Api;
  let dialing: DialingApi;
  let service: ServiceClient;
  beforeAll(async () => {
    api = await startApi();
    dialing = new DialingApi(api);
    service = new ServiceClient(api.url, accessToken);
  });
  afterAll(() => api.stop());

  it('shows each task in plain lines without a terminal and ends cleanly at Ctrl-C', async () => {
    const { id } = await dialing.aRunningTask(400, { taskName: 'From the command', maxDialCount: 1 });
    const args = ['--base-url', api.url, '--token', accessToken, '--task', id, '--calls-per-second', '20'];
    const { code, output, errors } = await simulate(args, async (pid) => {
      await until(async () => (await service.statistics(id)).callCount >= 10);
      process.kill(pid, 'SIGINT');
    });
    const { callCount } = await service.statistics(id);
    expect(output.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^From the command .* ${callCount} calls, \\d+ ok  RUNNING$`),
    );
    expect(output).not.toContain('\u001b');
    expect({ code, errors: errors.includes('    at ') }).toEqual({ code: 0, errors: false });
  });

  it('says at once why there is nothing to call, and ends where nothing will come', async () => {
    const client = ['--base-url', api.url, '--token', accessToken, '--until-idle'];
    const draft = await api.aTask({ taskName: 'Not published' });
    const one = await simulate([...client, '--task', draft.id]);
    expect(one).toEqual({
      code: 0,
      output: 'Nothing to call now:\n  Not published: it is a draft; publish it first\n',
      errors: '',
    });
    for (const { id } of succeeded(await api.get('/api/task/list', { status: 1 })).rows)
      succeeded(await dialing.operate('stop', id));
    const all = await simulate(client);
    expect(all).toMatchObject({
      code: 0,
      output: 'Nothing to call: no task is RUNNING. Publish one first.\n',
    });
  });

  it('says what is wrong in one line', async () => {
    const { code, output, errors } = await simulate(['--success', '2']);
    expect({ code, output, errors }).toEqual({
      code: 1,
      output: '',
      errors: '--success must be a number from 0 to 1, not "2"\n',
    });
  });
});

it('npm run demo calls 200 contacts and shows what came of it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    await programOf('local/simulation/demo.ts'),
  ]);
  expect(stdout).toMatch(/Imported {3}200 contacts/);
  expect(stdout).toMatch(/Spring survey .* \d+\/200 done .* RUNNING/);
  const counts = [
    ...stdout.matchAll(
      /^ {2}(success|no answer|failed|reached|given up|blocked|left to call) .* (\d+) +[\d.]+ %$/gm,
    ),
  ];
  const count = Object.fromEntries(counts.map(([, label, number]) => [label, Number(number)]));
  const calls = Number(/^(\d+) calls, simulated/m.exec(stdout)?.[1]);
  expect(count.success + count['no answer'] + count.failed).toBe(calls);
  // A contact that agreed on a callback is called again, also after a success.
  expect(count.reached).toBeLessThanOrEqual(count.success);
  expect(count.reached).toBeGreaterThan(100);
  expect(stdout).toMatch(/Not answered: \d+ busy, \d+ voicemail, \d+ switched off/);
  expect(count.blocked).toBe(3);
  expect(count.reached + count['given up'] + count.blocked + count['left to call']).toBe(200);
  expect(stdout).toMatch(/20 sleep: .* the first from \d{4}-/);
  expect(stdout).toMatch(/[1-9]\d* wait for the callback that they asked for/);
  expect(stdout).toContain('"Winter offers" paused itself: 10 of its last 10 calls failed');
  expect(stdout).toMatch(/Answered: [1-9]\d* Interested, [1-9]\d* Not interested, .*\d Wants no calls/);
});
