import { readFile } from 'node:fs/promises';
import { routes } from '../../../shared/app/all-routes.ts';
import {
  appendEvents,
  connectResults,
  deliverEvents,
  doDueFileWork,
  doDueWork,
  importFile,
  publishEvents,
  pumpCalls,
} from '../../../shared/app/event-functions.ts';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import {
  Agenda,
  callsOf,
  deferredOf,
  erasureWork,
  importWork,
  removalWork,
} from '../../../shared/platform/agenda/index.ts';
import { keys } from '../../../shared/platform/table/index.ts';
import { until } from '../service/object-store.ts';
import { contactEvent } from './contact-events.ts';
import type { DeployedService } from './deployed-service.ts';

type WithId = { id: string };
type Leased = { calls: { callId: string; contactId: string }[] };

const addContacts = async (service: DeployedService, dataSourceId: string, phones: readonly string[]) => {
  const added: string[] = [];
  for (const phoneNumber of phones) {
    const body = { phoneNumber, customerName: 'Li Wei', plan: 'gold' };
    added.push((await service.call<WithId>(routes.addContact, { params: { id: dataSourceId }, body })).id);
  }
  return added;
};

const addDataSource = async (service: DeployedService, dataSourceName: string) =>
  (await service.call<WithId>(routes.addDataSource, { body: { dataSourceName } })).id;

const addTask = async (service: DeployedService, dataSourceId: string, taskName: string, rules = {}) => {
  const body = { taskName, dataSourceId, maxDialCount: 1, callInterval: 0, ...rules };
  return (await service.call<WithId>(routes.addTask, { body })).id;
};

/** Data sources and contacts: every endpoint, and each of the ways it can take through the table. */
export const manageContacts = async (service: DeployedService): Promise<string> => {
  const id = await addDataSource(service, 'Customers');
  const params = { id };
  await service.call(routes.updateDataSource, { body: { id, dataSourceName: 'June renewals' } });
  await service.call(routes.dataSourceDetail, { params });
  await service.call(routes.listDataSources, { query: { dataSourceName: 'june' } });
  await service.call(routes.listDataSources);
  const [first, second] = await addContacts(service, id, ['13800138000', '13800138001', '13800138002']);
  await service.call(routes.updateContact, { params, body: { contactId: first, timeZone: 'Asia/Tokyo' } });
  await service.call(routes.updateContact, {
    params,
    body: { contactId: first, phoneNumber: '13900139000' },
  });
  await service.call(routes.deleteContact, { params, body: { contactId: second } });
  for (const route of [routes.updateContact, routes.deleteContact]) {
    await service.answerTo(route, { params, body: { contactId: second } });
  }
  await service.call(routes.batchAdd, { params, body: { contacts: [{ phoneNumber: '13800138009' }] } });
  await service.call(routes.batchAdd, {
    params,
    body: { contacts: [{ phoneNumber: '13800138009', plan: 'gold' }], onDuplicate: 'update' },
  });
  await service.call(routes.batchDelete, { params, body: { phoneNumbers: ['13800138009'] } });
  await service.call(routes.listContacts, { params });
  for (const contactId of [first, second])
    await service.answerTo(routes.contactDetail, { params: { ...params, contactId: String(contactId) } });
  await service.call(routes.listContacts, { params, query: { phoneNumber: '139' } });
  return id;
};

const csvOf = (customerName: string, ...phones: string[]) =>
  ['phoneNumber,customerName,source', ...phones.map((p) => `${p},${customerName},web`)].join('\r\n');
const csv = (...phones: string[]) => csvOf('A', ...phones);

/** The id of an import whose file is in the bucket, and what EventBridge would tell of it. */
const uploadFile = async (service: DeployedService, dataSourceId: string, file: string, options = {}) => {
  const { importId, uploadUrl } = await service.call<{ importId: string; uploadUrl: string }>(
    routes.importUpload,
    { params: { id: dataSourceId }, body: { fileName: 'june.csv', fileSize: file.length, ...options } },
  );
  await fetch(uploadUrl, { method: 'PUT', body: file });
  const arrival = () => service.arrived.find(({ detail }) => detail.object.key.includes(importId));
  await until(() => arrival() !== undefined);
  return { importId, arrived: arrival() };
};

