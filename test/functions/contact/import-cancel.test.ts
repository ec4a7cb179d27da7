import timers from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { importWork } from '../../../shared/imports/import-records.ts';
import type { ImportOptions } from '../../../shared/imports/rules/contact-import.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { log } from '../../../shared/platform/observability/log.ts';
import {
  contactsCsv,
  imported,
  listed,
  phoneAt,
  phones,
  sendFile,
  statusOf,
} from '../../support/files/contact-files.ts';
import { anImportOf, beforePut } from '../../support/files/large-files.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';

const api = useApi();
const count = 5;
let built = 0;

const pathOf = (id: string, importId: string) => `/api/dataSource/${id}/contact/import/${importId}`;
const cancelled = (id: string, importId: string) => api.post(`${pathOf(id, importId)}/cancel`, {});
/** A registered import of five rows, its file, and the pieces that run it. */
const anImport = async (options: ImportOptions = {}, dataSourceId?: string) => {
  const id = dataSourceId ?? (await api.aDataSource()).id;
  return { id, ...(await anImportOf(api.database, id, await contactsCsv(count), options)) };
};

const rows = Array.from({ length: count }, (_, at) => ({
  line: at + 2,
  phoneNumber: phoneAt(at),
  fields: { customerName: `New name ${at}` },
}));

type Import = Awaited<ReturnType<typeof anImport>>;
const sweep = (importer: Import['importer']) =>
  workOffAt(api.database, [importer.worker()], Date.now(), { takesOver: true });

/**
 * Begins the import and writes its first rows, as a runner that dies then; its hold lasts until
 * `until`.
 */
const broken = async ({ id, importId, importer, objects }: Import, until: number, written = count) => {
  // The runner before it has stored the rows of the file.
  const get = objects.get.bind(objects);
  const dying = vi.spyOn(objects, 'get').mockImplementation(async (key, ...more) => {
    if (key.endsWith('/000000.json')) throw new Error('the process ended');
    return get(key, ...more);
  });
  await importer.run(id, importId).catch(() => undefined);
  dying.mockRestore();
  const records = openStores(api.database).importRecords;
  const hold = { owner: `dead${++built}`, now: Date.now(), until, dead: 'all' as const };
  const { import: held } = await records.begin(id, importId, hold);
  const part = { rows: rows.slice(0, written), importCount: count };
  await openStores(api.database).importedContacts.writeRows(held, part, Date.now());
};

/** The tasks of the data source dial on: the contact behind the import is leased. */
const expectDialed = async (dataSourceId: string) => {
  await api.aContact(dataSourceId, { phoneNumber: '13700137000' });
  const { id: taskId } = await api.aTaskIn(1, { dataSourceId });
  const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit: 100 })) as never as {
    calls: { phoneNumber: string }[];
  };
  expect(phones(calls)).toContain('13700137000');
};

describe('an import that breaks off every time', () => {
  const failingSweeps = async (importer: Import['importer']) => {
    const logged = vi.spyOn(log, 'error').mockReturnValue();
    for (let i = 0; i < 9; i++) await expect(sweep(importer)).rejects.toThrow(AggregateError);
    logged.mockRestore();
  };

  it.each([
    ['skip', 0],
    ['update', 1],
  ] as const)('is rolled back after ten attempts, and dialing goes on: %s', async (onDuplicate, updated) => {
    const import_ = await anImport({ onDuplicate });
    const { id, importId, importer, objects } = import_;
    if (updated > 0) await api.aContact(id, { phoneNumber: phoneAt(1), customerName: 'Old name' });
    await broken(import_, Date.now() + 1);
    await objects.removeAll('uploads/', () => false);
    await failingSweeps(importer);
    expect(await statusOf(api, id, importId)).toMatchObject({ status: 'RUNNING' });
    await sweep(importer);
    expect(await importer.find(id, importId)).toMatchObject({
      ...{ status: 'FAILED', message: expect.stringMatching(/^the import broke off 10 times/), details: [] },
      ...{ importCount: updated * count, successCount: updated, failCount: updated * (count - 1) },
    });
    expect(await new Agenda(api.database).find(importWork(importId))).toBeUndefined();
    await expectDialed(id);
    const again = await imported(api, id, await contactsCsv(count));
    expect(again).toMatchObject({ successCount: count - updated });
  });

  it('reports exactly which contacts it has updated', async () => {
    const import_ = await anImport({ onDuplicate: 'update' });
    const { id, importId, importer } = import_;
    for (const at of [1, 4]) await api.aContact(id, { phoneNumber: phoneAt(at), customerName: 'Old name' });
    await broken(import_, Date.now() + 1, 3);
    for (let i = 1; i < 10; i++) {
      const hold = { owner: `dead${++built}`, now: Date.now(), until: Date.now() + 1, dead: 'all' as const };
      await openStores(api.database).importRecords.begin(id, importId, hold);
    }
    await sweep(importer);
    const found = await importer.find(id, importId);
    expect(found).toMatchObject({
      status: 'FAILED',
      message: 'the import broke off 10 times; contacts updated before that: 1',
      importCount: count,
      successCount: 1,
      updateCount: 1,
      failCount: count - 1,
    });
    expect(found.details.map(({ row, phoneNumber, code }) => [row, phoneNumber, code])).toEqual(
      [0, 2, 3, 4].map((at) => [at + 2, phoneAt(at), 'NOT_IMPORTED']),
    );
    const names = (await listed(api, id)).map(({ phoneNumber, customerName }) => [phoneNumber, customerName]);
    expect(names).toEqual([
      [phoneAt(1), 'New name 1'],
      [phoneAt(4), 'Old name'],
    ]);
    await expectDialed(id);
  });
});

