import { expect } from 'vitest';
import { EventList } from '../../../shared/events/event-list.ts';
import { erasureWork } from '../../../shared/people/erasures.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { deferredOf } from '../../../shared/tasks/task-work.ts';
import { contactEvent } from '../aws/contact-events.ts';
import { succeeded } from '../service/api.ts';
import { send } from '../service/post-scenarios.ts';
import { quietSeconds } from '../service/removal.ts';
import { Shelf } from './audit.ts';
import { tableAnsweredBy, tableName } from './clients.ts';
import { FaultProcess } from './fault-process.ts';
import { patienceSeconds } from './import-scenarios.ts';
import {
  aLivelyTask,
  anOpeningAdjust,
  arrival,
  arriving,
  cancelling,
  csv,
  invoking,
  upload,
} from './lively-task.ts';
import { type Run, scenariosOf } from './scenario.ts';
import type { World } from './world.ts';

const dropped = async (process: FaultProcess, world: World) => {
  const { dataSourceId } = await process.aTaskOf([{ phoneNumber: '13800138000' }]);
  const key = `imports/${dataSourceId}/contacts.csv`;
  await (await world.objects()).put(key, csv, 'text/csv');
  return { dataSourceId, key };
};

/** Calls of an import: its phone numbers are claimed, and then its contacts are written. */
const claims = 21;
const writes = 22;

/**
 * An import of a dropped file whose runner died with rows reserved. The hold of the runner has
 * expired.
 */
const brokenOff = async (process: FaultProcess, world: World, diesAt = writes) => {
  const { key, dataSourceId } = await dropped(process, world);
  process.line.begin({ call: diesAt, fault: 'ended after' });
  void process.events.importFile(arrival(key));
  await process.line.ended;
  world.clock.advance(7 * 60);
  const [record] = new Shelf(world.items).below(`DS#${dataSourceId}`, keys.import(dataSourceId, '').sk);
  expect(record, 'the import died with its rows reserved').toHaveProperty('reservation');
  return { dataSourceId, importId: String(record?.importId) };
};

const longestLease = 3601;

const endTask = async (process: FaultProcess, id: string) => {
  for (const move of ['stop', 'close']) succeeded(await process.post(`/api/task/${move}`, { id }));
};

/** A running task whose contacts have numbers that Connect takes. */
const aTaskForConnect = (process: FaultProcess) => {
  const phones = ['+13125550101', '+13125550102', '+13125550103'];
  return process.aTaskOf(
    phones.map((phoneNumber) => ({ phoneNumber })),
    { maxDialCount: 1 },
  );
};

/** The changes of the table so far, as its stream has them. */
const streamOf = ({ changes }: World) =>
  changes.map(({ before, after }, i) => ({
    dynamodb: {
      OldImage: before,
      NewImage: after,
      SequenceNumber: String(i),
      ApproximateCreationDateTime: 1,
    },
  }));

/** Lambda sends records again of which one is reported; here all of them. */
const publishing =
  (Records: readonly unknown[]): Run =>
  async (process) => {
    const answer = (await process.events.publishEvents({ Records })) as { batchItemFailures: unknown[] };
    if (answer.batchItemFailures.length > 0) throw new Error('some are to be sent again');
    return undefined;
  };

/**
 * Four events wait behind its position; one is refused. Another one is sent again, and so is a
 * stretch.
 */
const aWebhookBehind = async (process: FaultProcess, world: World): Promise<string> => {
  const { id } = succeeded(await process.post('/api/webhook/add', { url: 'https://receiver.example.com' }));
  const now = world.clock.now();
  const time = new Date(now).toISOString();
  const events = ['first', 'refused', 'third', 'fourth'].map((name) => ({
    id: name,
    type: 'task.deleted' as const,
    time,
    data: {},
  }));
  await new EventList(process.database).append(events, now);
  succeeded(await process.post('/api/webhook/send', { id, eventIds: ['fourth'] }));
  const clock = (instant: number) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
  const stretch = { from: clock(now - 60_000), to: clock(now + 60_000) };
  succeeded(await process.post('/api/webhook/send', { id, ...stretch }));
  return String(id);
};