/** An import that nobody was told of, long enough ago for the sweep. */
const forgetImport = async (service: DeployedService, dataSourceId: string, file: string, options = {}) => {
  const { importId } = await uploadFile(service, dataSourceId, file, options);
  await new Agenda(service.table).bringForward(importWork(importId), Date.now());
  return importId;
};

/** Contacts that are there get the fields of their rows, and match the filter of a task then. */
const updateByEachRoad = async (service: DeployedService, dataSourceId: string) => {
  const options = { onDuplicate: 'update' };
  const params = { id: dataSourceId };
  const phone = '13700137000';
  const contactFilter = [{ field: 'customerName', is: 'in', value: ['B', 'C', 'D', 'E'] }];
  const task = { id: await addTask(service, dataSourceId, 'A part of the list', { contactFilter }) };
  await service.call(routes.publishTask, { body: task });
  await service.call(routes.batchImport, {
    params,
    file: csvOf('B', phone),
    form: { dryRun: 'true', ...options },
  });
  await service.call(routes.batchImport, { params, file: csvOf('B', phone), form: options });
  const { arrived } = await uploadFile(service, dataSourceId, csvOf('C', phone), options);
  await service.invoke(importFile.id, arrived);
  await forgetImport(service, dataSourceId, csvOf('D', phone), options);
  await service.invoke(doDueFileWork.id, {});
  await service.call(routes.batchAdd, {
    params,
    body: { contacts: [{ phoneNumber: phone, customerName: 'E' }], ...options },
  });
  await service.call(routes.stopTask, { body: task });
};

/** An import whose runner died after it had written a row. */
const breakImport = async (service: DeployedService, dataSourceId: string) => {
  const { importId } = await uploadFile(service, dataSourceId, csv('13500135000'));
  const hold = { owner: 'dead', now: Date.now(), until: Date.now() };
  const { import: held } = await openStores(service.table).importRecords.begin(dataSourceId, importId, hold);
  const rows = [{ line: 2, phoneNumber: '13500135000', fields: {} }];
  await openStores(service.table).importedContacts.writeRows(held, { rows, importCount: 1 }, Date.now());
  return importId;
};

/** Files in by each road, and out again. */
export const moveFiles = async (service: DeployedService, dataSourceId: string) => {
  const params = { id: dataSourceId };
  const statusOf = (importId: string) =>
    service.call(routes.importStatus, { params: { ...params, importId } });
  const file = csv('13700137000', '13700137001', '13700137000', '13900139000');
  const imported = await service.call(routes.batchImport, { params, file });
  const { importId, arrived } = await uploadFile(service, dataSourceId, csv('13600136000', '13600136001'));
  await service.invoke(importFile.id, arrived);
  const status = await statusOf(importId);
  await service.call(routes.importUpload, { params, body: { fileName: 'never-sent.csv', fileSize: 1 } });
  const forgotten = await forgetImport(service, dataSourceId, csv('13600136002', '13900139000'));
  await service.invoke(doDueFileWork.id, {});
  const swept = await statusOf(forgotten);
  await updateByEachRoad(service, dataSourceId);
  const broken = await breakImport(service, dataSourceId);
  const cancelled = await service.call(routes.cancelImport, { params: { ...params, importId: broken } });
  const previews = [await service.call(routes.importPreview, { params, file })];
  for (const workbook of ['plain.xlsx', 'plain.ods']) {
    const made = await readFile(
      new URL(`../../fixtures/contact-files/libreoffice-${workbook}`, import.meta.url),
    );
    previews.push(await service.call(routes.importPreview, { params, file: made }));
    previews.push(await service.call(routes.filePreview, { file: made }));
  }
  const listed = await service.call(routes.listImports, { params });
  const rejected = await service.answerTo(routes.rejectedRows, {
    params: { ...params, importId: forgotten },
    query: { format: 'csv' },
  });
  const exported = await service.answerTo(routes.batchExport, { params, query: { format: 'csv' } });
  return { imported, status, swept, cancelled, previews, listed, rejected, exported };
};

