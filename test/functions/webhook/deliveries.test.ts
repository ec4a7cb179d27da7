import { expect, it } from 'vitest';
import { dayMs, minuteMs, secondMs } from '../../../shared/platform/time/time.ts';
import { type Api, expectError, succeeded } from '../../support/service/api.ts';
import { pollUntil, readEvents, startEventService } from '../../support/service/event-service.ts';
import {
  type AttemptRow,
  addWebhook,
  aReceiver,
  attemptsOf,
  eventually,
  type Received,
  type WebhookRow,
  webhookRow,
} from '../../support/service/webhook-receiver.ts';

/** A service whose clock the test moves. */
const start = async () => {
  const clock = { ahead: 0 };
  const api = await startEventService({}, () => Date.now() + clock.ahead);
  return { api, clock };
};

const publishTasks = async (api: Api, count: number) => {
  const { id: dataSourceId } = await api.aDataSource();
  for (let i = 0; i < count; i++) {
    await api.aTaskIn(1, { dataSourceId });
  }
};

const arrived = async ({ received }: { received: Received[] }, count: number) => {
  await eventually(
    () => received.length,
    (length) => length >= count,
  );
  expect(received).toHaveLength(count);
  return received;
};
const rowOnce = (api: Api, id: string, isEnough: (row: WebhookRow) => boolean) =>
  eventually(() => webhookRow(api, id), isEnough);
const attemptsOnce = (api: Api, id: string, isEnough: (found: { rows: AttemptRow[] }) => boolean) =>
  eventually(() => attemptsOf(api, id), isEnough);

it('sends signed events of its types and tasks, and both secrets sign after a new one', async () => {
  const { api } = await start();
  const [receiver, other] = [await aReceiver(), await aReceiver()];
  const task = await api.aTask();
  const { id, secret } = await addWebhook(api, {
    url: receiver.url,
    types: ['task.state_changed'],
    taskIds: [task.id],
  });
  await addWebhook(api, { url: other.url });
  await api.aTaskIn(1);
  succeeded(await api.post('/api/task/publish', { id: task.id }));
  const [first] = await arrived(receiver, 1);
  expect(first).toMatchObject({
    type: 'task.state_changed',
    data: { taskId: task.id, previousStatus: 0, status: 1 },
  });
  const { events } = await readEvents(api, { taskId: task.id });
  expect([first!.id, first!.timestamp]).toEqual([events[0]?.id, events[0]?.time]);
  receiver.verify(first!, secret);
  const updated = succeeded(await api.post('/api/webhook/update', { id, newSecret: true }));
  succeeded(await api.post('/api/task/pause', { id: task.id }));
  const [, second] = await arrived(receiver, 2);
  receiver.verify(second!, secret);
  receiver.verify(second!, updated.secret as string);
  expect(() => receiver.verify(first!, updated.secret as string)).toThrow();
  await arrived(other, 3);
  expect(receiver.received).toHaveLength(2);
  // A delivery is stored after its receiver has answered.
  const row = await rowOnce(api, id, ({ waitingCount }) => waitingCount === 0);
  expect(row).toMatchObject({ state: 'ok', failedCount: 0 });
});

it('adds the call with its phone number, if it is asked for', async () => {
  const { api } = await start();
  const [receiver, plain] = [await aReceiver(), await aReceiver()];
  await addWebhook(api, { url: receiver.url, types: ['call.ended'], expandCall: true });
  await addWebhook(api, { url: plain.url, types: ['call.ended'] });
  await api.aTaskOf([{ phoneNumber: '13800138000' }], { maxDialCount: 1 });
  const { calls } = succeeded(await api.post('/api/dialer/lease', {}));
  const [{ callId }] = calls as unknown as [{ callId: string }];
  succeeded(await api.post('/api/dialer/result', { callId, outcome: 'success', duration: 20 }));
  const [event] = await arrived(receiver, 1);
  expect(event?.data).toMatchObject({ callId, call: { callId, phoneNumber: '13800138000', duration: 20 } });
  const [bare] = await arrived(plain, 1);
  expect(bare?.body).not.toContain('13800138000');
  expect(bare?.data.call).toBeUndefined();
});

it('tries an event that failed again by the schedule, while the others go on', async () => {
  const { api, clock } = await start();
  const receiver = await aReceiver();
  const { id } = await addWebhook(api, { url: receiver.url, types: ['task.state_changed'] });
  let refused = '';
  receiver.answer((event) => {
    refused ||= event.id;
    return event.id === refused ? { status: 500 } : { status: 204 };
  });
  await publishTasks(api, 3);
  await arrived(receiver, 3);
  // As the service has stored them: a clock that moves before that also moves the time of the next
  // attempt.
  const attemptsMade = async () =>
    (await attemptsOf(api, id)).rows.filter(({ eventId }) => eventId === refused).length;
  await eventually(attemptsMade, (made) => made === 1);
  for (const made of [2, 3, 4]) {
    clock.ahead += 33 * minuteMs;
    await eventually(attemptsMade, (count) => count === made);
  }
  expect((await webhookRow(api, id)).waitingCount).toBe(1);
  receiver.answer(() => ({ status: 200 }));
  clock.ahead += 133 * minuteMs;
  const { rows } = await attemptsOnce(
    api,
    id,
    ({ rows }) => rows[0]?.status === 'success' && rows[0].attempt === 5,
  );
  const ofRefused = rows.filter(({ eventId }) => eventId === refused).reverse();
  expect(ofRefused.map(({ attempt, httpStatus }) => [attempt, httpStatus])).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 500],
    [5, 200],
  ]);
  const waits = ofRefused
    .slice(0, 3)
    .map(({ time, nextAttemptTime }) => Date.parse(`${nextAttemptTime}`) - Date.parse(`${time}`));
  for (const [i, ms] of [5 * secondMs, 5 * minuteMs, 30 * minuteMs].entries()) {
    expect(waits[i]).toBeGreaterThanOrEqual(ms - secondMs);
    // Counted from the end of the attempt, which takes as long as the machine is busy.
    expect(waits[i]).toBeLessThanOrEqual(ms * 1.1 + minuteMs);
  }
  const row = await rowOnce(api, id, ({ waitingCount }) => waitingCount === 0);
  expect(row).toMatchObject({ state: 'ok', failedCount: 0 });
  const failed = await attemptsOf(api, id, { status: 'failed', pageSize: '3' });
  expect(failed.rows).toHaveLength(3);
  const rest = await attemptsOf(api, id, {
    status: 'failed',
    pageSize: '3',
    pageToken: failed.nextPageToken!,
  });
  expect(rest.rows.map(({ attempt }) => attempt)).toEqual([1]);
  const ofOthers = { status: 'success', pageToken: failed.nextPageToken! };
  expectError(await api.get(`/api/webhook/${id}/deliveries`, ofOthers), 400, /pageToken/);
});

