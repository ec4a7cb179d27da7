import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { log } from '../../shared/platform/observability/log.ts';
import { openDiskTable } from '../support/engines/disk-table.ts';
import { contactsCsv, listed, phoneAt, phones, sendFile } from '../support/files/contact-files.ts';
import { type Api, startApi, succeeded } from '../support/service/api.ts';
import { startServiceProcess } from '../support/service/crashing-service.ts';
import { aFolder, until } from '../support/service/object-store.ts';

/** 6 batches of guards, 7 of contacts and blocks. */
const rows = 150;
const taken = 7;
const folderOf = (dataDir: string, id: string) => path.join(dataDir, 'imports', id);

type Road = (api: Api, id: string, file: Buffer, dataDir: string) => Promise<unknown>;
const roads: Record<string, Road> = {
  'a batch import': async (api, id, file) => expect(sendFile(api, id, file)).rejects.toThrow(),
  'a dropped file': async (_api, id, file, dataDir) => {
    await mkdir(folderOf(dataDir, id));
    await writeFile(path.join(folderOf(dataDir, id), 'x.csv'), file);
  },
  'an upload': async (api, id, file) => {
    const upload = { fileName: 'x.csv', fileSize: file.length };
    const path = `/api/dataSource/${id}/contact/importUpload`;
    const { uploadUrl } = succeeded(await api.post(path, upload));
    await fetch(String(uploadUrl), { method: 'PUT', body: file as never });
  },
};

const restarted = async (dataDir: string): Promise<Api> => {
  const complaints = vi.spyOn(log, 'error');
  const api = await startApi({ engine: { open: () => openDiskTable(dataDir) }, dataDir });
  onTestFinished(async () => {
    await api.stop();
    expect(complaints).not.toHaveBeenCalled();
    complaints.mockRestore();
  });
  return api;
};

/**
 * The faults at every call prove each step. This proves that what a killed process leaves on the
 * disk is found again.
 */
const points = Object.keys(roads).flatMap((road) => [8, 14].map((call) => ({ road, call })));

it.each(points)('a service that was killed ends $road (before call $call)', async ({ road, call }) => {
  const dataDir = await aFolder();
  const service = await startServiceProcess(dataDir, { crashAtCall: call });
  const { id } = await service.api.aDataSource();
  await service.api.aContact(id, { phoneNumber: phoneAt(taken) });
  await roads[road]!(service.api, id, await contactsCsv(rows), dataDir);
  expect(await service.ended).toBe('SIGKILL');
  const api = await restarted(dataDir);
  const imports = async () =>
    succeeded(await api.get(`/api/dataSource/${id}/contact/imports`)).rows as object[];
  await until(async () => (await imports()).some((each) => (each as { status: string }).status === 'DONE'));
  expect(await imports()).toMatchObject([{ importCount: rows, successCount: rows - 1, failCount: 1 }]);
  const inFile = Array.from({ length: rows }, (_, at) => phoneAt(at));
  expect(phones(await listed(api, id))).toEqual([phoneAt(taken), ...inFile.toSpliced(taken, 1)]);
  if (road === 'a dropped file')
    await expect.poll(() => readdir(folderOf(dataDir, id))).toEqual(['x.csv', 'x.csv.result.json']);
});

it('has nothing of a batch import that was killed before it was registered', async () => {
  const dataDir = await aFolder();
  const service = await startServiceProcess(dataDir, { crashAtCall: 1 });
  const { id } = await service.api.aDataSource();
  await roads['a batch import']!(service.api, id, await contactsCsv(rows), dataDir);
  expect(await service.ended).toBe('SIGKILL');
  const api = await restarted(dataDir);
  expect(await listed(api, id)).toEqual([]);
  expect(succeeded(await api.get(`/api/dataSource/${id}/contact/imports`)).rows).toEqual([]);
});