/** What operators see of it. */
const seeTask = async (service: DeployedService, id: string) => {
  const params = { id };
  await service.call(routes.taskOverview, { params });
  await service.call(routes.taskOverviews, { query: { ids: id, day: '2026-05-01' } });
  await service.call(routes.taskBoard, { query: { attention: 'true', imports: 'true' } });
  for (const outcome of ['all', 'inCall', 'waiting', 'success']) {
    await service.call(routes.taskContacts, { params, query: { outcome } });
  }
};

/** A call is read by its id and in the list, and learns something later. */
const seeCalls = async (service: DeployedService, id: string, callId: string) => {
  await service.call(routes.annotateCall, { body: { callId, data: { mood: 'calm' }, doNotCall: false } });
  await service.call(routes.callDetail, { params: { callId } });
  await service.call(routes.taskCallList, { params: { id }, query: { outcome: 'success' } });
  await service.answerTo(routes.exportCalls, { params: { id }, query: { format: 'csv' } });
};

const takeCall = async (
  service: DeployedService,
  taskId: string,
  outcome: string,
  meanwhile: () => Promise<void> = async () => {},
  wish: object = {},
) => {
  const { calls } = await service.call<Leased>(routes.leaseCalls, { body: { taskId, limit: 1 } });
  const callId = calls[0]?.callId ?? '';
  await meanwhile();
  await service.call(routes.reportResult, { body: { callId, outcome, duration: 3, ...wish } });
  await seeCalls(service, taskId, callId);
  return calls[0]?.contactId ?? '';
};

/** A task that dialers do not serve, although they ask for calls: tasks ahead of it are looked for. */
const seeIdleTask = async (service: DeployedService, dataSourceId: string) => {
  const body = { id: await addTask(service, dataSourceId, 'Behind others') };
  await service.call(routes.publishTask, { body });
  await seeTask(service, body.id);
  await service.call(routes.stopTask, { body });
};

/** Whom a stored task and a planned one would call, and whom they would not. */
const lookAhead = async (service: DeployedService, id: string, dataSourceId: string) => {
  await service.call(routes.preflightTask, { body: { id } });
  const listed = await addDataSource(service, 'One of them');
  await addContacts(service, listed, ['13500135000']);
  const rules = { excludedDataSourceIds: [listed] };
  await service.call(routes.preflightTask, { body: { dataSourceId, ...rules } });
  const blocked = await addTask(service, dataSourceId, 'Not all are called', rules);
  await service.answerTo(routes.preflightBlocked, { params: { id: blocked }, query: { format: 'csv' } });
};

