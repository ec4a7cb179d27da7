import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { openApi } from '../../../shared/app/open-api/document.ts';
import { eventTypes } from '../../../shared/events/rules/service-event.ts';
import { DialingApi, phoneOf } from '../../support/dialing/dialing-api.ts';
import { uploaded } from '../../support/files/contact-files.ts';
import { succeeded } from '../../support/service/api.ts';
import { startEventService } from '../../support/service/event-service.ts';
import { addWebhook, aReceiver, eventually, type Received } from '../../support/service/webhook-receiver.ts';

const document = openApi() as { webhooks: Record<string, object> };
const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false });
ajv.addSchema(document, 'api');
const bodyOf = (type: string) =>
  ajv.compile({
    $ref: `api#/webhooks/${encodeURIComponent(type)}/post/requestBody/content/application~1json/schema`,
  });

/** What the document says is wrong with a delivery. */
const faultsOf = ({ type, body }: Received) => {
  const check = bodyOf(type);
  return check(JSON.parse(body)) ? [] : [{ type, faults: ajv.errorsText(check.errors), body }];
};

it('sends what the section "webhooks" of the OpenAPI document describes, of every type', async () => {
  const api = await startEventService();
  const gone = await aReceiver();
  gone.answer(() => ({ status: 410 }));
  const [plain, expanded] = [await aReceiver(), await aReceiver()];
  const { id: webhookId } = await addWebhook(api, { url: plain.url });
  await addWebhook(api, { url: expanded.url, expandCall: true });
  succeeded(await api.post('/api/webhook/send', { id: webhookId, test: true }));
  const dispositions = [{ code: 'paid' }];
  const people = [0, 1, 2].map((i) => ({ phoneNumber: phoneOf(i), customerName: 'Li Wei' }));
  const { id, dataSourceId } = await api.aTaskOf(people, { dispositions, maxDialCount: 1 });
  await api.post('/api/dataSource/do-not-call/contact/add', { phoneNumber: phoneOf(2) });
  const dialing = new DialingApi(api);
  const calls = (await dialing.lease({ taskId: id })) as { callId: string }[];
  const details = { duration: 12.5, disposition: 'paid', summary: 'pays', data: { on: 'Friday' } };
  for (const { callId } of calls)
    succeeded(await api.post('/api/dialer/result', { callId, outcome: 'success', ...details }));
  succeeded(await api.post('/api/dialer/annotate', { callId: calls[0]!.callId, summary: 'pays later' }));
  await addWebhook(api, { url: gone.url });
  await uploaded(api, dataSourceId, 'phoneNumber\n+4930123458\n');
  succeeded(await api.post('/api/contact/erase', { phoneNumber: phoneOf(0) }));
  succeeded(await api.post('/api/task/close', { id }));
  succeeded(await api.post('/api/task/delete', { id }));
  succeeded(await api.post('/api/dataSource/delete', { id: dataSourceId }));
  const typesAt = ({ received }: { received: Received[] }) => [...new Set(received.map(({ type }) => type))];
  const expected = [...eventTypes].sort();
  await eventually(
    () => typesAt(plain).length + typesAt(expanded).length,
    (count) => count === 2 * expected.length + 1,
  );
  expect(typesAt(expanded).sort()).toEqual(expected);
  expect(Object.keys(document.webhooks).sort()).toEqual([...expected, 'webhook.test'].sort());
  expect([...plain.received, ...expanded.received].flatMap(faultsOf)).toEqual([]);
  const told = expanded.received.filter(({ type }) => type === 'call.ended');
  expect(told).toHaveLength(2);
  for (const { data } of told)
    expect(data).toMatchObject({ call: { summary: expect.stringMatching(/^pays/) } });
});
