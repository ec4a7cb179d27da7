import { EventList } from '../../../shared/events/event-list.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys, seqsPerPage } from '../../../shared/platform/table/keys.ts';
import { contactEvent } from '../aws/contact-events.ts';
import { emptyPages } from '../engines/seed-contacts.ts';
import { type Api, expectError, succeeded } from '../service/api.ts';
import { listAsBefore } from '../service/listed-before.ts';
import { send } from '../service/post-scenarios.ts';
import { quietSeconds } from '../service/removal.ts';
import { tableAnsweredBy, tableName } from './clients.ts';
import type { FaultProcess } from './fault-process.ts';
import { arrival, upload } from './lively-task.ts';
import type { World } from './world.ts';

type Call = { callId: string; contactId: string };

const post = async (api: Api, path: string, body: object = {}) => succeeded(await api.post(path, body));
const see = async (api: Api, path: string) => succeeded(await api.get(path));
const result = (api: Api, { callId }: Call, outcome: string) =>
  post(api, '/api/dialer/result', { callId, outcome });

const lease = async (api: Api, wish: object = {}) =>
  (await post(api, '/api/dialer/lease', wish)).calls as Call[];

/**
 * A task that dialers do not serve, although they ask for calls: tasks ahead of it are looked for.
 */
const behindOthers = async (process: FaultProcess, world: World) => {
  await process.aTaskOf(1);
  const [call] = await lease(process);
  // The dialer who asked for calls of any task is still there.
  world.clock.advance(30);
  await post(process, '/api/dialer/extend', { callId: call!.callId, leaseSeconds: 600 });
  const { id } = await process.aTaskOf(1);
  await see(process, `/api/task/${id}/overview`);
  await see(process, `/api/task/overviews?ids=${id}&day=2026-05-04`);
  await see(process, '/api/task/board?attention=true&imports=true');
};

/**
 * A contact was taken up and not called, and the first lease of another ran out: what it waits for
 * is looked up.
 */
const lapsedFirst = async (process: FaultProcess, world: World) => {
  const { id } = await process.aTaskOf(2);
  await lease(process, { taskId: id, limit: 1, leaseSeconds: 10 });
  world.clock.advance(11);
  await see(process, `/api/task/${id}/overview`);
  await see(process, `/api/task/${id}/outlook`);
  await see(process, `/api/task/overviews?ids=${id}&day=2026-05-04`);
  await see(process, '/api/task/board?attention=true&imports=true');
};

/** Running tasks whose rules are changed: whom they call, until when, and that they end. */
const changedRules = async (process: FaultProcess, world: World) => {
  const { id: list } = await process.aDataSource();
  const { phoneNumber } = await process.aContact(list);
  const pauseWhen = { failedPercent: 100, calls: 1000 };
  const rules = { keepOpen: true, maxDialCount: 1, callUntil: '2090-01-01 00:00', pauseWhen };
  const { id, dataSourceId } = await process.aTaskOf([{}, {}, { phoneNumber }], rules);
  const [call, failed] = await lease(process, { taskId: id, limit: 2 });
  const excluded = { excludedDataSourceIds: [list] };
  await post(process, '/api/task/update', { id: (await process.aTask()).id, ...excluded });
  await post(process, '/api/task/adjust', { id, ...excluded });
  await post(process, '/api/task/preflight', { dataSourceId, ...excluded });
  await see(process, `/api/task/${id}/preflight/blocked?format=csv`);
  await post(process, '/api/task/pause', { id });
  await post(process, '/api/task/resume', { id });
  await result(process, call!, 'success');
  await result(process, failed!, 'failed');
  await lease(process, { taskId: id });
  await post(process, '/api/task/adjust', { id, keepOpen: false });
  await post(process, `/api/task/${id}/recall`);
  expectError(await process.post('/api/dataSource/delete', { id: dataSourceId }), 405, /./);
  // One contact is in line, and another was never called: the close looks for calls in progress
  // among both.
  await process.aContact(dataSourceId);
  await process.aContact(dataSourceId);
  await lease(process, { taskId: id, limit: 1 });
  await post(process, '/api/task/stop', { id });
  world.clock.advance(3601);
  await post(process, '/api/task/close', { id });
  await post(process, '/api/dataSource/delete', { id: dataSourceId });
  await see(process, `/api/task/${id}/contacts`);
  world.clock.advance(quietSeconds);
  await process.events.doDueFileWork();
};

/**
 * Contacts that do not match the filter of a task when their turn comes, and are changed by each
 * road.
 */