/** A task from draft to closed, with calls, recalls of both kinds and its figures. */
export const runTask = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'To be called');
  await addContacts(service, dataSourceId, ['13500135000', '13500135001', '13500135002', '13500135003']);
  const excluded = await addDataSource(service, 'Not to be called');
  const id = await addTask(service, dataSourceId, 'A task');
  const params = { id };
  await service.call(routes.updateTask, {
    body: {
      ...{ id, taskName: 'Renewals', priority: 1, excludedDataSourceIds: [excluded] },
      callUntil: '2090-01-01 00:00',
    },
  });
  await service.call(routes.publishTask, { body: { id } });
  const pauseWhen = { failedPercent: 100, calls: 1000 };
  await service.call(routes.adjustTask, {
    body: { id, pauseWhen, callUntil: '2091-01-01 00:00', excludedDataSourceIds: [excluded] },
  });
  for (const route of [routes.pauseTask, routes.resumeTask]) await service.call(route, { body: { id } });
  await service.call(routes.taskDetail, { params });
  await lookAhead(service, id, dataSourceId);
  const succeeded = await takeCall(service, id, 'success', () => seeTask(service, id));
  await takeCall(service, id, 'failed');
  await service.call(routes.recallTask, { params, body: { contactIds: [succeeded] } });
  await service.call(routes.taskTimeline, { params });
  await service.call(routes.taskHistory, { params });
  // Somebody stands in line now.
  await seeTask(service, id);
  await service.call(routes.recallTask, { params, body: {} });
  for (let open = 4; open > 0; open--) await takeCall(service, id, open === 1 ? 'failed' : 'success');
  const ended = await service.call(routes.taskDetail, { params });
  await service.call(routes.recallTask, { params, body: {} });
  const stat = await service.call(routes.taskStat, { params });
  await service.call(routes.listTasks, { query: { taskName: 'renew', status: '1' } });
  await service.call(routes.listTasks);
  const exported = await service.answerTo(routes.exportTask, {
    params,
    query: { status: '1', format: 'csv' },
  });
  await takeCall(service, id, 'success', undefined, { doNotCall: true });
  await service.call(routes.recallTask, { params, body: {} });
  // Nobody failed: the dialer that finds nothing to do ends the task.
  await service.call(routes.leaseCalls, { body: {} });
  await seeIdleTask(service, dataSourceId);
  await service.call(routes.recallTask, { params, body: {} });
  // One contact is in line then, and another was never called: the close looks for calls in progress among both.
  await addContacts(service, dataSourceId, ['13500135004', '13500135005']);
  await takeCall(service, id, 'failed');
  await service.call(routes.stopTask, { body: { id } });
  await service.call(routes.leaseCalls, { body: { taskId: id } });
  await service.call(routes.closeTask, { body: { id } });
  return { ended, stat, exported, dataSourceId };
};

/** A closed task, and a data source with an import that broke off, deleted and removed; an import that is not ended yet. */
export const deleteRecords = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'To be deleted');
  await addContacts(service, dataSourceId, ['13400134000', '13400134001']);
  const id = await addTask(service, dataSourceId, 'To be deleted');
  await service.call(routes.publishTask, { body: { id } });
  await takeCall(service, id, 'failed');
  for (const route of [routes.stopTask, routes.closeTask]) await service.call(route, { body: { id } });
  const params = { id: dataSourceId };
  await service.call(routes.batchImport, { params, file: csv('13400134002') });
  await breakImport(service, dataSourceId);
  await service.call(routes.deleteDataSource, { body: { id: dataSourceId } });
  await service.call(routes.taskContacts, { params: { id } });
  await service.answerTo(routes.exportTask, { params: { id }, query: { format: 'csv' } });
  await service.call(routes.deleteTask, { body: { id } });
  const agenda = new Agenda(service.table);
  await agenda.reschedule(importWork('0000000000000000'), Date.now() + 3_600_000, { dataSourceId });
  await service.table.put({ ...keys.import(dataSourceId, '0000000000000000'), status: 'WAITING' });
  for (const removal of [removalWork('task', id), removalWork('dataSource', dataSourceId)])
    await agenda.bringForward(removal, Date.now());
  await service.invoke(doDueFileWork.id, {});
  const { pk: removals } = keys.agendaEntry('removal', undefined, '');
  const left = [keys.dataSource(dataSourceId).pk, keys.task(id).pk, removals].map((pk) =>
    service.table.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  const { statusCode } = await service.answerTo(routes.listContacts, { params });
  const { tasks } = await service.call<{ tasks: { taskId: string }[] }>(routes.describeDay);
  return {
    called: tasks.some(({ taskId }) => taskId === id),
    statusCode,
    left: (await Promise.all(left)).flat().map(({ sk }) => sk),
  };
};

/** A task whose dates are over, which no dialer asks for. */
export const stopOverdue = async (service: DeployedService, dataSourceId: string) => {
  const id = await addTask(service, dataSourceId, 'Overdue', { callUntil: '2020-01-01 00:00' });
  await service.call(routes.publishTask, { body: { id } });
  await service.invoke(doDueWork.id, {});
  return service.call(routes.taskDetail, { params: { id } });
};

