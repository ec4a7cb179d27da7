import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { publishEvents } from '../../../functions/events/publish-events.ts';
import { EventBus } from '../../../shared/events/event-bus.ts';
import { log } from '../../../shared/platform/observability/log.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { openStandIn, type StandInRequest } from '../../support/aws/http-stand-in.ts';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { startEventService } from '../../support/service/event-service.ts';
import { eventually } from '../../support/service/webhook-receiver.ts';

type Entry = { EventBusName: string; Source: string; DetailType: string; Time: number; Detail: string };

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** EventBridge that takes every entry but those that `refuses` names. */
const anEventBridge = async (refuses: (entry: Entry, request: number) => boolean = () => false) => {
  let requests = 0;
  const bridge = await openStandIn(({ body }) => {
    const request = ++requests;
    const entries = (body.Entries as Entry[]).map((entry) =>
      refuses(entry, request) ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow' } : { EventId: 'e' },
    );
    const FailedEntryCount = entries.filter((entry) => 'ErrorCode' in entry).length;
    return {
      headers: { 'content-type': 'application/x-amz-json-1.1' },
      body: { FailedEntryCount, Entries: entries },
    };
  });
  opened.push(bridge);
  const bus = new EventBus(new EventBridgeClient(bridge.client), 'the-bus');
  return { ...bridge, publish: publishEvents({ bus, formatTime: timeIn('UTC') }) };
};

const entriesOf = ({ body }: StandInRequest) => body.Entries as Entry[];
const detailsOf = (requests: StandInRequest[]) =>
  requests.flatMap(entriesOf).map(({ Detail }) => JSON.parse(Detail) as Record<string, unknown>);

/** As the table's stream tells that a task went from one state to another. */
const stateChange = (sequence: number, from = 1, to = 2): DynamoDBRecord => {
  const image = (status: number, version: number) => ({
    pk: { S: 'TASK#4k9x2m7q8t3vbn5c' },
    sk: { S: 'META' },
    id: { S: '4k9x2m7q8t3vbn5c' },
    taskName: { S: 'June' },
    dataSourceId: { S: '7d2h6w9rk4mz3pqa' },
    status: { N: String(status) },
    version: { N: String(version) },
    reason: { NULL: true },
  });
  return {
    eventName: 'MODIFY',
    dynamodb: {
      ApproximateCreationDateTime: 1_777_888_800,
      SequenceNumber: String(sequence),
      OldImage: image(from, sequence - 1),
      NewImage: image(to, sequence),
    },
  };
};

it('puts a change of state on the bus in the documented form', async () => {
  const { publish, requests } = await anEventBridge();
  expect(await publish({ Records: [stateChange(7)] })).toEqual({ batchItemFailures: [] });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'POST', path: '/' });
  expect(requests[0]?.headers['x-amz-target']).toBe('AWSEvents.PutEvents');
  const [entry] = entriesOf(requests[0] as StandInRequest) as [Entry];
  expect(entry).toMatchObject({
    EventBusName: 'the-bus',
    Source: 'outbound.tasks',
    DetailType: 'Task State Changed',
    Time: 1_777_888_800,
  });
  expect(JSON.parse(entry.Detail)).toEqual({
    id: '4k9x2m7q8t3vbn5c-7',
    taskId: '4k9x2m7q8t3vbn5c',
    taskName: 'June',
    dataSourceId: '7d2h6w9rk4mz3pqa',
    previousStatus: 1,
    status: 2,
    reason: null,
  });
});

it('sends at most ten entries a request, and none for changes that mean nothing', async () => {
  const { publish, requests } = await anEventBridge();
  expect(await publish({ Records: [stateChange(1, 2, 2)] })).toEqual({ batchItemFailures: [] });
  const Records = Array.from({ length: 23 }, (_, i) => stateChange(i + 1));
  await publish({ Records: [stateChange(99, 1, 1), ...Records, { dynamodb: { SequenceNumber: '100' } }] });
  expect(requests.map((request) => entriesOf(request).length)).toEqual([10, 10, 3]);
});

it('sends refused entries again, and only those', async () => {
  const { publish, requests } = await anEventBridge(
    ({ Detail }, request) => request === 1 && Detail.includes('-2"'),
  );
  const Records = [1, 2, 3].map((sequence) => stateChange(sequence));
  expect(await publish({ Records })).toEqual({ batchItemFailures: [] });
  expect(detailsOf(requests).map(({ id }) => String(id).split('-')[1])).toEqual(['1', '2', '3', '2']);
});

it('reports the first record whose event does not get out, so that the stream comes back to it', async () => {
  const { publish } = await anEventBridge(({ Detail }) => Detail.includes('-12"') || Detail.includes('-14"'));
  const Records = Array.from({ length: 30 }, (_, i) => stateChange(i + 1));
  expect(await publish({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '12' }] });
});

it('lets the whole batch be sent again when EventBridge cannot be reached, and says why', async () => {
  const complaint = vi.spyOn(log, 'error').mockReturnValue();
  onTestFinished(() => complaint.mockRestore());
  const { publish, close } = await anEventBridge();
  await close();
  const Records = [stateChange(1), stateChange(2)];
  expect(await publish({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  expect(complaint).toHaveBeenCalledWith('events not published', expect.anything());
});

it('is one line in the log for each event in local mode, without phone numbers', async () => {
  const lines = vi.spyOn(log, 'info').mockReturnValue();
  onTestFinished(() => lines.mockRestore());
  const api = await startEventService();
  const contacts = ['+4930123456', '+4930123457'].map((phoneNumber) => ({ phoneNumber }));
  await api.aContact('do-not-call', contacts[1]);
  const { id } = await api.aTaskOf(contacts, { maxDialCount: 1 });
  const dialing = new DialingApi(api);
  const { callId } = await dialing.leaseOne({ taskId: id });
  await dialing.report(callId, 'noAnswer', 20);
  const told = () => lines.mock.calls.filter(([message]) => message === 'event').map(([, event]) => event);
  const change = { source: 'outbound.tasks', 'detail-type': 'Task State Changed' };
  const ended = { source: 'outbound.tasks', 'detail-type': 'Contact Outcome Final' };
  const call = { source: 'outbound.tasks', 'detail-type': 'Call Ended' };
  const timeText = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(await eventually(told, ({ length }) => length === 5)).toMatchObject([
    { ...change, detail: { taskId: id, previousStatus: 0, status: 1 } },
    { ...ended, detail: { id: `${id}-1-blocked-2`, callId: null, outcome: 'blocked', lastCallTime: null } },
    { ...ended, detail: { id: callId, lastCallTime: timeText } },
    {
      ...call,
      detail: { id: `${callId}-ended`, callId, duration: 20, startTime: timeText, endTime: timeText },
    },
    { ...change, detail: { taskId: id, previousStatus: 1, status: 4 } },
  ]);
  expect(JSON.stringify(lines.mock.calls)).not.toMatch(/493012345[67]/);
});
