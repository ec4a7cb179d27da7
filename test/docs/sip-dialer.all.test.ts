import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DialingApi } from '../support/dialing/dialing-api.ts';
import {
  ending,
  finalCodes,
  hasSipPrograms,
  login,
  SipTrunk,
  steadySound,
} from '../support/dialing/sip-trunk.ts';
import type { Row } from '../support/service/answers.ts';
import { type Api, accessToken, startApi, succeeded } from '../support/service/api.ts';

const example = fileURLToPath(new URL('../../docs/examples/sip-dialer.mjs', import.meta.url));

describe('the SIP dialer of the documentation', () => {
  it('has at most 215 lines', async () => {
    expect((await readFile(example, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(215);
  });

  it('says which settings it needs', async () => {
    const dialer = spawn(process.execPath, [example], { env: { PATH: process.env.PATH } });
    const words = (await dialer.stderr.setEncoding('utf8').toArray()).join('');
    expect(words).toContain('SIP_TRUNK');
    expect(dialer.exitCode ?? (await once(dialer, 'exit'))[0]).toBe(1);
  });
});

describe.skipIf(!hasSipPrograms)('calls through a SIP trunk', () => {
  let folder: string;
  let api: Api;
  let dialing: DialingApi;
  let trunk: SipTrunk;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sip-test-'));
    api = await startApi();
    dialing = new DialingApi(api);
    await writeFile(join(folder, 'hello.wav'), steadySound(0, 1));
    trunk = new SipTrunk(folder);
    await trunk.start();
  });
  afterAll(async () => {
    await trunk.stop();
    await api.stop();
    await rm(folder, { recursive: true });
  });

  const dialers: ChildProcess[] = [];
  const said: string[] = [];
  afterEach(() => {
    said.length = 0;
    for (const dialer of dialers.splice(0)) dialer.kill('SIGKILL');
  });

  const numberThat = (end: string) => `+49301234${end}`;

  const aTaskThatCalls = async (endings: readonly string[], settings: Record<string, unknown>) => {
    const source = await api.aDataSource();
    for (const end of endings) await api.aContact(source.id, { phoneNumber: numberThat(end) });
    const rules = { maxDialCount: 1, ...settings };
    return api.aTaskIn(1, { dataSourceId: source.id, ...rules });
  };

  const startDialer = (settings: Record<string, string> = {}): ChildProcess => {
    const { PATH } = process.env;
    const connection = { BASE_URL: api.url, TOKEN: accessToken };
    const sip = { SIP_TRUNK: trunk.address, SIP_ADDRESS: '127.0.0.1', MESSAGES: folder };
    const dialer = spawn(process.execPath, [example], {
      env: { PATH, ...connection, ...sip, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    dialer.stdout.setEncoding('utf8').on('data', (text) => said.push(text));
    dialers.push(dialer);
    return dialer;
  };

  const endOf = async (dialer: ChildProcess): Promise<number> =>
    dialer.exitCode ?? ((await once(dialer, 'exit'))[0] as number);

  type Call = { outcome?: string; reason?: string | null; duration?: number };

  /** The last call of each contact of the task, by the last three digits of its number. */
  const callsOf = async (id: string): Promise<Record<string, Call>> => {
    const { rows } = succeeded(await api.get(`/api/task/${id}/contacts`, { pageSize: 100 }));
    return Object.fromEntries(
      (rows as Row[]).map(({ phoneNumber, calls }) => [
        String(phoneNumber).slice(-3),
        (calls as Call[]).at(-1) ?? {},
      ]),
    );
  };

  const ended = (id: string) => expect.poll(() => dialing.statusOf(id), { interval: 100 }).toBe(4);

  it('turns SIP answers into outcomes and reasons', async () => {
    const { id } = await aTaskThatCalls([...finalCodes, ending.ringsInVain, ending.hangsUp], {
      callSettings: { message: 'hello.wav' },
    });
    const dialer = startDialer();
    await ended(id);
    dialer.kill();
    expect(await endOf(dialer)).toBe(0);
    const calls = await callsOf(id);
    const results = Object.entries(calls).map(([end, { outcome, reason }]) => [end, `${outcome} ${reason}`]);
    expect(Object.fromEntries(results)).toEqual({
      '403': 'failed other',
      '404': 'failed invalidNumber',
      '408': 'noAnswer noAnswer',
      '410': 'failed outOfService',
      '480': 'noAnswer poweredOff',
      '484': 'failed invalidNumber',
      '486': 'noAnswer busy',
      '500': 'failed networkError',
      '503': 'failed networkError',
      '600': 'noAnswer busy',
      '603': 'failed rejected',
      [ending.ringsInVain]: 'noAnswer unreachable',
      [ending.hangsUp]: 'success null',
    });
  });

  /** The dialer finds a baresip that runs these words of a shell before it begins. */
  const withWordsBefore = async (name: string, words: string) => {
    const programs = join(folder, name);
    await mkdir(programs);
    const script = `#!/bin/sh\nif [ "$1" = -f ]; then\n${words}\nfi\nPATH='${process.env.PATH}'\nexec baresip "$@"\n`;
    await writeFile(join(programs, 'baresip'), script, { mode: 0o755 });
    return { PATH: `${programs}:${process.env.PATH}` };
  };

  it('keeps the control port of a call from other programs until baresip opens it', async () => {
    const seen = join(folder, 'ports');
    // Before baresip starts: a port that no socket has may be given to any program that asks for a
    // free one.
    const path = await withWordsBefore(
      'port-watchers',
      `port=$(sed -n 's/^ctrl_tcp_listen .*://p' "$2/config")
if grep -q "$(printf ':%04X ' "$port")" /proc/net/tcp; then echo kept; else echo free; fi >> '${seen}'`,
    );
    const { id } = await aTaskThatCalls(['486'], { callSettings: { message: 'hello.wav' } });
    const dialer = startDialer(path);
    await ended(id);
    dialer.kill();
    expect(await endOf(dialer)).toBe(0);
    expect(await readFile(seen, 'utf8')).toBe('kept\n');
  });

  it('hangs up when the phone rings for too long', async () => {
    const { id } = await aTaskThatCalls([ending.rings], { callSettings: { message: 'hello.wav' } });
    const dialer = startDialer({ RING_SECONDS: '1' });
    await ended(id);
    dialer.kill();
    expect(await endOf(dialer)).toBe(0);
    expect((await callsOf(id))[ending.rings]).toMatchObject({ outcome: 'noAnswer', reason: 'noAnswer' });
  });

  it('blames the trunk when it gives up without a sign of the phone', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const { id } = await aTaskThatCalls([ending.rings], { callSettings: { message: 'hello.wav' } });
    const dialer = startDialer({ SIP_TRUNK: `127.0.0.1:${silent.address().port}`, RING_SECONDS: '1' });
    await ended(id);
    // Not awaited: baresip waits half a minute for the trunk.
    dialer.kill('SIGKILL');
    silent.close();
    expect((await callsOf(id))[ending.rings]).toMatchObject({ outcome: 'failed', reason: 'networkError' });
  });

  /** A call to a phone that rings until the caller gives up. */
  const aRingingPhone = async () => {
    const before = (await trunk.calls()).length;
    const { id } = await aTaskThatCalls([ending.rings], { callSettings: { message: 'hello.wav' } });
    const rings = () => expect.poll(async () => (await trunk.calls()).length).toBe(before + 1);
    return { id, rings };
  };

  it('hangs up when it is killed', async () => {
    const pids = join(folder, 'pids');
    const { id, rings } = await aRingingPhone();
    const dialer = startDialer(await withWordsBefore('pid-writers', `echo $$ >> '${pids}'`));
    await rings();
    const pid = Number(await readFile(pids, 'utf8'));
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect(isAlive()).toBe(true);
    dialer.kill('SIGKILL');
    await expect.poll(isAlive).toBe(false);
    succeeded(await dialing.operate('stop', id));
  });

  it('gives its calls back at a second signal', async () => {
    const { id, rings } = await aRingingPhone();
    const dialer = startDialer();
    await rings();
    dialer.kill('SIGINT');
    await expect.poll(() => said.join('')).toContain('The calls finish');
    dialer.kill('SIGINT');
    await endOf(dialer);
    const { contacts } = succeeded(await api.get(`/api/task/${id}/overview`));
    expect(contacts).toMatchObject({ inCall: 0, notDialed: 1 });
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 0 });
    succeeded(await dialing.operate('stop', id));
  });

  it('plays the message of the task from the number of the task, and finishes its calls when it is stopped', async () => {
    await writeFile(join(folder, 'spring.wav'), steadySound(4000, 1));
    await writeFile(join(folder, 'autumn.wav'), steadySound(-4000, 2));
    const spring = await aTaskThatCalls([ending.answers], {
      callSettings: { message: 'spring.wav' },
      callerNumbers: ['+4930111111'],
    });
    const autumn = await aTaskThatCalls([ending.answers], {
      callSettings: { message: 'autumn.wav' },
      callerNumbers: ['+4930222222'],
    });
    const dialer = startDialer();
    const number = numberThat(ending.answers);
    const expected = [`${number} from +4930111111`, `${number} from +4930222222`];
    await expect.poll(() => trunk.calls()).toEqual(expect.arrayContaining(expected));
    dialer.kill();
    expect(await endOf(dialer)).toBe(0);
    const springCall = (await callsOf(spring.id))[ending.answers]!;
    const autumnCall = (await callsOf(autumn.id))[ending.answers]!;
    expect([springCall.outcome, autumnCall.outcome]).toEqual(['success', 'success']);
    // A call lasts as long as its message: nothing of it was played before the answer.
    expect(springCall.duration).toBeGreaterThan(1 * 0.9);
    expect(autumnCall.duration).toBeGreaterThan(2 * 0.9);
    const [high, low] = [0xaf, 0x2f];
    expect(trunk.heard(high)).toBeGreaterThan(50 * 0.8);
    expect(trunk.heard(low)).toBeGreaterThan(100 * 0.8);
  });

  it('reports when it dialed, from which number, and the Call-ID', async () => {
    const begun = api.timeIn(Date.now());
    const { id } = await aTaskThatCalls(['486', ending.hangsUp], { callSettings: { message: 'hello.wav' } });
    const dialer = startDialer({ CALLER_NUMBER: '+4930333333' });
    await ended(id);
    dialer.kill();
    expect(await endOf(dialer)).toBe(0);
    const { rows } = succeeded(await api.get(`/api/task/${id}/calls`));
    expect(rows).toHaveLength(2);
    const callIds = await trunk.callIds();
    for (const { startTime, endTime, callerNumber, providerCallId } of rows as Record<string, string>[]) {
      expect(callerNumber).toBe('+4930333333');
      expect(callIds).toContain(providerCallId);
      expect([begun, startTime, endTime].sort()).toEqual([begun, startTime, endTime]);
    }
  });

  it('logs in at the trunk', async () => {
    const { id } = await aTaskThatCalls([ending.asksForPassword], { callSettings: { message: 'hello.wav' } });
    const dialer = startDialer({ SIP_USER: login.user, SIP_PASSWORD: login.password });
    await ended(id);
    dialer.kill();
    await endOf(dialer);
    expect((await callsOf(id))[ending.asksForPassword]).toMatchObject({
      outcome: 'noAnswer',
      reason: 'busy',
    });
    expect(await trunk.calls()).toContain(`${numberThat(ending.asksForPassword)} from ${login.user}`);
    // The name of an account is no phone number.
    const { rows } = succeeded(await api.get(`/api/task/${id}/calls`));
    expect(rows).toMatchObject([{ callerNumber: null }]);
  });

  it('gives its call back and stops when the trunk refuses the password', async () => {
    const { id } = await aTaskThatCalls([ending.asksForPassword], { callSettings: { message: 'hello.wav' } });
    const dialer = startDialer({ SIP_USER: login.user, SIP_PASSWORD: 'wrong' });
    expect(await endOf(dialer)).toBe(1);
    expect(await dialing.statistics(id)).toMatchObject({ status: 1, callCount: 0 });
    expect((await callsOf(id))[ending.asksForPassword]).toEqual({});
    succeeded(await dialing.operate('stop', id));
  });

  it('makes no call for a task whose message it cannot play', async () => {
    await writeFile(join(folder, 'broken.wav'), 'RIFF');
    const before = await trunk.calls();
    const tasks = [];
    for (const message of ['broken.wav', 'missing.wav', '../hello.wav']) {
      tasks.push(await aTaskThatCalls([ending.answers], { callSettings: { message } }));
    }
    const dialer = startDialer();
    await expect.poll(() => said.join('').match(/not called/g)).toHaveLength(tasks.length);
    dialer.kill();
    expect(await endOf(dialer)).toBe(0);
    for (const { id } of tasks) expect(await dialing.statistics(id)).toMatchObject({ callCount: 0 });
    expect(await trunk.calls()).toEqual(before);
  });
});
