import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectResults } from '../../../functions/events/connect-results.ts';
import { pumpCalls } from '../../../functions/events/pump-calls.ts';
import { createAdapter } from '../../../shared/app/runtime/connect.ts';
import { createRuntime, type Runtime } from '../../../shared/app/runtime/runtime.ts';
import { ConnectCalls } from '../../../shared/connect/connect-calls.ts';
import { ConnectInstance } from '../../../shared/connect/connect-instance.ts';
import { TaskContacts } from '../../../shared/dialing/task-contacts.ts';
import { readTallies } from '../../../shared/dialing/task-counters.ts';
import { log } from '../../../shared/platform/observability/log.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { flowId, instanceId, openConnect, sourceNumber } from '../../support/aws/connect-stand-in.ts';
import { contactEvent } from '../../support/aws/contact-events.ts';
import { aRunningTask, newId } from '../../support/dialing/dialing.ts';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';

const settings = {
  instanceId,
  flowId,
  sourceNumber,
  concurrency: 3,
  numberPrefix: '+86',
  machineDetection: false,
};
/** Enough to fill the lines, not enough to look again. */
const oneRound = { getRemainingTimeInMillis: () => 15_000 };

let table: OpenTable;
let runtime: Runtime;
let connect: Awaited<ReturnType<typeof openConnect>>;
let clock: TestClock;
let adapter: ReturnType<typeof createAdapter>;

beforeEach(async () => {
  table = await engines[0]!.open();
  clock = new TestClock();
  runtime = createRuntime({ ...serviceSettings({}), now: clock.now }, table.database);
  connect = await openConnect();
  const instance = new ConnectInstance(settings, connect.client);
  adapter = createAdapter(runtime, instance, settings, 1);
});
afterEach(async () => {
  await connect.close();
  await table.close();
});

const aTask = (contactCount: number, rules = {}) =>
  aRunningTask(table.database, runtime, { contactCount, now: clock.time, maxDialCount: 1, ...rules });
const pump = () => pumpCalls({ adapter })(undefined, oneRound);
const ended = (contactId: string, change = {}) =>
  connectResults({ adapter })(contactEvent({ contactId, ...change }));
const tallyOf = async (id: string) => (await readTallies(table.database, [id])).get(id);
/** Contacts of the task that are leased. */
const inCall = async (id: string) => {
  const summaries = await new TaskContacts(table.database).summaries({ id, status: 1 }, 0, 100, clock.time);
  return [...summaries.values()].filter(({ status }) => status === 4).length;
};
const underWay = async () => (await new ConnectCalls(table.database).all()).map(({ callId }) => callId);
const end = (contactId: string, seconds: number, reason = 'CUSTOMER_DISCONNECT') =>
  connect.end(contactId, { connected: clock.time, disconnected: clock.time + seconds * 1000, reason });
const hangUp = async (contactId: string, seconds: number) => {
  end(contactId, seconds);
  await ended(contactId);
};