describe('cancel', () => {
  it('ends an import that waits for its file, which is not imported when it arrives', async () => {
    const { id, importId, importer } = await anImport();
    expect(succeeded(await cancelled(id, importId))).toEqual({
      importId,
      status: 'FAILED',
      message: 'the import was cancelled',
    });
    await importer.run(id, importId);
    expect(await statusOf(api, id, importId)).toMatchObject({
      status: 'FAILED',
      importCount: 0,
      details: [],
    });
    expect(await listed(api, id)).toEqual([]);
    expect(succeeded(await cancelled(id, importId))).toMatchObject({ status: 'FAILED' });
  });

  it('removes the rows of a broken import, and dialing goes on', async () => {
    const import_ = await anImport();
    const { id, importId } = import_;
    await broken(import_, Date.now());
    expect(succeeded(await cancelled(id, importId))).toMatchObject({ status: 'FAILED' });
    await expectDialed(id);
    expect(await imported(api, id, await contactsCsv(count))).toMatchObject({ successCount: count });
  });

  it('leaves the rows to the runner that has the import, or to the sweep after its death', async () => {
    const import_ = await anImport();
    const { id, importId, importer } = import_;
    await broken(import_, Date.now() + 60_000);
    expect(succeeded(await cancelled(id, importId))).toMatchObject({ status: 'RUNNING' });
    await sweep(importer);
    expect(await importer.find(id, importId)).toMatchObject({
      status: 'FAILED',
      message: 'the import was cancelled',
    });
    expect(await imported(api, id, await contactsCsv(count))).toMatchObject({ successCount: count });
  });

  it('ends an import that is being run, before its rows become visible', async () => {
    const { id, importId, importer, objects } = await anImport();
    const answers: unknown[] = [];
    beforePut(objects, '.outcome.json', async () => answers.push(succeeded(await cancelled(id, importId))));
    await importer.run(id, importId);
    expect(answers).toMatchObject([{ status: 'RUNNING' }]);
    expect(await importer.find(id, importId)).toMatchObject({ status: 'FAILED', successCount: 0 });
    expect(await listed(api, id)).toEqual([]);
    expect(await imported(api, id, await contactsCsv(count))).toMatchObject({ successCount: count });
  });

  it('is left to the runner that has taken the import over', async () => {
    const import_ = await anImport();
    const { id, importId, importer, objects } = import_;
    beforePut(objects, '.outcome.json', async () => {
      await broken(import_, Date.now() + 60_000);
      succeeded(await cancelled(id, importId));
    });
    await expect(importer.run(id, importId)).rejects.toThrow();
    expect(await statusOf(api, id, importId)).toMatchObject({ status: 'RUNNING' });
    await sweep(importer);
    expect(await statusOf(api, id, importId)).toMatchObject({ status: 'FAILED' });
    expect(await imported(api, id, await contactsCsv(count))).toMatchObject({ successCount: count });
  });

  it('is not allowed once rows are visible', async () => {
    const { id } = await api.aDataSource();
    await sendFile(api, id, await contactsCsv(count));
    const { rows: imports } = succeeded(await api.get(`/api/dataSource/${id}/contact/imports`));
    const { importId } = imports[0] as never as { importId: string };
    const answer = await cancelled(id, importId);
    expectError(answer, 405, /visible/);
    expect(answer.headers.get('x-error-code')).toBe('IMPORT_STATE');
    expect(await listed(api, id)).toHaveLength(count);
    const updating = await anImport({ onDuplicate: 'update' });
    await broken(updating, Date.now());
    expectError(await cancelled(updating.id, updating.importId), 405, /visible/);
    expectError(await cancelled(id, '0123456789abcdef'), 404, /import/);
  });
});

describe('an import that waits in vain for another', () => {
  it('fails while its client waits, and the sweep does not finish it', async () => {
    const import_ = await anImport({ onDuplicate: 'update' });
    const { id } = import_;
    await broken(import_, Date.now() + 60_000);
    const waits = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    const answer = await sendFile(api, id, await contactsCsv(count));
    const scheduled = await anImport({}, id);
    await expect(scheduled.importer.run(id, scheduled.importId)).rejects.toMatchObject({ code: 'tooBusy' });
    waits.mockRestore();
    expectError(answer, 429, /retry/);
    const { rows: imports } = succeeded(await api.get(`/api/dataSource/${id}/contact/imports`));
    // The schedule tries it again.
    expect(imports.map(({ status }) => status)).toEqual(['RUNNING', 'FAILED', 'RUNNING']);
    expect(await scheduled.importer.find(id, scheduled.importId)).toMatchObject({ begun: 0 });
  });
});