/** A task with a contact to call, for which no dialer has asked since it began a quarter of an hour ago. */
export const leaveAlone = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'Left alone');
  await addContacts(service, dataSourceId, ['13000130900']);
  const id = await addTask(service, dataSourceId, 'Left alone', { maxConcurrentCalls: 5 });
  await service.call(routes.publishTask, { body: { id } });
  const begun = Date.now() - 900_000;
  const { updateTime: _, ...record } = (await service.table.get(keys.task(id)))!;
  await service.table.put({ ...record, startTime: begun } as never);
  await new Agenda(service.table).bringForward(callsOf({ id, dataSourceId }), begun);
  await service.table.delete(keys.askedForAny);
  await service.invoke(doDueWork.id, {});
  await service.call(routes.stopTask, { body: { id } });
};

/** A contact that was deferred is called when an adjust opens its task. The task completes when it is not kept open any more. */
export const openAgain = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'Deferred');
  const body = { phoneNumber: '13100131009', timeZone: 'UTC' };
  await service.call(routes.addContact, { params: { id: dataSourceId }, body });
  const inThreeDays = ((new Date().getUTCDay() + 2) % 7) + 1;
  const id = await addTask(service, dataSourceId, 'Another day', { weekdays: [inThreeDays], keepOpen: true });
  await service.call(routes.publishTask, { body: { id } });
  const lease = { body: { taskId: id } };
  await service.call(routes.leaseCalls, lease);
  await service.call(routes.adjustTask, { body: { id, weekdays: [1, 2, 3, 4, 5, 6, 7] } });
  const { calls } = await service.call<{ calls: { callId: string }[] }>(routes.leaseCalls, lease);
  // The schedule searches again a minute after the adjust, whose time may be a second ahead.
  const agenda = new Agenda(service.table);
  const time = Date.now() - 62_000;
  await agenda.reschedule(deferredOf(id), time, { time });
  await service.invoke(doDueWork.id, {});
  const left = await agenda.find(deferredOf(id));
  for (const { callId } of calls)
    await service.call(routes.reportResult, { body: { callId, outcome: 'success' } });
  await service.call(routes.adjustTask, { body: { id, keepOpen: false } });
  const { status } = await service.call<{ status: number }>(routes.taskDetail, { params: { id } });
  return { calls, status, left };
};

/** A contact that does not match the filter of a task when its turn comes, and is changed twice; another that was passed. */
export const selectContacts = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'Plans');
  const params = { id: dataSourceId };
  const contacts = [
    { phoneNumber: '13000130000', plan: 'gold' },
    { phoneNumber: '13000130001', plan: 'gold' },
    { phoneNumber: '13000130002', plan: 'silver' },
  ];
  await service.call(routes.batchAdd, { params, body: { contacts } });
  const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
  const task = await addTask(service, dataSourceId, 'Only gold', { contactFilter });
  await service.call(routes.preflightTask, { body: { id: task } });
  await service.call(routes.publishTask, { body: { id: task } });
  const { rows } = await service.call<{ rows: { id: string }[] }>(routes.listContacts, { params });
  const lease = { body: { taskId: task, limit: 1 } };
  const update = (at: number, plan: string) =>
    service.call(routes.updateContact, { params, body: { contactId: rows[at]!.id, plan } });
  await service.call(routes.leaseCalls, lease);
  await update(1, 'silver');
  await service.call(routes.leaseCalls, lease);
  await service.call(routes.taskContacts, { params: { id: task }, query: { outcome: 'notSelected' } });
  await service.answerTo(routes.exportTask, { params: { id: task }, query: { format: 'csv' } });
  await service.call(routes.findPerson, { body: { phoneNumber: '13000130002' } });
  await update(1, 'gold');
  await update(2, 'gold');
  // It waits for its first call: its calls of the day count.
  await service.call(routes.findPerson, { body: { phoneNumber: '13000130002' } });
  const more = { body: { taskId: task, limit: 10 } };
  const { calls } = await service.call<{ calls: { phoneNumber: string }[] }>(routes.leaseCalls, more);
  await service.call(routes.adjustTask, { body: { id: task, contactFilter: [] } });
  await service.call(routes.stopTask, { body: { id: task } });
  return calls.map(({ phoneNumber }) => phoneNumber).sort();
};

