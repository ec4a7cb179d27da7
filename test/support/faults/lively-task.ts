import { expect } from 'vitest';
import { succeeded } from '../service/api.ts';
import { type Post, send } from '../service/post-scenarios.ts';
import type { EventId, FaultProcess } from './fault-process.ts';
import type { Run } from './scenario.ts';
import type { World } from './world.ts';

/** Two rows to import, one twice, one that is none. */
export const csv = 'phoneNumber,plan\n13800138000,gold\n13800138001,silver\n13800138001,gold\nnone,gold\n';

/** What S3 tells when a file has arrived. */
export const arrival = (key: string, file = csv) => ({
  detail: { object: { key, size: file.length, sequencer: '1' } },
});
export const invoking =
  (id: EventId, event?: unknown): Run =>
  async (process) => {
    await process.events[id](event);
    return undefined;
  };
export const arriving = (event: ReturnType<typeof arrival>): Run => invoking('importFile', event);

/** An import whose file lies in the bucket. */
export const upload = async (
  process: FaultProcess,
  world: World,
  dataSourceId: string,
  file = csv,
  options: object = {},
) => {
  const wanted = { fileName: 'contacts.csv', fileSize: file.length, ...options };
  const { importId, uploadUrl } = succeeded(
    await process.post(`/api/dataSource/${dataSourceId}/contact/importUpload`, wanted),
  ) as never as { importId: string; uploadUrl: string };
  const key = decodeURIComponent(new URL(uploadUrl).pathname.split('/').slice(2).join('/'));
  await (await world.objects()).put(key, file, 'text/csv');
  return { importId, key };
};

export const cancelling =
  (dataSourceId: string, importId: string, key?: string): Run =>
  (process) =>
    send(
      process,
      { path: `/api/dataSource/${dataSourceId}/contact/import/${importId}/cancel`, body: {} },
      key,
    );

/** A task that has been called a little, on a data source of an import with rejected rows. */
export const aLivelyTask = async (process: FaultProcess) => {
  const { id: dataSourceId } = await process.aDataSource();
  const imported = await send(
    process,
    { path: `/api/dataSource/${dataSourceId}/contact/batchImport`, file: csv },
    undefined,
  );
  succeeded(imported);
  const { id } = await process.aTask({ dataSourceId, maxDialCount: 2, callInterval: 0 });
  succeeded(await process.post('/api/task/publish', { id }));
  const { calls } = succeeded(await process.post('/api/dialer/lease', { taskId: id, limit: 2 })) as never as {
    calls: { callId: string; contactId: string }[];
  };
  succeeded(await process.post('/api/dialer/result', { callId: calls[0]?.callId, outcome: 'failed' }));
  const [{ importId } = { importId: '' }] = succeeded(
    await process.get(`/api/dataSource/${dataSourceId}/contact/imports`),
  ).rows as never as { importId: string }[];
  const { contactId = '', callId = '' } = calls[0] ?? {};
  const webhook = { url: 'https://receiver.example.com', types: ['task.deleted'] };
  const { id: webhookId } = succeeded(await process.post('/api/webhook/add', webhook));
  return { id, dataSourceId, contactId, callId, importId, webhookId: String(webhookId) };
};

/** The result with which a task pauses itself. */
export const aBrakingResult = async (process: FaultProcess): Promise<Post> => {
  const pauseWhen = { failedPercent: 100, calls: 10 };
  const { id } = await process.aTaskOf(12, { maxDialCount: 1, pauseWhen });
  const leased = succeeded(await process.post('/api/dialer/lease', { taskId: id, limit: 10 }));
  const [last, ...before] = (leased.calls as { callId: string }[]).map(({ callId }) => callId);
  const result = { outcome: 'failed', duration: 5 };
  for (const callId of before) succeeded(await process.post('/api/dialer/result', { callId, ...result }));
  return { path: '/api/dialer/result', body: { callId: last, ...result } };
};

/** A lease that finds the dates of the task over. */
export const aLeaseAfterTheEnd = async (process: FaultProcess): Promise<Post> => {
  await process.aTaskOf(1, { callUntil: '2020-01-01 00:00' });
  return { path: '/api/dialer/lease', body: { limit: 2 } };
};

/** An adjust that opens a task: its contacts were deferred to the next day. */
export const anOpeningAdjust = async (process: FaultProcess): Promise<Post> => {
  const contacts = ['UTC', 'Europe/Berlin'].map((timeZone) => ({ timeZone }));
  const { id } = await process.aTaskOf(contacts, { excludedDates: ['2026-05-04'] });
  const { calls } = succeeded(await process.post('/api/dialer/lease', { taskId: id }));
  expect(calls).toEqual([]);
  return { path: '/api/task/adjust', body: { id, excludedDates: [] } };
};

/** For whichever task is due: one of its contacts is not to be called. */
export const aLeaseOfAnyTask = async (process: FaultProcess): Promise<Post> => {
  const contacts = ['13800138000', '13800138001', '13800138002'].map((phoneNumber) => ({ phoneNumber }));
  await process.aContact('do-not-call', contacts[0]);
  await process.aTaskOf(contacts, { maxDialCount: 1 });
  return { path: '/api/dialer/lease', body: { limit: 2 } };
};
