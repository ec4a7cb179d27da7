import { expect, it, onTestFinished } from 'vitest';
import { appendEvents } from '../../../functions/events/append-events.ts';
import { deliverEvents } from '../../../functions/events/deliver-events.ts';
import { updateWebhook } from '../../../functions/webhook/update.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../../../shared/app/runtime/webhooks.ts';
import { Deliverer } from '../../../shared/events/deliverer.ts';
import { WaitingDeliveries } from '../../../shared/events/deliveries.ts';
import type { Receivers } from '../../../shared/events/receiver.ts';
import { updateWebhook as updateRoute } from '../../../shared/events/routes/webhooks.ts';
import type { Answer } from '../../../shared/events/rules/progress.ts';
import type { ServiceEvent } from '../../../shared/events/rules/service-event.ts';
import { createWebhook } from '../../../shared/events/rules/webhook.ts';
import type { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { Lost } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { ClaimAttributes } from '../../../shared/platform/table/optimistic.ts';
import { proxyEvent } from '../../support/aws/proxy-event.ts';
import { hour, minute, newId, second, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';

const ok: Answer = { status: 200, ms: 1 };
const failed: Answer = { status: 500, ms: 1 };
const eventOf = (at: number, data = {}): ServiceEvent => ({
  ...{ id: `event-${at}`, type: 'task.deleted', data },
  time: new Date(start).toISOString(),
});
const eventsOf = (count: number) => Array.from({ length: count }, (_, at) => eventOf(at));
const settings = { url: 'https://example.com', taskIds: [], expandCall: false, description: '' };
const begin = { page: 0, index: 0, time: start };

/** A service whose clock and receiver the test moves, with one webhook. */
const opened = async (given: Partial<Parameters<typeof createWebhook>[0]> = {}) => {
  const { database, close } = await engines[0]!.open();
  onTestFinished(close);
  const clock = { now: start };
  const stores = withWebhooks(createRuntime({ ...serviceSettings({}), now: () => clock.now }, database));
  const woken: [id: string, delay: number][] = [];
  const wake = async (ids: readonly string[], delay = 0) =>
    void woken.push(...ids.map((id) => [id, delay] as [string, number]));
  const runtime = { ...stores, wakes: { wake } };
  const id = newId();
  await stores.webhooks.add(createWebhook({ ...settings, ...given }, id, 'whsec_', start), begin);
  const sent: string[] = [];
  const receiver = { answer: async (_id: string): Promise<Answer> => ok };
  const post: Receivers['post'] = async (_url, headers) => {
    sent.push(String(headers['webhook-id']));
    if (sent.length > 100) throw new Error('the same events are sent again and again');
    return receiver.answer(sent.at(-1)!);
  };
  const deliverer = new Deliverer({ ...runtime, receivers: { post } });
  const run = (takesOver = false) => deliverer.run(id, { isTimeUp: () => false, takesOver });
  const taken = () => sent.splice(0).toSorted();
  return { ...runtime, id, clock, woken, receiver, run, taken };
};

it('sends single events again, each until it arrives, and only events of the webhook', async () => {
  const { id, clock, receiver, run, taken, ...service } = await opened({ types: ['task.deleted'] });
  const { eventList, resends } = service;
  const other = { ...eventOf(9), type: 'call.ended' } as const;
  await eventList.append([eventOf(0), eventOf(1), other], start);
  await resends.ask(id, { kind: 'test' }, start);
  await run();
  const [test, ...events] = taken().reverse();
  expect(events).toEqual(['event-1', 'event-0']);
  const ask = (ids: string[]) => resends.ask(id, { kind: 'events', ids }, clock.now);
  await expect(ask([test!])).rejects.toThrow(/is not among the last events/);
  await expect(ask([other.id])).rejects.toThrow(/does not get the event/);
  // The last one is listed and was not sent yet.
  await eventList.append([eventOf(2)], start);
  receiver.answer = async () => failed;
  await ask(['event-0', 'event-2']);
  await run();
  expect(taken()).toEqual(['event-0', 'event-2', 'event-2']);
  receiver.answer = async () => ok;
  clock.now += minute;
  await run();
  expect(taken()).toEqual(['event-0', 'event-2', 'event-2']);
  clock.now += hour;
  await run();
  expect(taken()).toEqual([]);
});

it('sends a stretch again with the events that were listed late', async () => {
  const { id, clock, run, taken, eventList, resends } = await opened();
  clock.now += 2 * hour;
  // More than one step sends, and the last one is listed after the others were.
  await eventList.append(eventsOf(70), clock.now);
  await eventList.append([eventOf(70)], clock.now + hour);
  clock.now += 2 * hour;
  for (let step = 0; step < 2; step++) await run();
  expect(taken()).toHaveLength(71);
  await resends.ask(id, { kind: 'stretch', from: start, to: start + minute }, clock.now);
  for (let step = 0; step < 2; step++) await run();
  expect(taken()).toEqual(
    eventsOf(71)
      .map((event) => event.id)
      .toSorted(),
  );
});

it('lets no other run send as long as it is at work, unless the other is alone', async () => {
  const { eventList, receiver, run, taken, woken, clock } = await opened();
  await eventList.append(eventsOf(40), start);
  receiver.answer = async () => {
    clock.now += second;
    await run();
    return ok;
  };
  await run();
  expect(taken()).toEqual(
    eventsOf(40)
      .map(({ id }) => id)
      .toSorted(),
  );
  await eventList.append([eventOf(41)], start);
  let reached = () => {};
  const isAsked = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let answerLate = (_answer: Answer) => {};
  receiver.answer = () => {
    reached();
    return new Promise((resolve) => {
      answerLate = resolve;
    });
  };
  const overtaken = run();
  await isAsked;
  receiver.answer = async () => ok;
  await run();
  expect(taken()).toEqual(['event-41']);
  await run(true);
  expect(taken()).toEqual(['event-41']);
  answerLate(failed);
  await overtaken;
  expect([taken(), woken]).toEqual([[], []]);
});

it('sends at most 32 events at the same time', async () => {
  const { eventList, receiver, run } = await opened();
  await eventList.append(eventsOf(90), start);
  let [now, most] = [0, 0];
  receiver.answer = async () => {
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    now--;
    return ok;
  };
  await run();
  expect(most).toBe(32);
});

it.each([
  [10 * minute, 1],
  [16 * minute, 0],
])('asks for the run in which the next attempt is due, unless it is off: after %i ms', async (ms, wakes) => {
  const { id, eventList, webhooks, receiver, run, taken, woken, clock } = await opened();
  receiver.answer = async () => failed;
  await eventList.append([eventOf(0)], start);
  await run();
  const [[, delay]] = woken.splice(0) as [[string, number]];
  expect(delay).toBeGreaterThanOrEqual(5 * second);
  expect(delay).toBeLessThanOrEqual(5.5 * second);
  receiver.answer = async () => ({ ...failed, retryAfterMs: ms });
  await eventList.append(eventsOf(6).slice(1), start);
  await run();
  // Later runs are left to the schedule.
  expect(woken.splice(0)).toEqual([[id, ms]].slice(0, wakes));
  taken();
  // Without a new event, one that waits is tried.
  clock.now += ms;
  receiver.answer = async () => ok;
  await run();
  expect(taken()).toEqual(['event-0']);
  woken.splice(0);
  await webhooks.change(id, { enabled: false }, start);
  await run();
  expect(woken).toEqual([]);
});

it('leaves an attempt that the index still lists, and looks again a second later', async () => {
  const service = await opened();
  const { id, agenda, woken, resends } = service;
  await resends.ask(id, { kind: 'test' }, start);
  const [listed] = await agenda.due({ kind: 'delivery', group: id }, start, 1);
  await agenda.reschedule(listed!, start + hour, { event: '{}', attempt: 2 });
  const lagging = { due: async () => [listed], findAll: agenda.findAll.bind(agenda), listed: async () => [] };
  const waiting = new WaitingDeliveries(lagging as unknown as Agenda);
  const post = () => expect.fail('not due');
  await new Deliverer({ ...service, waiting, receivers: { post } }).run(id, { isTimeUp: () => false });
  expect(woken).toEqual([[id, second]]);
});

it('releases its claim when it fails, so that the next run goes on', async () => {
  const { eventList, receiver, run, taken } = await opened();
  await eventList.append([eventOf(0)], start);
  receiver.answer = () => Promise.reject(new Error('out of memory'));
  await expect(run()).rejects.toThrow('out of memory');
  receiver.answer = async () => ok;
  await run();
  expect(taken()).toEqual(['event-0', 'event-0']);
});

it('claims a webhook with a process of release 0.4 beside it, which reads the progress and then puts it', async () => {
  const { id, claims, database } = await opened();
  const key = keys.deliveryProgress(id);
  const claimAs04 = async (between = async () => {}) => {
    const read = (await database.get(key))!;
    await between();
    const isUnchanged = new ClaimAttributes('v', 'until').ifOwnedBy(read.v as number);
    await database.put({ ...read, until: start + minute, v: 1 }, isUnchanged);
  };
  await claimAs04();
  expect(await claims.claim(id, start, start + 1, false)).toBeUndefined();
  const late = start + minute;
  const claim = await claims.claim(id, late, late + minute, false);
  expect(await claims.save(claim!, late)).toMatchObject({ webhookId: id });
  const overtaking = async () => void (await claims.claim(id, late, late + minute, false));
  await expect(claimAs04(overtaking)).rejects.toThrow(Lost);
  await claims.claim(id, late, late, true);
  const ours = (await claims.claim(id, late, late, false))!;
  await claimAs04();
  expect(await claims.save(ours, late)).toBeUndefined();
});

it('is not switched off by an answer that a change or a deletion has overtaken, and a deletion is no error', async () => {
  const { id, webhooks, eventList, receiver, run, taken } = await opened();
  const gone: Answer = { status: 410, ms: 1 };
  await eventList.append([eventOf(0)], start);
  receiver.answer = async () => {
    await webhooks.change(id, { url: 'https://elsewhere.example.com' }, start);
    return gone;
  };
  await run();
  expect(await webhooks.find(id)).toMatchObject({ enabled: true, url: 'https://elsewhere.example.com' });
  await eventList.append([eventOf(1)], start);
  receiver.answer = async () => {
    await webhooks.delete(id);
    return gone;
  };
  taken();
  await run();
  expect(await webhooks.findIfAny(id)).toBeUndefined();
  await run();
  expect(taken()).toEqual(['event-1']);
});

it('wakes the enabled webhooks that get one of the events, after the events are listed', async () => {
  const { id, webhooks, woken, ...runtime } = await opened({ taskIds: ['mine'] });
  const add = (given: object) => {
    const other = newId();
    return webhooks.add(createWebhook({ ...settings, ...given }, other, 'whsec_', start + 1), begin);
  };
  const off = await add({});
  await webhooks.change(off.id, { enabled: false }, start);
  await add({ taskIds: ['other'] });
  expect((await webhooks.all()).at(-1)?.id, 'the newest first').toBe(id);
  const deletionOf = (taskId: string) => {
    const { pk, sk } = keys.task(taskId);
    return {
      dynamodb: { OldImage: { pk: { S: pk }, sk: { S: sk }, id: { S: taskId }, status: { N: '0' } } },
    };
  };
  let listed = 0;
  const wake = async (ids: readonly string[]) => {
    listed = (await runtime.eventList.end()).sheetIndex ?? 0;
    await runtime.wakes.wake(ids);
  };
  const Records = ['mine', 'of no webhook'].map(deletionOf);
  await appendEvents({ ...runtime, webhooks, wakes: { wake } })({ Records });
  expect([woken, listed]).toEqual([[[id, 0]], 2]);
});

it('is woken by a change, which may have switched it on', async () => {
  const { id, woken, ...runtime } = await opened();
  const event = proxyEvent(updateRoute, { body: { id, description: 'x' } });
  const headers = { 'Content-Type': 'application/json' };
  await updateWebhook(runtime)({ ...event, headers, multiValueHeaders: {} }, {} as never);
  expect(woken).toEqual([[id, 0]]);
});

it('delivers to each webhook that its messages name, and stops while a step may still end in time', async () => {
  const runs: [string, boolean, boolean | undefined][] = [];
  let left = 40 * second;
  const deliverer = {
    run: async (id: string, run: { isTimeUp: () => boolean; takesOver?: boolean }) => {
      runs.push([id, run.isTimeUp(), run.takesOver]);
      left--;
    },
  };
  const Records = ['a', 'b'].map((webhookId) => ({ body: JSON.stringify({ webhookId }) }));
  const context = { getRemainingTimeInMillis: () => left };
  await deliverEvents({ deliverer } as never)({ Records } as never, context, true);
  expect(runs).toEqual([
    ['a', false, true],
    ['b', true, true],
  ]);
});

it('is deleted once with its progress, wherever one deletion overtakes another', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const { webhooks, claims } = withWebhooks(createRuntime(serviceSettings({}), table.database));
    const [id, other] = [newId(), newId()];
    for (const each of [id, other]) await webhooks.add(createWebhook(settings, each, 'whsec_', start), begin);
    overtake(() => webhooks.delete(id));
    await withWebhooks(createRuntime(serviceSettings({}), slow))
      .webhooks.delete(id)
      .catch(({ code }) => expect(code).toBe('notFound'));
    expect((await table.database.get(keys.webhookCount))?.v).toBe(1);
    expect([...(await claims.all()).keys()]).toEqual([other]);
  });
});