/** A person who was called and is on the do-not-call list is found and erased; an erasure that broke off is finished. */
export const eraseThePerson = async (service: DeployedService) => {
  const phoneNumber = '13100131000';
  const dataSourceId = await addDataSource(service, 'People');
  const params = { id: dataSourceId };
  await addContacts(service, dataSourceId, [phoneNumber, '13100131001']);
  const id = await addTask(service, dataSourceId, 'A call to a person');
  await service.call(routes.publishTask, { body: { id } });
  const lease = { body: { taskId: id, limit: 10 } };
  const { calls } = await service.call<{ calls: { callId: string }[] }>(routes.leaseCalls, lease);
  for (const { callId } of calls)
    await service.call(routes.reportResults, { body: { results: [{ callId, outcome: 'failed' }] } });
  const listed = { phoneNumber, customerName: 'Li Wei' };
  await service.call(routes.addContact, { params: { id: 'do-not-call' }, body: listed });
  const found = await service.call(routes.findPerson, { body: { phoneNumber } });
  const erased = await service.call(routes.erasePerson, { body: { phoneNumber } });
  await changeTheCalled(service);
  const contacts = [{ dataSourceId, seq: 1 }];
  await new Agenda(service.table).add(erasureWork('broken off'), 0, { contacts });
  await service.invoke(doDueWork.id, {});
  const left = await service.call(routes.listContacts, { params });
  return { found, erased, left };
};

/** Contacts that are changed and deleted while they are called: their calls are found by the numbers that were called. */
const changeTheCalled = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'Changed in a call');
  const numbers = ['13200132000', '13200132001', '13200132002'];
  await addContacts(service, dataSourceId, numbers);
  const id = await addTask(service, dataSourceId, 'Calls to the changed');
  await service.call(routes.publishTask, { body: { id } });
  const { calls } = await service.call<{ calls: { callId: string; contactId: string }[] }>(
    routes.leaseCalls,
    {
      body: { taskId: id },
    },
  );
  const [changed, deleted, other] = calls.map(({ contactId }) => contactId);
  const params = { id: dataSourceId };
  const renumbered = { contactId: changed, phoneNumber: '13200132009' };
  await service.call(routes.updateContact, { params, body: renumbered });
  await service.call(routes.deleteContact, { params, body: { contactId: deleted } });
  await service.call(routes.batchDelete, { params, body: { contactIds: [other] } });
  for (const { callId } of calls) {
    await service.call(routes.reportResult, { body: { callId, outcome: 'failed' } });
    await service.call(routes.annotateCall, { body: { callId, doNotCall: true } });
  }
  for (const phoneNumber of numbers) await service.call(routes.erasePerson, { body: { phoneNumber } });
};

