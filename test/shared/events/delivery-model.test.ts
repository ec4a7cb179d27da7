import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, expect, it, vi } from 'vitest';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../../../shared/app/runtime/webhooks.ts';
import { Deliverer } from '../../../shared/events/deliverer.ts';
import { newSecret, type Receivers } from '../../../shared/events/receiver.ts';
import type { Answer } from '../../../shared/events/rules/progress.ts';
import type { ServiceEvent } from '../../../shared/events/rules/service-event.ts';
import { createWebhook } from '../../../shared/events/rules/webhook.ts';
import { watchDeliveries } from '../../../shared/events/wakes.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { dayMs, hourMs, type Instant, minuteMs, secondMs } from '../../../shared/platform/time/time.ts';
import { engines } from '../../support/engines/engines.ts';
import { sizeOf } from '../../support/run/extent.ts';

afterEach(() => vi.restoreAllMocks());

const fixedRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

const start = Date.UTC(2026, 4, 4);
const eventCount = sizeOf(5000, 20_000);
const batch = 100;
/** Events come in for four days. */
const betweenBatches = Math.floor((4 * dayMs) / (eventCount / batch));
const end = start + 12 * dayMs;
const watchEvery = hourMs;
const delays = [
  ...[5 * secondMs, 5 * minuteMs, 30 * minuteMs],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];

type Asked = { id: string; now: Instant; tries: number };
type Reply = Answer | 'dies';
const ok: Answer = { status: 200, ms: 5 };
const [failed, hung, closed, redirected, gone, busy]: Answer[] = [
  { status: 500, ms: 5 },
  { failure: 'timeout', ms: 15_000 },
  { failure: 'connection', ms: 1 },
  { status: 302, ms: 5 },
  { status: 410, ms: 5 },
  { status: 429, retryAfterMs: 2 * hourMs, ms: 5 },
] as [Answer, Answer, Answer, Answer, Answer, Answer];

const random = fixedRandom(41);
const isPoison = (id: string) => Number(id.split('-')[1]) % 97 === 0;

/** How the receiver of each webhook behaves. The process dies while some of them answer. */
const receivers: Record<string, (asked: Asked) => Reply> = {
  good: () => ok,
  moody: () => [ok, ok, ok, failed, hung, closed, redirected][Math.floor(random() * 7)]!,
  poisoned: ({ id }) => (isPoison(id) ? failed! : ok),
  busy: ({ tries }) => (tries === 0 && random() < 0.2 ? busy! : ok),
  'back after three days': ({ now }) => (now > start + dayMs && now < start + 4 * dayMs ? closed! : ok),
  'gone for a day': ({ now }) => (now > start + 2 * dayMs && now < start + 3 * dayMs ? gone! : ok),
  'hung for good': () => hung!,
  'of a process that dies': () => (random() < 0.01 ? 'dies' : ok),
};
const names = Object.keys(receivers);

type Request = { name: string; id: string; time: Instant; reply: Reply };