const selectedAgain = async (process: FaultProcess, world: World) => {
  const { id: dataSourceId } = await process.aDataSource();
  const contacts = `/api/dataSource/${dataSourceId}/contact`;
  const phones = [0, 1, 2, 3, 4, 5].map((at) => `1300013000${at}`);
  const added = [];
  for (const phoneNumber of phones)
    added.push(await process.aContact(dataSourceId, { phoneNumber, plan: 'silver' }));
  const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
  const rules = { contactFilter, callInterval: 0, maxDialCount: 2, keepOpen: true };
  const { id } = await process.aTaskIn(1, { dataSourceId, ...rules });
  await post(process, '/api/task/preflight', { id });
  await lease(process, { taskId: id });
  await post(process, '/api/contact/find', { phoneNumber: phones[0]! });
  await post(process, `${contacts}/update`, { contactId: added[0]!.id, plan: 'gold' });
  await post(process, '/api/contact/find', { phoneNumber: phones[0]! });
  const [call] = await lease(process, { taskId: id });
  await result(process, call!, 'failed');
  await post(process, `${contacts}/update`, { contactId: added[0]!.id, timeZone: 'UTC' });
  await post(process, `${contacts}/update`, { contactId: added[0]!.id, plan: 'silver' });
  await lease(process, { taskId: id });
  const update = { onDuplicate: 'update' };
  const changed = [{ phoneNumber: phones[1], plan: 'gold', timeZone: 'UTC' }];
  await post(process, `${contacts}/batchAdd`, { contacts: changed, ...update });
  const fileOf = (at: number) => `phoneNumber,plan,timeZone\n${phones[at]},gold,UTC\nnone,gold,\n`;
  succeeded(
    await send(process, { path: `${contacts}/batchImport`, file: fileOf(2), body: update }, undefined),
  );
  const { importId, key } = await upload(process, world, dataSourceId, fileOf(3), update);
  await process.events.importFile(arrival(key, fileOf(3)));
  await see(process, `${contacts}/import/${importId}`);
  await upload(process, world, dataSourceId, fileOf(4), update);
  world.clock.advance(7 * 60);
  await process.events.doDueFileWork();
  await lease(process, { taskId: id });
  await post(process, '/api/task/adjust', { id, contactFilter: [] });
  await lease(process, { taskId: id });
};

/**
 * Contacts that are changed and deleted while they are called: their calls are found by the numbers
 * that were called.
 */
const changedInCalls = async (process: FaultProcess) => {
  const phones = ['13200132000', '13200132001', '13200132002', '13200132003'];
  const { id, dataSourceId } = await process.aTaskOf(phones.map((phoneNumber) => ({ phoneNumber })));
  const contacts = `/api/dataSource/${dataSourceId}/contact`;
  const calls = await lease(process, { taskId: id });
  const [changed, deleted, other, moved] = calls.map(({ contactId }) => contactId);
  await post(process, `${contacts}/update`, { contactId: moved, timeZone: 'Asia/Tokyo' });
  await post(process, `${contacts}/update`, { contactId: changed, phoneNumber: '13200132009' });
  await post(process, `${contacts}/delete`, { contactId: deleted });
  await post(process, `${contacts}/batchDelete`, { contactIds: [other] });
  const gone = [
    process.get(`/api/task/${'0'.repeat(16)}/timeline`),
    process.post(`${contacts}/delete`, { contactId: deleted }),
    process.get(`${contacts}/detail/${deleted}`),
    process.post(`${contacts}/update`, { contactId: deleted }),
  ];
  for (const answer of gone) expectError(await answer, 404, /./);
  for (const { callId } of calls) {
    await post(process, '/api/dialer/results', { results: [{ callId, outcome: 'failed' }] });
    await post(process, '/api/dialer/annotate', { callId, doNotCall: true });
  }
  for (const phoneNumber of phones) await post(process, '/api/contact/erase', { phoneNumber });
};

/** Nobody failed: the dialer that finds nothing to do ends the task, and so does Amazon Connect. */
const nobodyLeft = async (process: FaultProcess) => {
  const { id } = await process.aTaskOf(1, { maxDialCount: 1 });
  const [call] = await lease(process, { taskId: id });
  await result(process, call!, 'success');
  for (const asks of [() => lease(process), () => process.events.pumpCalls()]) {
    await post(process, `/api/task/${id}/recall`);
    await asks();
  }
};

/** The last calls of tasks, in one request, and on a call that Amazon Connect makes. */
const lastCalls = async (process: FaultProcess, world: World) => {
  const { id } = await process.aTaskOf(1, { maxDialCount: 1 });
  const [call] = await lease(process, { taskId: id });
  const results = [{ callId: call!.callId, outcome: 'success', doNotCall: true }];
  await post(process, '/api/dialer/results', { results });
  await process.aTaskOf(
    ['+13125550101', '+13125550102', '10086'].map((phoneNumber) => ({ phoneNumber })),
    { maxDialCount: 1 },
  );
  await process.events.pumpCalls();
  await process.events.connectResults(contactEvent({ contactId: world.connect.started[0]!.contactId }));
  // Of the other call nobody tells: Connect is asked.
  world.clock.advance(3601);
  await process.events.pumpCalls();
};