it('holds the events back while the receiver fails, and goes on when a test arrives', async () => {
  const { api } = await start();
  const receiver = await aReceiver();
  const { id } = await addWebhook(api, { url: receiver.url, types: ['task.state_changed'] });
  receiver.answer(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
  await publishTasks(api, 5);
  await rowOnce(api, id, ({ waitingCount }) => waitingCount === 5);
  await attemptsOnce(api, id, ({ rows }) => rows.length === 5);
  await publishTasks(api, 30);
  const held = await rowOnce(api, id, ({ waitingCount }) => waitingCount === 35);
  expect(held).toMatchObject({ state: 'failing', failedCount: 0, lastDeliveryTime: null });
  expect(receiver.received).toHaveLength(5);
  receiver.answer(() => ({ status: 200 }));
  succeeded(await api.post('/api/webhook/send', { id, test: true }));
  await arrived(receiver, 36);
  expect(receiver.received[5]).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
  // The five that failed wait for their own time.
  await rowOnce(api, id, ({ waitingCount, state }) => waitingCount === 5 && state === 'ok');
});

it('is switched off by the answer 410, and goes on where it stopped', async () => {
  const { api, clock } = await start();
  const [receiver, witness] = [await aReceiver(), await aReceiver()];
  const { id } = await addWebhook(api, { url: receiver.url });
  await addWebhook(api, { url: witness.url, types: ['webhook.disabled'] });
  receiver.answer(() => ({ status: 410 }));
  await publishTasks(api, 1);
  const [told] = await arrived(witness, 1);
  expect(told?.data).toEqual({ webhookId: id, reason: 'gone' });
  expect(await webhookRow(api, id)).toMatchObject({
    enabled: false,
    state: 'disabled',
    disabledReason: 'gone',
  });
  succeeded(await api.post('/api/webhook/update', { id, description: 'told once' }));
  const refused = await api.post('/api/webhook/send', { id, test: true });
  expectError(refused, 409, /switched off/);
  expect(refused.headers.get('x-error-code')).toBe('WEBHOOK_DISABLED');
  await publishTasks(api, 3);
  await pollUntil(api, (events) => events.length === 5);
  expect(receiver.received).toHaveLength(1);
  receiver.answer(() => ({ status: 200 }));
  succeeded(await api.post('/api/webhook/update', { id, enabled: true }));
  // The first one was tried and has an attempt of its own 5 seconds later.
  clock.ahead += minuteMs;
  await arrived(receiver, 6);
  const ids = (await readEvents(api)).events.map((event) => event.id);
  expect(receiver.received.map((event) => event.id).toSorted()).toEqual([...ids, ids[0]].toSorted());
  expect(witness.received).toHaveLength(1);
  await rowOnce(api, id, ({ waitingCount }) => waitingCount === 0);
});

it('sends events again, by their ids and by a stretch of time', async () => {
  const { api, clock } = await start();
  const receiver = await aReceiver();
  const { id } = await addWebhook(api, { url: receiver.url, types: ['task.state_changed'] });
  await publishTasks(api, 2);
  await arrived(receiver, 2);
  const [first, second] = receiver.received.map((event) => event.id);
  succeeded(await api.post('/api/webhook/send', { id, eventIds: [second] }));
  await arrived(receiver, 3);
  expect(receiver.received[2]?.id).toBe(second);
  const time = (instant: number) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
  const now = Date.now() + clock.ahead;
  const stretch = { from: time(now - dayMs), to: time(now + minuteMs) };
  succeeded(await api.post('/api/webhook/send', { id, ...stretch }));
  await arrived(receiver, 5);
  expect(new Set(receiver.received.slice(3).map((event) => event.id))).toEqual(new Set([first, second]));
});

it('says why a delivery failed', async () => {
  const { api } = await start();
  const gone = await aReceiver();
  await gone.close();
  const { id } = await addWebhook(api, { url: gone.url });
  succeeded(await api.post('/api/webhook/send', { id, test: true }));
  const { rows } = await attemptsOnce(api, id, ({ rows }) => rows.length > 0);
  expect(rows).toMatchObject([
    {
      type: 'webhook.test',
      status: 'failed',
      httpStatus: null,
      failure: 'connection',
      nextAttemptTime: null,
    },
  ]);
});