it(`delivers ${eventCount} events to every kind of receiver, or gives them up after ten attempts`, async () => {
  const table = await engines[0]!.open();
  vi.spyOn(Math, 'random').mockImplementation(fixedRandom(7));
  let now = start;
  const requests: Request[] = [];
  const wakes: { id: string; due: Instant }[] = [];
  let die = () => {};
  const stores = withWebhooks(createRuntime({ ...serviceSettings({}), now: () => now }, table.database));
  const runtime = {
    ...stores,
    wakes: {
      wake: async (ids: readonly string[], delayMs = 0) => {
        wakes.push(...ids.map((id) => ({ id, due: now + delayMs })));
      },
    },
  };
  const secret = newSecret();
  const triesOf = new Map<string, number>();
  let signatures = 0;
  const post: Receivers['post'] = async (url, headers, body) => {
    const name = decodeURIComponent(new URL(url).pathname.slice(1));
    const id = String(headers['webhook-id']);
    const tries = triesOf.get(id) ?? 0;
    triesOf.set(id, tries + 1);
    if (requests.length % 50 === 0) {
      const time = new Date(Number(headers['webhook-timestamp']) * secondMs);
      expect(headers['webhook-signature']).toBe(new Verifier(secret).sign(id, time, body));
      signatures++;
    }
    const reply = receivers[name]!({ id, now, tries });
    requests.push({ name, id, time: now, reply });
    if (reply !== 'dies') return reply;
    die();
    return new Promise(() => {});
  };
  const deliverer = new Deliverer({ ...runtime, receivers: { post } });
  const run = (id: string) => {
    const died = new Promise<void>((resolve) => {
      die = resolve;
    });
    return Promise.race([deliverer.run(id, { isTimeUp: () => false }), died]);
  };

  const idOf = new Map<string, string>();
  for (const [at, name] of names.entries()) {
    const id = `${at}`.padEnd(16, '0');
    idOf.set(name, id);
    const settings = {
      ...{ url: `https://receiver.example.com/${encodeURIComponent(name)}`, taskIds: [name] },
      ...{ expandCall: false, description: '' },
    };
    await runtime.webhooks.add(createWebhook(settings, id, secret, now), { page: 0, index: 0, time: now });
  }

  let [listed, runs] = [0, 0];
  let [nextBatch, nextWatch, isResumed] = [start, start, false];
  const nameAt = (at: number) => names[at % names.length]!;
  const timeOf = new Map<string, Instant>();
  /** Some are listed hours after they happened. */
  const eventAt = (at: number): ServiceEvent => {
    const [id, time] = [`event-${at}`, now - (at % 5) * hourMs];
    timeOf.set(id, time);
    return { id, type: 'task.deleted', time: new Date(time).toISOString(), data: { taskId: nameAt(at) } };
  };
  while (now < end) {
    const isListing = listed < eventCount;
    now = Math.max(now, Math.min(nextWatch, isListing ? nextBatch : end, ...wakes.map(({ due }) => due)));
    if (isListing && now >= nextBatch) {
      const events = Array.from({ length: batch }, (_, i) => eventAt(listed + i));
      await runtime.eventList.append(events, now);
      listed += batch;
      nextBatch += betweenBatches;
      await runtime.wakes.wake([...idOf.values()]);
    }
    if (now >= nextWatch) {
      await watchDeliveries(runtime);
      nextWatch += watchEvery;
    }
    if (!isResumed && now > start + 3.5 * dayMs) {
      const id = idOf.get('gone for a day')!;
      expect(await runtime.webhooks.find(id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
      await runtime.webhooks.change(id, { enabled: true }, now);
      isResumed = true;
    }
    const due = wakes.filter((wake) => wake.due <= now);
    wakes.splice(0, wakes.length, ...wakes.filter((wake) => wake.due > now));
    runs += due.length;
    for (const { id } of due) await run(id);
  }

  const all = Array.from({ length: eventCount }, (_, at) => ({ id: `event-${at}`, name: nameAt(at) }));
  const requestsOf = new Map<string, Request[]>();
  for (const request of requests)
    requestsOf.set(request.id, [...(requestsOf.get(request.id) ?? []), request]);
  const isAccepted = ({ reply }: Request) => reply !== 'dies' && 'status' in reply && reply.status === 200;
  const missing = all.filter(({ id }) => !(requestsOf.get(id) ?? []).some(isAccepted));
  const standings = new Map(
    (await runtime.webhookReader.all(now)).map((standing) => [standing.webhook.id, standing]),
  );
  const standingOf = (name: string) => standings.get(idOf.get(name)!)!;

  for (const name of names.filter((each) => each !== 'hung for good')) {
    const { progress, waitingCount, webhook } = standingOf(name);
    const lost = missing.filter((each) => each.name === name);
    expect([name, waitingCount, webhook.enabled]).toEqual([name, 0, true]);
    expect([name, progress.failedCount]).toEqual([name, lost.length]);
    for (const { id } of lost) expect(requestsOf.get(id)).toHaveLength(10);
    const attempts = requests.filter((request) => request.name === name && request.reply !== 'dies').length;
    if (name !== 'of a process that dies') expect([name, progress.attemptCount]).toEqual([name, attempts]);
  }
  expect(missing.filter(({ name }) => name === 'poisoned').map(({ id }) => id)).toEqual(
    all.filter(({ id, name }) => name === 'poisoned' && isPoison(id)).map(({ id }) => id),
  );
  for (const name of ['good', 'busy', 'back after three days', 'gone for a day', 'of a process that dies'])
    expect([name, missing.filter((each) => each.name === name)]).toEqual([name, []]);

  const hungOne = standingOf('hung for good');
  expect(hungOne.webhook).toMatchObject({ enabled: false, disabledReason: 'failing' });
  const knocks = requests.filter(({ name }) => name === 'hung for good');
  const lastKnock = Math.max(...knocks.map(({ time }) => time));
  expect(lastKnock).toBeGreaterThanOrEqual(start + 5 * dayMs);
  expect(lastKnock).toBeLessThanOrEqual(start + 6.2 * dayMs);
  // Of a long list only the next 500 KB are counted.
  expect(hungOne.waitingCount).toBeGreaterThan(5000 / names.length / 2);
  // A receiver that is down costs little.
  expect(knocks.length).toBeLessThan(200);
  const whileDown = requests.filter(
    ({ name, reply }) => name === 'back after three days' && reply === closed,
  );
  expect(whileDown.length).toBeLessThan(200);

  for (const [id, ofEvent] of requestsOf) {
    const { name } = ofEvent[0]!;
    if (name === 'of a process that dies') continue;
    expect(ofEvent.length, `${name} ${id}`).toBeLessThanOrEqual(10);
    expect(ofEvent.filter(isAccepted).length, `${name} ${id}`).toBeLessThanOrEqual(1);
    for (const [at, { time, reply }] of ofEvent.entries()) {
      const next = ofEvent[at + 1];
      if (next === undefined) continue;
      const delay = Math.max(delays[at]!, reply === busy ? 2 * hourMs : 0);
      const isResend = name === 'gone for a day';
      expect(next.time - time, `${name} ${id} after attempt ${at + 1}`).toBeGreaterThanOrEqual(delay);
      if (name !== 'poisoned' && name !== 'busy' && !isResend) continue;
      if (!isResend) expect(next.time - time).toBeLessThanOrEqual(1.1 * delay + watchEvery + minuteMs);
    }
  }
  // What was under way when the process died is sent again: at most one step.
  const deaths = requests.filter(({ reply }) => reply === 'dies').length;
  const accepted = requests.filter(({ name }) => name === 'of a process that dies').filter(isAccepted).length;
  const own = all.filter(({ name }) => name === 'of a process that dies').length;
  expect(deaths).toBeGreaterThan(3);
  expect(accepted - own).toBeLessThanOrEqual(deaths * 16);
  expect(signatures).toBeGreaterThan(eventCount / 100);
  // No webhook is woken for nothing, also none that is held or switched off.
  expect(runs).toBeLessThan(requests.length);

  const [good, before] = [idOf.get('good')!, requests.length];
  const [from, to] = [start + dayMs, start + 2 * dayMs];
  await runtime.resends.ask(good, { kind: 'stretch', from, to }, now);
  await deliverer.run(good, { isTimeUp: () => true });
  expect(wakes, 'a run whose time is up asks for the next one').toContainEqual({ id: good, due: now });
  await run(good);
  const again = requests.slice(before).map(({ id }) => id);
  const within = all.filter(({ id }) => timeOf.get(id)! >= from && timeOf.get(id)! < to);
  expect(again).toEqual(within.filter(({ name }) => name === 'good').map(({ id }) => id));
  const twice = { ...eventAt(eventCount), data: { taskId: 'good' } };
  await runtime.eventList.append([twice, twice], now);
  await run(good);
  expect(requests.filter(({ id }) => id === twice.id)).toHaveLength(1);
  await table.close();
});