/** A call that Amazon Connect tells of as not answered: the person waits for another one. */
const calledAgain = async (process: FaultProcess, world: World) => {
  await process.aTaskOf([{ phoneNumber: '+13125550109' }], { maxDialCount: 2 });
  await process.events.pumpCalls();
  const { contactId } = world.connect.started.at(-1)!;
  world.connect.unanswered.add(contactId);
  const never = { connectedToSystemTimestamp: undefined, agentInfo: undefined };
  await process.events.connectResults(contactEvent({ contactId, ...never }));
};

/** An upload that is waited for, and is deleted with its data source. */
const deletedWithImport = async (process: FaultProcess, world: World) => {
  const { id } = await process.aDataSource();
  const { importId } = await upload(process, world, id);
  await see(process, `/api/dataSource/${id}/contact/import/${importId}`);
  await post(process, '/api/dataSource/delete', { id });
};

/** More directory pages than one transaction deletes. */
const deletedWithManyPages = async (process: FaultProcess, world: World) => {
  const { id } = await process.aDataSource();
  await world.database.putAll(emptyPages(id, 100 * seqsPerPage));
  await post(process, '/api/dataSource/delete', { id });
};

/**
 * Calls of a task whose next look at its contacts is far away, and calls that are agreed for ever
 * earlier times.
 */
const agreedCallbacks = async (process: FaultProcess, world: World) => {
  const { id } = await process.aTaskOf(7, { callInterval: 30, maxDialCount: 3 });
  const calls = await lease(process, { taskId: id, leaseSeconds: 3600 });
  await lease(process);
  const at = (minutes: number) => ({ callbackTime: process.timeIn(world.clock.now() + minutes * 60_000) });
  const reports: ((call: Call, wish: object) => Promise<unknown>)[] = [
    ({ callId }, wish) => post(process, '/api/dialer/result', { callId, outcome: 'failed', ...wish }),
    ({ callId }, wish) =>
      post(process, '/api/dialer/results', { results: [{ callId, outcome: 'failed', ...wish }] }),
  ];
  for (const report of reports) {
    world.clock.advance(5);
    await report(calls.pop()!, {});
    await lease(process);
  }
  for (const [nth, report] of [...reports, ...reports].entries()) await report(calls.pop()!, at(40 - nth));
  for (const move of ['pause', 'resume']) await post(process, `/api/task/${move}`, { id });
  world.clock.advance(37 * 60);
  const [called] = await lease(process, { limit: 1 });
  await lease(process, { limit: 1 });
  await post(process, '/api/dialer/release', { callId: called!.callId });
  world.clock.advance(3600);
  const all = await lease(process, { limit: 20 });
  for (const call of all) await reports[0]!(call, {});
  await lease(process);
  await post(process, `/api/task/${id}/recall`, { priority: 1 });
};

const databaseOf = ({ dynamoDb }: World) => new Database(tableAnsweredBy(dynamoDb.requestHandler), tableName);

/** A webhook for one task that is sent an event and a stretch, and the events with their calls. */
const toldOfOneTask = async (process: FaultProcess, world: World) => {
  const { id: taskId } = await process.aTaskOf(1);
  const [call] = await lease(process, { taskId });
  await result(process, call!, 'success');
  const receiver = { url: 'https://receiver.example.com', taskIds: [taskId], expandCall: true };
  const { id } = await post(process, '/api/webhook/add', receiver);
  await post(process, '/api/webhook/update', { id, taskIds: [taskId] });
  const time = new Date(world.clock.now()).toISOString();
  const data = { callId: call!.callId, taskId };
  const type = 'call.ended' as const;
  await new EventList(databaseOf(world)).append([{ id: 'ended', type, time, data }], world.clock.now());
  await see(process, '/api/event/list?expand=call');
  await post(process, '/api/webhook/send', { id, eventIds: ['ended'] });
  const stretch = { from: '2026-05-01 09:00:00', to: '2026-06-01 09:00:00' };
  await post(process, '/api/webhook/send', { id, ...stretch });
  await process.events.deliverEvents({ Records: [{ body: JSON.stringify({ webhookId: id }) }] });
  await see(process, `/api/webhook/${id}/deliveries`);
};

