import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFront } from '../support/aws/front.ts';
import { openStandIn } from '../support/aws/http-stand-in.ts';
import { DialingApi } from '../support/dialing/dialing-api.ts';
import type { Row } from '../support/service/answers.ts';
import { type Api, accessToken, startApi, succeeded } from '../support/service/api.ts';

const example = fileURLToPath(new URL('../../docs/examples/voice-agent.mjs', import.meta.url));
const secret = 'a-secret-path';
const startPath = { vapi: '/call', retell: '/v2/create-phone-call' };
const callPath = { vapi: '/call/', retell: '/v2/get-call/' };
type Platform = keyof typeof startPath;

/** What a platform says about a call, in its own words. */
type Told = { cause: string; talkSeconds?: number; summary?: string; data?: object };
const begun = Date.UTC(2026, 0, 5, 10);

const wordsOf: Record<Platform, (id: string, told: Told | undefined) => object> = {
  vapi: (id, told) => ({
    id,
    status: told ? 'ended' : 'in-progress',
    ...(told && { endedReason: told.cause, artifact: { recordingUrl: `https://records.example/${id}.wav` } }),
    ...(told?.talkSeconds && {
      startedAt: new Date(begun).toISOString(),
      endedAt: new Date(begun + told.talkSeconds * 1000).toISOString(),
    }),
    ...(told?.summary && { analysis: { summary: told.summary, structuredData: told.data } }),
  }),
  retell: (id, told) => ({
    call_id: id,
    call_status: told ? 'ended' : 'ongoing',
    ...(told && { disconnection_reason: told.cause, recording_url: `https://records.example/${id}.wav` }),
    ...(told?.talkSeconds && {
      start_timestamp: begun,
      end_timestamp: begun + told.talkSeconds * 1000,
    }),
    ...(told?.summary && {
      call_analysis: { call_summary: told.summary, custom_analysis_data: told.data },
    }),
  }),
};

const webhookOf: Record<Platform, (id: string) => object> = {
  vapi: (id) => ({ message: { type: 'end-of-call-report', call: { id } } }),
  retell: (id) => ({ event: 'call_ended', call: { call_id: id } }),
};