const scenarios = scenariosOf({
  'importFile, dropped': {
    dials: 'dialer',
    act: async (process, world) => {
      const { key } = await dropped(process, world);
      return arriving(arrival(key));
    },
  },
  'importFile, uploaded': {
    act: async (process, world) => {
      const { id } = await process.aDataSource();
      await process.aContact(id, { phoneNumber: '13800138000' });
      const { key } = await upload(process, world, id, csv, { onDuplicate: 'update' });
      return arriving(arrival(key));
    },
  },
  'importFile, nowhere to': {
    act: async (_process, world) => {
      const key = 'imports/nowhere/contacts.csv';
      await (await world.objects()).put(key, csv, 'text/csv');
      return arriving(arrival(key));
    },
  },
  doDueFileWork: {
    act: async (process, world) => {
      await brokenOff(process, world);
      return invoking('doDueFileWork');
    },
  },
  'doDueFileWork, given up': {
    dials: 'dialer',
    act: async (process, world) => {
      const { dataSourceId, importId } = await brokenOff(process, world, claims);
      const begun = { UpdateExpression: 'SET begun = :ten', ExpressionAttributeValues: { ':ten': 10 } };
      const database = new Database(tableAnsweredBy(world.dynamoDb.requestHandler), tableName);
      await database.update(keys.import(dataSourceId, importId), begun);
      return invoking('doDueFileWork');
    },
  },
  'doDueFileWork, a batch whose request is sent again': {
    patienceSeconds,
    faults: ['ended before', 'ended after'],
    act: async (process, world) => {
      const { id } = await process.aDataSource();
      const contacts = ['13800138000', '13800138001'].map((phoneNumber) => ({ phoneNumber }));
      const post = { path: `/api/dataSource/${id}/contact/batchAdd`, body: { contacts } };
      process.line.begin({ call: 21, fault: 'ended after' });
      void send(process, post, 'a-key');
      await process.line.ended;
      expect(process.line.calls.at(-1)).toBe('BatchExecuteStatement');
      world.clock.advance(patienceSeconds);
      return async (next) => {
        await next.events.doDueFileWork();
        return send(next, post, 'a-key');
      };
    },
  },
  doDueWork: {
    act: async (process) => {
      await process.aTaskIn(1, { callUntil: '2020-01-01 00:00' });
      return invoking('doDueWork');
    },
  },
  'doDueWork, an erasure': {
    act: async (process, world) => {
      const { id, dataSourceId } = await process.aTaskOf(1, { maxDialCount: 1 });
      const { calls } = succeeded(await process.post('/api/dialer/lease', { taskId: id }));
      const [call] = calls as unknown as { callId: string }[];
      succeeded(await process.post('/api/dialer/result', { callId: call?.callId, outcome: 'failed' }));
      const database = new Database(tableAnsweredBy(world.dynamoDb.requestHandler), tableName);
      await new Agenda(database).add(erasureWork('broken off'), 0, { contacts: [{ dataSourceId, seq: 0 }] });
      return invoking('doDueWork');
    },
  },
  'doDueWork, an adjusted task': {
    act: async (process, world) => {
      const { body } = await anOpeningAdjust(process);
      const { id } = body as { id: string };
      const database = new Database(tableAnsweredBy(world.dynamoDb.requestHandler), tableName);
      const time = world.clock.now();
      await new Agenda(database).reschedule(deferredOf(id), time, { time });
      world.clock.advance(60);
      return invoking('doDueWork');
    },
  },
  'doDueFileWork, removals': {
    act: async (process, world) => {
      const { id, dataSourceId } = await aLivelyTask(process);
      world.clock.advance(longestLease);
      await endTask(process, id);
      succeeded(await process.post('/api/task/delete', { id }));
      succeeded(await process.post('/api/dataSource/delete', { id: dataSourceId }));
      world.clock.advance(quietSeconds);
      return invoking('doDueFileWork');
    },
  },
  'doDueFileWork, removal of a data source with an import that broke off': {
    act: async (process, world) => {
      const { dataSourceId } = await brokenOff(process, world, claims);
      const [task] = new Shelf(world.items).records('task');
      const next = new FaultProcess(world);
      await endTask(next, String(task?.id));
      succeeded(await next.post('/api/dataSource/delete', { id: dataSourceId }));
      world.clock.advance(quietSeconds);
      return invoking('doDueFileWork');
    },
  },
  'cancelImport, rows reserved': {
    // Another runner may still be at it; the sweep ends it.
    again: [200],
    dials: 'dialer',
    act: async (process, world) => {
      const { dataSourceId, importId } = await brokenOff(process, world);
      return cancelling(dataSourceId, importId);
    },
  },
  'cancelImport, rows reserved, with a key': {
    isExact: true,
    dials: 'dialer',
    act: async (process, world) => {
      const { dataSourceId, importId } = await brokenOff(process, world);
      return cancelling(dataSourceId, importId, 'a-key');
    },
  },
  appendEvents: {
    act: async (process, world) => {
      await aLivelyTask(process);
      return invoking('appendEvents', { Records: streamOf(world) });
    },
  },
  publishEvents: {
    act: async (process, world) => {
      await aLivelyTask(process);
      return publishing(streamOf(world));
    },
  },
  deliverEvents: {
    act: async (process, world) => {
      const webhookId = await aWebhookBehind(process, world);
      return invoking('deliverEvents', { Records: [{ body: JSON.stringify({ webhookId }) }] });
    },
  },
  'doDueWork, a webhook': {
    act: async (process, world) => {
      await aWebhookBehind(process, world);
      return invoking('doDueWork');
    },
  },
  pumpCalls: {
    leftOut: ['leases'],
    dials: 'connect',
    act: async (process) => {
      await aTaskForConnect(process);
      return invoking('pumpCalls');
    },
  },
  connectResults: {
    dials: 'connect',
    act: async (process) => {
      await aTaskForConnect(process);
      await process.events.pumpCalls();
      return invoking('connectResults', contactEvent({ contactId: 'contact-1' }));
    },
  },
});

/** Events are delivered at least once. */
export const eventScenarios = scenarios.map((each) => (each.isExact ? each : { ...each, atOnce: 2 }));