describe('the pump', () => {
  it('starts as many calls as there are lines, each with its own token and attributes', async () => {
    const { id } = await aTask(5);
    await pump();
    expect(connect.started).toHaveLength(3);
    expect(new Set(connect.started.map(({ token }) => token)).size).toBe(3);
    expect(connect.started[0]?.attributes).toMatchObject({ outbound_task_id: id, outbound_attempt: '1' });
    expect(connect.started[0]?.token).toBe(connect.started[0]?.attributes.outbound_call_id);
    expect(connect.started[0]).toMatchObject({ flow: flowId, caller: sourceNumber, detectsMachines: false });
    expect(connect.started.map(({ destination }) => destination)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\+/)]),
    );
  });

  it('uses the flow and the numbers of each task where it has its own', async () => {
    const own = { callSettings: { connectFlowId: 'another-flow' }, callerNumbers: ['030 1234567'] };
    const [usual, other] = [await aTask(1), await aTask(2, own)];
    await pump();
    const seen = connect.started.map(({ attributes, flow, caller }) => [
      attributes.outbound_task_id,
      flow,
      caller,
    ]);
    expect(seen.sort()).toEqual(
      [
        [usual.id, flowId, sourceNumber],
        [other.id, 'another-flow', '+860301234567'],
        [other.id, 'another-flow', '+860301234567'],
      ].sort(),
    );
  });

  it('costs a task with a flow that Connect refuses no attempt, while others are called', async () => {
    const [good, bad] = [await aTask(1), await aTask(2, { callSettings: { connectFlowId: 'gone' } })];
    connect.refusedFlows.add('gone');
    await pump();
    expect(connect.started.map(({ attributes }) => attributes.outbound_task_id)).toEqual([good.id]);
    expect(await tallyOf(bad.id)).toMatchObject({ callCount: 0 });
    expect(await inCall(bad.id)).toBe(0);
  });

  it('asks for answering machines to be detected, and takes a voicemail for no answer', async () => {
    const { id } = await aTask(3);
    const detecting = { ...settings, machineDetection: true };
    const instance = new ConnectInstance(detecting, connect.client);
    adapter = createAdapter(runtime, instance, detecting, 1);
    await pump();
    expect(connect.started.map(({ detectsMachines }) => detectsMachines)).toEqual([true, true, true]);
    const answeredBy = ['VOICEMAIL_BEEP', 'VOICEMAIL_NO_BEEP', 'AMD_UNRESOLVED'];
    for (const [i, { contactId }] of connect.started.entries()) {
      const times = { connected: clock.time, disconnected: clock.time + 9000 };
      connect.end(contactId, { ...times, reason: 'CUSTOMER_DISCONNECT', answeredBy: answeredBy[i]! });
      await ended(contactId);
    }
    expect(await tallyOf(id)).toMatchObject({ successCount: 1, noAnswerCount: 2, duration: 9 });
    const { standings } = await runtime.insight.overview(id, clock.time);
    expect(standings.callsByReason).toMatchObject({ voicemail: 2 });
  });

  it('starts no more while the lines are taken, and one for each that gets free', async () => {
    await aTask(5);
    await pump();
    await pump();
    expect(connect.started).toHaveLength(3);
    await hangUp('contact-2', 30);
    await pump();
    expect(connect.started).toHaveLength(4);
  });

  it('fills no line twice when it runs twice at once', async () => {
    await aTask(20);
    await Promise.all([pump(), pump(), pump()]);
    expect(connect.started).toHaveLength(3);
    expect(await underWay()).toHaveLength(3);
  });

  it('goes on filling lines while its time lasts', async () => {
    await aTask(4);
    let looks = 0;
    await pumpCalls({ adapter })(undefined, {
      getRemainingTimeInMillis: () => {
        looks++;
        return connect.started.length < 3 || looks < 20 ? 60_000 : 15_000;
      },
    });
    expect(looks).toBe(20);
  });

  it('frees a line when its lease is over', async () => {
    await aTask(6);
    await pump();
    clock.advance(3601);
    await pump();
    expect(connect.started).toHaveLength(6);
    expect(await underWay()).toHaveLength(3);
  });

  it('asks after a call whose end it was never told', async () => {
    const { id } = await aTask(1);
    await pump();
    end('contact-1', 80);
    clock.advance(601);
    await pump();
    expect(await tallyOf(id)).toMatchObject({ callCount: 1, successCount: 1, duration: 80 });
    expect(await underWay()).toEqual([]);
  });

  it('keeps no line for a call whose end was told before its start was answered', async () => {
    const { id } = await aTask(1);
    connect.beforeAnswer(async (contactId) => {
      await hangUp(contactId, 5);
    });
    await pump();
    expect(await tallyOf(id)).toMatchObject({ callCount: 1, successCount: 1, duration: 5 });
    expect(await underWay()).toEqual([]);
  });

  it('goes on with the other calls and lines when it cannot ask after one call', async () => {
    const { id } = await aTask(2);
    await pump();
    const contactOf = (callId?: string) =>
      connect.started.find(({ token }) => token === callId)?.contactId ?? '';
    const [first, second] = await underWay();
    connect.describeRefusals.set(contactOf(first), 'ThrottlingException');
    end(contactOf(second), 80);
    clock.advance(601);
    await aTask(2);
    await pump();
    expect(await tallyOf(id)).toMatchObject({ callCount: 1, successCount: 1 });
    expect(connect.started).toHaveLength(4);
    expect(await underWay()).toContain(first);
  });

  it.each(['DestinationNotAllowedException', 'OutboundContactNotPermittedException'])(
    'reports a destination that is refused with %s as failed',
    async (type) => {
      const { id } = await aTask(2);
      await pump();
      const [first] = connect.started;
      connect.started.length = 0;
      connect.refusals.set(first?.destination ?? '', type);
      const other = await aTask(2);
      await pump();
      expect(await tallyOf(other.id)).toMatchObject({ callCount: 1, failCount: 1 });
      expect(await tallyOf(id)).toMatchObject({ callCount: 0 });
    },
  );

  it('blames the number for a refused request only where others went through', async () => {
    const { id } = await aTask(2);
    connect.refusals.set('*', 'InvalidParameterException');
    await pump();
    expect(await tallyOf(id)).toMatchObject({ callCount: 0 });
    expect(await underWay()).toEqual([]);
    clock.advance(600);
    connect.refusals.clear();
    await pump();
    expect(connect.started).toHaveLength(2);
    const bad = connect.started[0]?.destination ?? '';
    connect.refusals.set(bad, 'InvalidParameterException');
    const other = await aTask(3);
    await hangUp('contact-1', 5);
    await hangUp('contact-2', 5);
    await pump();
    expect(await tallyOf(other.id)).toMatchObject({ callCount: 1, failCount: 1 });
  });

  it('tries ten contacts where every request is refused, and others the next time', async () => {
    const { id } = await aTask(25);
    connect.refusals.set('*', 'InvalidRequestException');
    await pump();
    expect(connect.requests).toHaveLength(10);
    await pump();
    const tried = connect.requests.map(({ body }) => body.DestinationPhoneNumber);
    expect(new Set(tried).size).toBe(20);
    expect(await tallyOf(id)).toMatchObject({ callCount: 0 });
    expect(await inCall(id)).toBe(0);
  });

  it.each(['LimitExceededException', 'ThrottlingException'])(
    'stops at %s and gives back what it had leased, each in its place',
    async (type) => {
      const { id } = await aTask(3);
      connect.refusals.set('*', type);
      await pump();
      expect(connect.requests).toHaveLength(1);
      expect(await underWay()).toEqual([]);
      expect(await inCall(id)).toBe(0);
      connect.refusals.clear();
      await pump();
      expect(connect.started).toHaveLength(3);
      expect(connect.started[0]?.destination).toBe(connect.requests[0]?.body.DestinationPhoneNumber);
      expect(connect.started[0]?.attributes).toMatchObject({ outbound_attempt: '1' });
      expect(await tallyOf(id)).toMatchObject({ callCount: 0 });
    },
  );

  it('gives back what it has no time left to start', async () => {
    const { id } = await aTask(3);
    let time = 60_000;
    await pumpCalls({ adapter })(undefined, {
      getRemainingTimeInMillis: () => {
        if (connect.started.length > 0) time = 14_999;
        return time;
      },
    });
    expect(connect.started).toHaveLength(1);
    expect(await inCall(id)).toBe(1);
    await pump();
    expect(connect.started).toHaveLength(3);
  });

  it('keeps the line of a call that may have begun, and calls nobody twice', async () => {
    await aTask(2);
    connect.refusals.set('*', 'InternalServiceException');
    await pump();
    expect(await underWay()).toHaveLength(1);
    connect.refusals.clear();
    await pump();
    expect(connect.started).toHaveLength(1);
    expect(connect.started[0]?.destination).not.toBe(connect.requests[0]?.body.DestinationPhoneNumber);
  });

  it('takes a call for one that may have begun when any attempt to start it may have', async () => {
    const { id } = await aTask(1);
    const instance = new ConnectInstance(settings, { ...connect.client, maxAttempts: 2 });
    const retrying = createAdapter(runtime, instance, settings, 1);
    connect.nextRefusals.push('InternalServiceException', 'ThrottlingException');
    await pumpCalls({ adapter: retrying })(undefined, oneRound);
    expect(connect.requests).toHaveLength(2);
    expect(await underWay()).toHaveLength(1);
    expect(await inCall(id)).toBe(1);
  });

  it('fails aloud when Connect refuses us altogether, and gives back what it had leased', async () => {
    const { id } = await aTask(3);
    connect.nextRefusals.push('InvalidParameterException');
    connect.refusals.set('*', 'AccessDeniedException');
    await expect(pump()).rejects.toThrow('AccessDeniedException');
    expect(connect.requests).toHaveLength(2);
    expect(await underWay()).toEqual([]);
    expect(await inCall(id)).toBe(0);
    expect(await tallyOf(id)).toMatchObject({ callCount: 0 });
  });

  it('tells of a refusal without the number, which Connect may quote', async () => {
    await aTask(1);
    connect.refusals.set('*', 'ValidationException');
    const logged = vi.spyOn(log, 'warn').mockReturnValue();
    const thrown = await pump().catch((error: Error) => error.stack);
    const told = JSON.stringify([logged.mock.calls, thrown]);
    logged.mockRestore();
    expect(told.match(/ValidationException: the value \+\*+\d\d is refused/g)).toHaveLength(2);
    expect(told).not.toContain(connect.requests[0]?.body.DestinationPhoneNumber);
  });

  it('blames no number in a round that Connect stopped', async () => {
    const { id } = await aTask(3);
    connect.nextRefusals.push(undefined, 'InvalidParameterException', 'ThrottlingException');
    await pump();
    expect(connect.requests).toHaveLength(3);
    expect(await tallyOf(id)).toMatchObject({ callCount: 0 });
    expect(await inCall(id)).toBe(1);
  });

  it('keeps the line of a call where Connect cannot be reached', async () => {
    const { id } = await aTask(2);
    const nowhere = new ConnectInstance(settings, { ...connect.client, endpoint: 'http://127.0.0.1:1' });
    adapter = createAdapter(runtime, nowhere, settings, 1);
    await pump();
    expect([await inCall(id), (await underWay()).length]).toEqual([1, 1]);
  });

  it('gives back nothing of a call that has ended meanwhile', async () => {
    const { id } = await aTask(1);
    connect.refusals.set('*', 'ThrottlingException');
    const { liveLeases, results } = runtime.dialer;
    const release = liveLeases.release.bind(liveLeases);
    vi.spyOn(liveLeases, 'release').mockImplementation(async (given, now) => {
      await results.report({ callId: given.callId, outcome: 'success', duration: 1 }, now);
      return release(given, now);
    });
    await pump();
    expect(await tallyOf(id)).toMatchObject({ callCount: 1, successCount: 1 });
  });

  it('takes over the claim of a run that died, after two minutes', async () => {
    await aTask(1);
    vi.spyOn(ConnectCalls.prototype, 'release').mockRejectedValueOnce(new Error('the process ended'));
    await expect(pump()).rejects.toThrow('the process ended');
    await aTask(1);
    clock.advance(119);
    await pump();
    expect(connect.started).toHaveLength(1);
    clock.advance(1);
    await pump();
    expect(connect.started).toHaveLength(2);
  });

  it('lets others go first after a refusal that it does not know', async () => {
    await aTask(2);
    connect.nextRefusals.push('AccessDeniedException');
    await expect(pump()).rejects.toThrow('AccessDeniedException');
    const refused = connect.requests[0]?.body.DestinationPhoneNumber;
    await pump();
    expect(connect.started).toHaveLength(1);
    expect(connect.started[0]?.destination).not.toBe(refused);
    clock.advance(600);
    await pump();
    expect(connect.started[1]?.destination).toBe(refused);
  });
});