/** What the table's stream tells when a task is published, and what is listed of it. */
export const publishChange = async (service: DeployedService) => {
  const image = (status: number) => ({
    pk: { S: 'TASK#4k9x2m7q8t3vbn5c' },
    sk: { S: 'META' },
    id: { S: '4k9x2m7q8t3vbn5c' },
    taskName: { S: 'Renewals' },
    status: { N: String(status) },
    version: { N: String(status) },
  });
  const dynamodb = {
    ApproximateCreationDateTime: 1_777_629_600,
    Keys: { pk: { S: 'TASK#4k9x2m7q8t3vbn5c' }, sk: { S: 'META' } },
    OldImage: image(0),
    NewImage: image(1),
    SequenceNumber: '111',
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  };
  const record = { eventID: '1', eventName: 'MODIFY', eventSource: 'aws:dynamodb', dynamodb };
  const published = await service.invoke(publishEvents.id, { Records: [record] });
  const { pk, sk } = keys.call('4k9x2m7q8t3vbn5c', 0, Date.now(), 'gone');
  const call = {
    pk: { S: pk },
    sk: { S: sk },
    task: { S: '4k9x2m7q8t3vbn5c' },
    ds: { S: '7d2h6w9rk4mz3pqa' },
  };
  const times = { started: { N: '1777629600000' }, ended: { N: '1777629600000' } };
  const inserted = { ...dynamodb, OldImage: undefined, NewImage: { ...call, ...times } };
  await service.invoke(appendEvents.id, { Records: [record, { ...record, dynamodb: inserted }] });
  const listed = await service.call<{ events: WithId[] }>(routes.listEvents, { query: { expand: 'call' } });
  return { published, listed };
};

/** Two webhooks: one is changed and deleted, the other is sent a test, an event and a stretch, which do not arrive. */
export const sendToReceivers = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'Told about');
  const task = await addTask(service, dataSourceId, 'Told about');
  const add = async (body: object) =>
    (await service.call<WithId>(routes.addWebhook, { body: { url: 'https://receiver.invalid', ...body } }))
      .id;
  const [id, other] = [await add({ expandCall: true }), await add({ taskIds: [task] })];
  await service.call(routes.updateWebhook, { body: { id: other, taskIds: [task], newSecret: true } });
  await service.call(routes.deleteWebhook, { body: { id: other } });
  const { events } = (await publishChange(service)).listed;
  const stretch = { from: '2026-05-01 09:00:00', to: '2026-05-01 11:00:00' };
  for (const wish of [{ test: true }, { eventIds: [events.at(-1)?.id] }, stretch])
    await service.call(routes.sendToWebhook, { body: { id, ...wish } });
  await service.invoke(doDueWork.id, {});
  // What was asked for, then the stretch. The time of a run is short here.
  for (let run = 0; run < 3; run++)
    await service.invoke(deliverEvents.id, { Records: [{ body: JSON.stringify({ webhookId: id }) }] });
  const attempts = await service.call<{ rows: object[] }>(routes.listDeliveries, { params: { id } });
  return { id, attempts, listed: await service.call<{ rows: object[] }>(routes.listWebhooks) };
};

/** A task whose calls Amazon Connect makes. */
export const callThroughConnect = async (service: DeployedService) => {
  const dataSourceId = await addDataSource(service, 'Called by Connect');
  await addContacts(service, dataSourceId, ['+13125550123']);
  const id = await addTask(service, dataSourceId, 'By Connect');
  await service.call(routes.publishTask, { body: { id } });
  await service.invoke(pumpCalls.id, {});
  const contactId = service.connect.started[0]?.contactId ?? '';
  const begun = Date.now();
  service.connect.end(contactId, {
    connected: begun,
    disconnected: begun + 30_000,
    reason: 'CUSTOMER_DISCONNECT',
  });
  await service.invoke(connectResults.id, contactEvent({ contactId }));
  return service.call(routes.taskDetail, { params: { id } });
};

/** A task given up while its only call, which was extended first, is given back. */
export const failTask = async (service: DeployedService, dataSourceId: string) => {
  const id = await addTask(service, dataSourceId, 'To fail');
  await service.call(routes.publishTask, { body: { id } });
  const { calls } = await service.call(routes.leaseCalls, { body: { taskId: id, limit: 1 } });
  const { callId } = (calls as { callId: string }[])[0]!;
  await service.call(routes.extendLease, { body: { callId, leaseSeconds: 600 } });
  await service.call(routes.releaseCall, { body: { callId } });
  const failed = await service.call(routes.failTask, { body: { taskId: id, reason: 'the trunk is gone' } });
  const succeeded = await service.call(routes.recallTask, { params: { id }, body: {} });
  return { failed, succeeded };
};