/** Pages that release 0.5 listed, one of which has expired, read by each reader. */
const listedBefore = async (process: FaultProcess, world: World) => {
  const { id } = await post(process, '/api/webhook/add', { url: 'https://receiver.example.com' });
  const now = world.clock.now();
  const event = { type: 'task.deleted', time: new Date(now).toISOString(), data: {} } as const;
  const database = databaseOf(world);
  for (const name of ['expired', 'old']) await listAsBefore(database, [{ ...event, id: name }], now);
  const [expired] = await database.queryAll(partitionRange(keys.earlierEvents));
  await database.delete(keys.earlierEventPage(Number(expired?.sk)));
  for (const name of ['first', 'second']) {
    const record = { pk: { S: `TASK#${name}` }, sk: { S: 'META' }, id: { S: name }, status: { N: '0' } };
    await process.events.appendEvents({ Records: [{ dynamodb: { OldImage: record } }] });
  }
  await see(process, '/api/event/list');
  await see(process, '/api/webhook/list');
  const stretch = { from: '2026-05-01 09:00:00', to: '2026-06-01 09:00:00' };
  await post(process, '/api/webhook/send', { id, ...stretch });
  await process.events.doDueWork();
  await process.events.deliverEvents({ Records: [{ body: JSON.stringify({ webhookId: id }) }] });
};

/** The calls to the numbers are not counted any more: what is asked next looks them up in their records. */
const forgetCounted = async (world: World, phones: readonly string[]) => {
  const database = databaseOf(world);
  for (const phone of phones) await database.delete(keys.numberCalls(phone));
};

/** Limits on the calls to numbers that come late: calls that were not counted are looked up, by whoever needs them. */
const limitedLate = async (process: FaultProcess, world: World) => {
  const phones = [0, 1, 2, 3, 4, 5, 6].map((at) => `1330013300${at}`);
  const dispositions = [
    { code: 'rest', then: 'retry', restHours: 8784 },
    { code: 'none', then: 'retry' },
  ];
  const rules = { maxDialCount: 9, callInterval: 0, keepOpen: true, dispositions };
  const { id, dataSourceId } = await process.aTaskOf(
    phones.map((phoneNumber) => ({ phoneNumber })),
    rules,
  );
  const callLimits = [{ calls: 1, minutes: 60 }];
  const later = { taskName: 'Later', dataSourceId, ...rules, callLimits };
  const { id: limited } = await post(process, '/api/task/add', later);
  await post(process, '/api/task/publish', { id: limited });
  const forget = () => forgetCounted(world, phones);
  await lease(process, { taskId: id, limit: 2, leaseSeconds: 10 });
  world.clock.advance(11);
  const looks = [
    () => see(process, `/api/task/${limited}/overview`),
    () => see(process, `/api/task/overviews?ids=${limited}`),
    () => see(process, '/api/task/board'),
    () => see(process, `/api/task/${limited}/outlook`),
    () => see(process, `/api/task/${limited}/contacts`),
    () => post(process, '/api/contact/find', { phoneNumber: phones[0]! }),
    () => post(process, '/api/task/preflight', { id: limited }),
  ];
  await post(process, '/api/task/adjust', { id: limited, callLimits: [{ calls: 5, minutes: 60 }] });
  const calls = await lease(process, { taskId: limited, limit: 7, leaseSeconds: 600 });
  const at = (index: number) => calls[index]!;
  await forget();
  await post(process, '/api/dialer/release', { callId: at(0).callId });
  await forget();
  const ended = { outcome: 'success', duration: 60 };
  await post(process, '/api/dialer/result', { callId: at(1).callId, ...ended, disposition: 'rest' });
  await forget();
  const results = [{ callId: at(2).callId, ...ended, disposition: 'rest' }];
  await post(process, '/api/dialer/results', { results });
  await post(process, '/api/dialer/result', { callId: at(3).callId, ...ended, disposition: 'none' });
  await post(process, '/api/task/adjust', { id: limited, restAfterSuccess: 24 });
  await forget();
  await post(process, '/api/dialer/annotate', { callId: at(3).callId, disposition: 'rest' });
  await forget();
  const update = { contactId: at(3).contactId, timeZone: 'UTC' };
  await post(process, `/api/dataSource/${dataSourceId}/contact/update`, update);
  await forget();
  await post(process, `/api/task/${limited}/recall`, { contactIds: [at(1).contactId] });
  await forget();
  await post(process, '/api/task/adjust', { id: limited, restAfterSuccess: 48 });
  await forget();
  await process.events.doDueWork();
  await lease(process, { taskId: limited, limit: 7, leaseSeconds: 10 });
  // Nobody counts any more after a month without a limited lease.
  world.clock.advance(400 * 24 * 3600);
  for (const look of looks) {
    world.clock.advance(60);
    await forget();
    await look();
  }
};

/** Ways through functions that the scenarios do not take, and that need more of their roles. */
export const rareWays: Record<string, (process: FaultProcess, world: World) => Promise<void>> = {
  behindOthers,
  lapsedFirst,
  changedRules,
  selectedAgain,
  changedInCalls,
  nobodyLeft,
  lastCalls,
  calledAgain,
  deletedWithImport,
  deletedWithManyPages,
  agreedCallbacks,
  toldOfOneTask,
  listedBefore,
  limitedLate,
};