describe('the voice agent of the documentation', () => {
  let api: Api;
  let dialing: DialingApi;
  const agents: ChildProcess[] = [];
  beforeEach(async () => {
    api = await startApi();
    dialing = new DialingApi(api);
  });
  // Each test has its own service: the last lease request of a killed agent could take the contacts
  // of the next test.
  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.kill('SIGKILL');
    await api.stop();
  });

  /** A platform whose calls end when the test says so, and the agent that calls by it. */
  const anAgent = async (platform: Platform, askSeconds: string) => {
    const told = new Map<string, Told>();
    let started = 0;
    const standIn = await openStandIn(({ method, path }) => {
      if (method === 'POST' && path === startPath[platform])
        return { status: 201, body: wordsOf[platform](`p${++started}`, undefined) };
      const id = path.slice(callPath[platform].length);
      return { body: wordsOf[platform](id, told.get(id)) };
    });
    const front = await openFront(() => {});
    await front.close();
    const agent = spawn(process.execPath, [example], {
      env: {
        ...{ PATH: process.env.PATH, BASE_URL: api.url, TOKEN: accessToken },
        ...{ PLATFORM: platform, PLATFORM_URL: standIn.client.endpoint, PLATFORM_KEY: 'a-key' },
        ...{ WEBHOOK_SECRET: secret, PORT: new URL(front.url).port, ASK_SECONDS: askSeconds },
        CALLER_NUMBER: '+49301110000',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    agents.push(agent);
    const hook = (id: string, path = secret) =>
      fetch(`${front.url}/${path}`, { method: 'POST', body: JSON.stringify(webhookOf[platform](id)) });
    const starts = () =>
      standIn.requests.filter(({ path, method }) => method === 'POST' && path === startPath[platform]);
    return { agent, told, hook, starts, close: standIn.close };
  };

  const aTask = async (numbers: number, settings: Record<string, unknown> = {}) => {
    const aCustomer = (_: unknown, at: number) => ({
      ...{ phoneNumber: `+4930123400${at}`, customerName: `Customer ${at}`, plan: 'gold' },
    });
    return api.aTaskOf(Array.from({ length: numbers }, aCustomer), { maxDialCount: 1, ...settings });
  };

  const callsOf = async (id: unknown) => succeeded(await api.get(`/api/task/${id}/calls`)).rows as Row[];

  /** The calls after a webhook about the first one. */
  const callsAfter = async (hook: (id: string) => Promise<unknown>, id: unknown) => {
    await hook('p1');
    return callsOf(id);
  };

  it('has at most 150 lines', async () => {
    expect((await readFile(example, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('says which settings it needs', async () => {
    const agent = spawn(process.execPath, [example], { env: { PATH: process.env.PATH } });
    const words = (await agent.stderr.setEncoding('utf8').toArray()).join('');
    expect(words).toContain('WEBHOOK_SECRET');
    expect(agent.exitCode ?? (await once(agent, 'exit'))[0]).toBe(1);
  });

  it.each(['vapi', 'retell'] as const)(
    'starts a call with the columns and the assistant, and reports what the end-of-call report says (%s)',
    async (platform) => {
      const dispositions = [{ code: 'promised', then: 'final' }];
      const callSettings = { assistant: 'collector', phoneNumberId: 'n1', dispositions: 'promised, refused' };
      const { id } = await aTask(1, { callSettings, dispositions });
      // Only a webhook ends the wait.
      const { agent, told, hook, starts, close } = await anAgent(platform, '3600');
      await expect.poll(() => starts().length).toBe(1);
      const [{ body, headers } = { body: {}, headers: {} }] = starts();
      expect(headers).toMatchObject({ authorization: 'Bearer a-key' });
      const fields = { customerName: 'Customer 0', plan: 'gold' };
      expect(body).toMatchObject(
        platform === 'vapi'
          ? {
              ...{ assistantId: 'collector', phoneNumberId: 'n1', customer: { number: '+49301234000' } },
              assistantOverrides: { variableValues: fields },
            }
          : {
              ...{ override_agent_id: 'collector', to_number: '+49301234000', from_number: '+49301110000' },
              retell_llm_dynamic_variables: fields,
            },
      );
      const data = { disposition: 'promised', amount: 120, nested: { a: 1 } };
      told.set('p1', { cause: 'customer-ended-call', talkSeconds: 42.5, summary: 'Pays on Friday.', data });
      expect((await hook('p1', 'another-path')).status).toBe(404);
      // A webhook may come before the agent waits for it.
      await expect.poll(() => callsAfter(hook, id)).toHaveLength(1);
      expect(await callsOf(id)).toMatchObject([
        {
          ...{ outcome: 'success', reason: null, duration: 42.5, providerCallId: 'p1' },
          ...{ summary: 'Pays on Friday.', disposition: 'promised', data: { amount: 120 } },
          recordingUrl: 'https://records.example/p1.wav',
        },
      ]);
      await expect.poll(() => dialing.statusOf(id)).toBe(4);
      agent.kill();
      expect(agent.exitCode ?? (await once(agent, 'exit'))[0]).toBe(0);
      await close();
    },
  );

  it('adds an analysis that comes after the result', async () => {
    const { id } = await aTask(1);
    const { told, hook, starts, close } = await anAgent('retell', '3600');
    await expect.poll(() => starts().length).toBe(1);
    told.set('p1', { cause: 'agent_hangup', talkSeconds: 10 });
    await expect.poll(() => callsAfter(hook, id)).toHaveLength(1);
    expect(await callsOf(id)).toMatchObject([{ outcome: 'success', duration: 10, summary: null }]);
    told.set('p1', {
      cause: 'agent_hangup',
      talkSeconds: 10,
      summary: 'Asked for a letter.',
      data: { letter: true },
    });
    await expect
      .poll(() => callsAfter(hook, id))
      .toMatchObject([{ summary: 'Asked for a letter.', data: { letter: true } }]);
    await close();
  });

  it('finds out without a webhook, and tells why nobody was reached', async () => {
    const ends: Told[] = [
      { cause: 'dial_busy' },
      { cause: 'dial_no_answer' },
      { cause: 'voicemail_reached', talkSeconds: 8 },
      { cause: 'user_declined' },
      { cause: 'invalid_destination' },
      { cause: 'error_retell' },
      { cause: 'user_hangup', talkSeconds: 5 },
    ];
    const { id } = await aTask(ends.length);
    const { told, starts, close } = await anAgent('retell', '0.1');
    await expect.poll(() => starts().length).toBe(ends.length);
    for (const [at, end] of ends.entries()) told.set(`p${at + 1}`, end);
    await expect.poll(() => callsOf(id)).toHaveLength(ends.length);
    const results = (await callsOf(id)).map(({ providerCallId, outcome, reason, duration }) => [
      providerCallId,
      `${outcome} ${reason} ${duration}`,
    ]);
    expect(Object.fromEntries(results)).toEqual({
      p1: 'noAnswer busy 0',
      p2: 'noAnswer noAnswer 0',
      p3: 'noAnswer voicemail 0',
      p4: 'failed rejected 0',
      p5: 'failed invalidNumber 0',
      p6: 'failed networkError 0',
      p7: 'success null 5',
    });
    await close();
  });

  it('gives a call back that the platform does not start', async () => {
    const { id } = await aTask(1);
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const standIn = await openStandIn(() => {
      isAsked();
      return { status: 402, body: { error: 'no credit' } };
    });
    const agent = spawn(process.execPath, [example], {
      env: {
        ...{ PATH: process.env.PATH, BASE_URL: api.url, TOKEN: accessToken, PORT: '0' },
        ...{
          PLATFORM: 'vapi',
          PLATFORM_URL: standIn.client.endpoint,
          PLATFORM_KEY: 'k',
          WEBHOOK_SECRET: secret,
        },
      },
    });
    agents.push(agent);
    const said = agent.stdout.setEncoding('utf8').toArray();
    await Promise.race([asked, said]);
    // It ends when it has nothing left to do for its calls.
    agent.kill();
    expect((await said).join('')).toMatch(/not started: 402 .*no credit/);
    expect(agent.exitCode ?? (await once(agent, 'exit'))[0]).toBe(0);
    const overview = succeeded(await api.get(`/api/task/${id}/overview`));
    expect(overview).toMatchObject({ contacts: { inCall: 0, notDialed: 1 }, calls: { total: 0 } });
    await standIn.close();
  });
});
