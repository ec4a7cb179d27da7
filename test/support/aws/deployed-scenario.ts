import { readFile } from 'node:fs/promises';
import { allRoutes, routes } from '../../../shared/app/all-routes.ts';
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
import { exampleOf } from '../../../shared/platform/api/schemas.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { until } from '../service/object-store.ts';
import { contactEvent } from './contact-events.ts';
import type { DeployedService } from './deployed-service.ts';

type WithId = { id: string };

const addDataSource = async (service: DeployedService, dataSourceName: string) =>
  (await service.call<WithId>(routes.addDataSource, { body: { dataSourceName } })).id;

const addTask = async (service: DeployedService, dataSourceId: string, taskName: string) =>
  (await service.call<WithId>(routes.addTask, { body: { taskName, dataSourceId, maxDialCount: 1 } })).id;

const fixture = (name: string) =>
  readFile(new URL(`../../fixtures/contact-files/libreoffice-${name}`, import.meta.url));

/** Two contacts, one of them twice, and a row that is none. */
const csv = 'phoneNumber,customerName\n13700137000,A\n13700137001,A\n13700137000,A\nnone,A\n';

/** Files in by each road and out again, and the first call of a task. */
export const takeTheMainRoad = async (service: DeployedService) => {
  const id = await addDataSource(service, 'Customers');
  const params = { id };
  const imported = await service.call(routes.batchImport, { params, file: csv });
  const previews = [];
  for (const file of ['plain.xlsx', 'plain.ods'])
    previews.push(await service.call(routes.filePreview, { file: await fixture(file) }));
  const file = 'phoneNumber\n13600136000\n';
  const { importId, uploadUrl } = await service.call<Record<'importId' | 'uploadUrl', string>>(
    routes.importUpload,
    { params, body: { fileName: 'june.csv', fileSize: file.length } },
  );
  await fetch(uploadUrl, { method: 'PUT', body: file });
  const arrival = () => service.arrived.find(({ detail }) => detail.object.key.includes(importId));
  await until(() => arrival() !== undefined);
  await service.invoke(importFile.id, arrival());
  const exported = await service.answerTo(routes.batchExport, { params, query: { format: 'csv' } });
  const taskId = await addTask(service, id, 'Renewals');
  await service.call(routes.publishTask, { body: { id: taskId } });
  const leased = await service.call<{ calls: { callId: string }[] }>(routes.leaseCalls, {
    body: { taskId, limit: 1 },
  });
  const result = { callId: leased.calls[0]?.callId, outcome: 'failed', duration: 3 };
  await service.call(routes.reportResult, { body: result });
  await service.call(routes.callDetail, { params: { callId: String(result.callId) } });
  const task = await service.call(routes.taskDetail, { params: { id: taskId } });
  await service.call(routes.stopTask, { body: { id: taskId } });
  return { imported, previews, exported, task };
};

const unknownId = '0'.repeat(16);

/** What each route answers to its example, about things that mostly are not there. */
export const askEveryRoute = async (service: DeployedService) => {
  const params = Object.fromEntries(
    ['id', 'contactId', 'callId', 'importId'].map((name) => [name, unknownId]),
  );
  const answers: [string, number][] = [];
  for (const route of allRoutes) {
    const file = 'upload' in route ? { file: csv } : {};
    const body = 'body' in route ? { body: exampleOf(route.body as object) } : {};
    const query = route.id === 'taskOverviews' ? { query: { ids: unknownId } } : {};
    const { statusCode } = await service.answerTo(route, { params, ...body, ...file, ...query });
    answers.push([route.id, statusCode]);
  }
  for (const { id } of [doDueWork, doDueFileWork]) await service.invoke(id, {});
  return answers;
};

/** What the table's stream tells when a task is published, and what is listed of it. */
export const publishChange = async (service: DeployedService) => {
  const id = '4k9x2m7q8t3vbn5c';
  const { pk, sk } = keys.task(id);
  const key = { pk: { S: pk }, sk: { S: sk } };
  const image = (status: number) => ({
    ...{ ...key, id: { S: id }, taskName: { S: 'Renewals' } },
    ...{ status: { N: String(status) }, version: { N: String(status) } },
  });
  const dynamodb = {
    ApproximateCreationDateTime: 1_777_629_600,
    Keys: key,
    OldImage: image(0),
    NewImage: image(1),
    SequenceNumber: '111',
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  };
  const Records = [{ eventID: '1', eventName: 'MODIFY', eventSource: 'aws:dynamodb', dynamodb }];
  const published = await service.invoke(publishEvents.id, { Records });
  await service.invoke(appendEvents.id, { Records });
  const { events } = await service.call<{ events: WithId[] }>(routes.listEvents);
  return { published, events };
};

/** A webhook that is sent a test and an event, which do not arrive. */
export const sendToReceivers = async (service: DeployedService) => {
  const { id } = await service.call<WithId>(routes.addWebhook, { body: { url: 'https://receiver.invalid' } });
  const { events } = await publishChange(service);
  for (const wish of [{ test: true }, { eventIds: [events[0]?.id] }])
    await service.call(routes.sendToWebhook, { body: { id, ...wish } });
  await service.invoke(doDueWork.id, {});
  // The time of a run is short here.
  for (let run = 0; run < 2; run++)
    await service.invoke(deliverEvents.id, { Records: [{ body: JSON.stringify({ webhookId: id }) }] });
  const attempts = await service.call<{ rows: object[] }>(routes.listDeliveries, { params: { id } });
  return { id, attempts, listed: await service.call<{ rows: object[] }>(routes.listWebhooks) };
};

/** A task whose calls Amazon Connect makes. */
export const callThroughConnect = async (service: DeployedService) => {
  const params = { id: await addDataSource(service, 'Called by Connect') };
  await service.call(routes.addContact, { params, body: { phoneNumber: '+13125550123' } });
  const id = await addTask(service, params.id, 'By Connect');
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