describe('results', () => {
  it('of an answered call are a success with its length, told once or twice', async () => {
    const { id } = await aTask(1);
    await pump();
    await hangUp('contact-1', 42);
    await ended('contact-1');
    expect(await tallyOf(id)).toMatchObject({ callCount: 1, successCount: 1, duration: 42 });
    expect(await underWay()).toEqual([]);
    expect((await runtime.tasks.find(id)).status).toBe(4);
  });

  const recordOf = async (callId = '') => (await runtime.callReader.detail(callId, clock.time)).call;
  const inS3 = (Location: string) => ({ StorageType: 'S3', Location });

  it("carry Connect's id, the start, the caller and the recording", async () => {
    await aTask(1);
    await pump();
    const initiated = clock.time + 1000;
    clock.advance(60);
    const recordings = [
      { StorageType: 'KINESIS_VIDEO_STREAM', Location: 'a-stream' },
      { ...inS3('calls/gone.wav'), Status: 'DELETED' },
      inS3('calls/2026/05/a call_10:00.wav'),
    ];
    connect.end('contact-1', { initiated, connected: initiated, disconnected: clock.time, recordings });
    await ended('contact-1');
    expect(await recordOf(connect.started[0]?.token)).toMatchObject({
      providerCallId: 'contact-1',
      startTime: initiated,
      callerNumber: sourceNumber,
      recordingUrl: 'https://s3.us-east-1.amazonaws.com/calls/2026/05/a%20call_10%3A00.wav',
    });
  });

  it.each([
    ['https://recordings.example.com/1.wav', 'https://recordings.example.com/1.wav'],
    [`calls/${'x'.repeat(1000)}`, null],
    ['https://', null],
  ])('carry of the recording %s the address %s, and count in any case', async (location, recordingUrl) => {
    const { id } = await aTask(1);
    await pump();
    connect.end('contact-1', { disconnected: clock.time, recordings: [inS3(location)] });
    await ended('contact-1');
    expect(await tallyOf(id)).toMatchObject({ callCount: 1 });
    expect(await recordOf(connect.started[0]?.token)).toMatchObject({ recordingUrl });
  });

  it('count although the clock of Connect is ahead', async () => {
    await aTask(1);
    await pump();
    connect.end('contact-1', { initiated: clock.time + 3600_000, disconnected: clock.time });
    await ended('contact-1');
    expect(await recordOf(connect.started[0]?.token)).toMatchObject({ startTime: clock.time });
  });

  it('are found through the attributes where DescribeContact does not tell them', async () => {
    connect.hideAttributes();
    const { id } = await aTask(1);
    await pump();
    connect.end('contact-1', { disconnected: clock.time, reason: 'TELECOM_BUSY' });
    await ended('contact-1', { connectedToSystemTimestamp: undefined });
    expect(await tallyOf(id)).toMatchObject({ callCount: 1, noAnswerCount: 1 });
  });

  it('rest on the event where Connect itself lags behind it', async () => {
    const { id } = await aTask(2);
    await pump();
    clock.advance(60);
    const initiationTimestamp = new Date(clock.time - 5000).toISOString();
    await ended('contact-1', { initiationTimestamp });
    expect(await recordOf(connect.started[0]?.token)).toMatchObject({ startTime: clock.time - 5000 });
    await ended('contact-2', { disconnectReason: 'TELECOM_BUSY' });
    const counts = { callCount: 2, successCount: 1, noAnswerCount: 1, duration: 42 };
    expect(await tallyOf(id)).toMatchObject(counts);
  });

  it('are asked for again when neither tells of an end', async () => {
    await aTask(1);
    await pump();
    await expect(ended('contact-1', { disconnectTimestamp: undefined })).rejects.toThrow(/not ended yet/);
  });

  it('of contacts that are none of ours are left alone', async () => {
    await ended('somebody-else');
    expect(connect.requests).toHaveLength(1);
    await ended('somebody-else', { initiationMethod: 'INBOUND' });
    expect(connect.requests).toHaveLength(1);
  });

  it('of a task that was deleted meanwhile are dropped', async () => {
    await aTask(1);
    await pump();
    const { attributes } = connect.started[0]!;
    attributes.outbound_call_id = attributes.outbound_call_id!.replace(/^[^-]+/, newId());
    await ended('contact-1');
  });

  it('that come after the contact was called again are dropped', async () => {
    const { id } = await aTask(1);
    await pump();
    clock.advance(3601);
    await pump();
    expect(connect.started).toHaveLength(2);
    await hangUp('contact-1', 10);
    expect(await tallyOf(id)).toMatchObject({ callCount: 0 });
    await hangUp('contact-2', 20);
    expect(await tallyOf(id)).toMatchObject({ callCount: 1, duration: 20 });
  });
});

describe('without settings', () => {
  it('the functions return at once', async () => {
    await aTask(1);
    await pumpCalls({})(undefined, oneRound);
    await connectResults({})(contactEvent());
    expect(connect.requests).toEqual([]);
  });
});
