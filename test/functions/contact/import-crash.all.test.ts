import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ContactImport } from '../../../shared/imports/rules.ts';
import { Agenda } from '../../../shared/platform/agenda/index.ts';
import { log } from '../../../shared/platform/observability/index.ts';
import { keys } from '../../../shared/platform/table/index.ts';
import { openDiskTable } from '../../support/engines/disk-table.ts';
import {
  contactsCsv,
  imported,
  listed,
  phoneAt,
  phones,
  sendFile,
} from '../../support/files/contact-files.ts';
import { type Api, startApi, succeeded } from '../../support/service/api.ts';
import type { CrashPoint } from '../../support/service/crash-point.ts';
import { startServiceProcess } from '../../support/service/crashing-service.ts';
import { aFolder, until } from '../../support/service/object-store.ts';

/** 6 batches of guards, 7 of contacts and blocks. */
const rows = 150;
const taken = 7;

const restarted = async (dataDir: string): Promise<Api> => {
  const complaints = vi.spyOn(log, 'error');
  const engine = { open: () => openDiskTable(dataDir) };
  const api = await startApi({ engine, dataDir });
  onTestFinished(async () => {
    await api.stop();
    expect(complaints).not.toHaveBeenCalled();
    complaints.mockRestore();
  });
  const agenda = new Agenda(api.database);
  await until(async () => (await agenda.listed('import')).length === 0);
  return api;
};

const recordsOf = async (api: Api, id: string) =>
  (await api.database.queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :import)',
    ExpressionAttributeValues: { ':pk': keys.import(id, '').pk, ':import': keys.import(id, '').sk },
  })) as unknown as ContactImport[];

/** What one clean run leaves: the contact that was there, then the file's others in their order. */
const expectImportedOnce = async (api: Api, id: string) => {
  const counts = { importCount: rows, successCount: rows - 1, failCount: 1 };
  expect(await recordsOf(api, id)).toMatchObject([{ status: 'DONE', ...counts }]);
  const inFile = Array.from({ length: rows }, (_, at) => phoneAt(at));
  expect(phones(await listed(api, id))).toEqual([phoneAt(taken), ...inFile.toSpliced(taken, 1)]);
  expect(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(rows);
  // No number is blocked by a guard without its contact, and none is free that has one.
  expect(await imported(api, id, await contactsCsv(rows + 1))).toMatchObject({
    successCount: 1,
    failCount: rows,
  });
  const [, second] = await listed(api, id);
  const path = `/api/dataSource/${id}/contact`;
  succeeded(await api.post(`${path}/delete`, { contactId: second!.id }));
  succeeded(await api.post(`${path}/add`, { phoneNumber: second!.phoneNumber }));
};

const points: CrashPoint[] = [
  { step: 'claim', call: 1, when: 'before' },
  { step: 'reserve', call: 1, when: 'before' },
  { step: 'reserve', call: 1, when: 'after' },
  { step: 'guard', call: 3, when: 'after' },
  { step: 'guard', call: 6, when: 'after' },
  { step: 'write', call: 3, when: 'after' },
  { step: 'commit', call: 1, when: 'before' },
  { step: 'commit', call: 1, when: 'after' },
];

describe('a service killed and started again', () => {
  const aDataSource = async (api: Api) => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: phoneAt(taken) });
    return id;
  };

  it.each(points)('ends a batch import ($step $call, $when)', async (point) => {
    const dataDir = await aFolder();
    const service = await startServiceProcess(dataDir, { crashPoint: point });
    const id = await aDataSource(service.api);
    await expect(sendFile(service.api, id, await contactsCsv(rows))).rejects.toThrow();
    expect(await service.ended).toBe('SIGKILL');
    await expectImportedOnce(await restarted(dataDir), id);
  });

  const dropPoints: CrashPoint[] = [
    { step: 'register', call: 1, when: 'before' },
    { step: 'register', call: 1, when: 'after' },
    { step: 'write', call: 3, when: 'after' },
  ];
  it.each(dropPoints)('ends the import of a dropped file ($step $call, $when)', async (point) => {
    const dataDir = await aFolder();
    const service = await startServiceProcess(dataDir, { crashPoint: point });
    const id = await aDataSource(service.api);
    const folder = path.join(dataDir, 'imports', id);
    await mkdir(folder);
    await writeFile(path.join(folder, 'x.csv'), await contactsCsv(rows));
    expect(await service.ended).toBe('SIGKILL');
    const api = await restarted(dataDir);
    const count = async () => succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount;
    await until(async () => (await count()) === rows);
    await expectImportedOnce(api, id);
    expect(await readdir(folder)).toEqual(['x.csv', 'x.csv.result.json']);
  });

  it('has nothing of a batch import that was killed before it was registered', async () => {
    const dataDir = await aFolder();
    const service = await startServiceProcess(dataDir, {
      crashPoint: { step: 'register', call: 1, when: 'before' },
    });
    const id = await aDataSource(service.api);
    await expect(sendFile(service.api, id, await contactsCsv(rows))).rejects.toThrow();
    expect(await service.ended).toBe('SIGKILL');
    const api = await restarted(dataDir);
    expect(phones(await listed(api, id))).toEqual([phoneAt(taken)]);
    expect(await recordsOf(api, id)).toEqual([]);
    expect(await imported(api, id, await contactsCsv(rows))).toMatchObject({ successCount: rows - 1 });
  });
});
