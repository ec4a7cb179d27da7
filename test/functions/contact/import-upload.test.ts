import { describe, expect, it, vi } from 'vitest';
import { importFile } from '../../../functions/events/import-file.ts';
import { withFiles } from '../../../shared/app/runtime/files.ts';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import type { ContactImporter } from '../../../shared/imports/contact-importer.ts';
import { reportKey } from '../../../shared/imports/import-objects.ts';
import { importWork } from '../../../shared/imports/import-records.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import {
  anUpload,
  contactsCsv,
  ended,
  listed,
  phoneAt,
  phones,
  put,
  statusOf,
  uploaded,
} from '../../support/files/contact-files.ts';
import { beforePut } from '../../support/files/large-files.ts';
import type { ObjectCreated } from '../../support/s3/embedded-s3.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';
import { anObjectStore, keysOf, until } from '../../support/service/object-store.ts';

const api = useApi();
const minuteMs = 60_000;

describe('the upload road', () => {
  it('waits for the file, imports it on arrival and reports it', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: phoneAt(1) });
    const file = await contactsCsv(300);
    const fileName = 'june 2024/контакты.csv';
    const { importId, uploadUrl, method, headers } = await anUpload(api, id, file.length, { fileName });
    expect([method, headers]).toEqual(['PUT', { 'content-length': String(file.length) }]);
    expect(await statusOf(api, id, importId)).toMatchObject({
      status: 'WAITING',
      importCount: 0,
      details: [],
    });
    await put(uploadUrl, file);
    expect(await ended(api, id, importId)).toMatchObject({
      importId,
      status: 'DONE',
      importCount: 300,
      successCount: 299,
      failCount: 1,
      details: [{ row: 3, phoneNumber: phoneAt(1), code: 'DUPLICATE' }],
      message: '',
    });
    expect(phones(await listed(api, id))).toEqual([
      phoneAt(1),
      ...Array.from({ length: 300 }, (_, at) => phoneAt(at)).toSpliced(1, 1),
    ]);
  });

  it.each(['.', '..', 'x.result.json', '/', '%2e%2e', 'a'.repeat(255)])(
    'takes a file called %j',
    async (fileName) => {
      const { id } = await api.aDataSource();
      expect(await uploaded(api, id, 'phoneNumber\n123\n', { fileName })).toMatchObject({ successCount: 1 });
    },
  );

  it('fails after a day without its file, long before what points to it may expire', async () => {
    let now = Date.now();
    const { id, importer, upload } = await aBucket(() => now);
    const importId = '0123456789abcdef';
    await importer.register(upload(importId));
    const lookAt = async (time: number) => {
      now = time;
      await workOffAt(api.database, [importer.worker()], now);
      return importer.find(id, importId);
    };
    expect(await lookAt(now + 24 * 60 * minuteMs)).toMatchObject({ status: 'WAITING' });
    const failed = { status: 'FAILED', message: 'the file never arrived' };
    expect(await lookAt(now + 5 * minuteMs)).toMatchObject(failed);
    await lookAt(now);
    expect(await new Agenda(api.database).find(importWork(importId))).toBeUndefined();
  });

  it('refuses what cannot become an import', async () => {
    const { id } = await api.aDataSource();
    const path = `/api/dataSource/${id}/contact/importUpload`;
    const most = 10 * 1024 * 1024;
    succeeded(await api.post(path, { fileName: 'x', fileSize: most }));
    expectError(await api.post(path, { fileName: 'x', fileSize: most + 1 }), 413, /10 MB/);
    expectError(await api.post(path, { fileName: 'x', fileSize: 0 }), 400, /fileSize/);
    expectError(await api.post(path, { fileName: '', fileSize: 1 }), 400, /fileName/);
    expectError(await api.post(path, { fileSize: 1 }), 400, /fileName/);
    const missing = path.replace(id, '0123456789abcdef');
    expectError(await api.post(missing, { fileName: 'x', fileSize: 1 }), 404, /data source/);
    const other = `/api/dataSource/${id}/contact/import/0123456789abcdef`;
    expectError(await api.get(other), 404, /import/);
  });
});

/**
 * A data source and the pieces of the service, with the events in the test's hands, as EventBridge
 * may deliver them.
 */
const aBucket = async (now = Date.now) => {
  const { id } = await api.aDataSource();
  const events: ObjectCreated[] = [];
  const { objects } = anObjectStore((event) => void events.push(event));
  const clients = { database: api.database, objects: async () => objects };
  const runtime = withFiles(createRuntime({ ...serviceSettings({}), now }, clients.database), clients);
  const { importer } = runtime;
  const deliver = importFile(runtime) as (event: unknown) => Promise<void>;
  const usualKey = `imports/${id}/x.csv`;
  const drop = async (content: Uint8Array | string, key = usualKey) => {
    const before = events.length;
    const arrived = () => events.slice(before).find(({ detail }) => detail.object.key === key);
    await objects.put(key, content, 'text/csv');
    await until(() => arrived() !== undefined);
    return arrived()!;
  };
  const resultOf = async (key = usualKey) =>
    JSON.parse(Buffer.from(await objects.get(reportKey(key))).toString()) as Record<string, unknown>;
  const dropped = async (content: Uint8Array | string, key = usualKey) => {
    await deliver(await drop(content, key));
    return resultOf(key);
  };
  /** The file of an upload: where it is to lie, and what is known of it. */
  const upload = (importId: string) => {
    const objectKey = `imports/${id}/${importId}/x.csv`;
    return { dataSourceId: id, importId, objectKey, fileName: 'x.csv', fileSize: 16 };
  };
  return { id, objects, importer, deliver, drop, resultOf, dropped, upload };
};

const sweep = (importer: ContactImporter) =>
  workOffAt(api.database, [importer.worker()], Date.now(), { takesOver: true });

describe("an operator's file", () => {
  it('is imported on arrival, with its report beside it', async () => {
    const { id, dropped, objects } = await aBucket();
    const key = `imports/${id}/june contacts.csv`;
    expect(await dropped('phoneNumber\n123\n12\n', key)).toEqual({
      importId: expect.stringMatching(/^\w{16}$/),
      dataSourceId: id,
      fileName: 'june contacts.csv',
      status: 'DONE',
      message: '',
      importCount: 2,
      successCount: 1,
      failCount: 1,
      rejected: { INVALID_PHONE: 1 },
      visibility: 'atOnce',
      details: [
        { row: 3, phoneNumber: '12', code: 'INVALID_PHONE', message: expect.any(String), cell: 'A3' },
      ],
      createTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(phones(await listed(api, id))).toEqual(['123']);
    expect(await keysOf(objects, 'imports/')).toEqual([key, `${key}.result.json`]);
  });

  it.each([
    ['of an unknown data source', 'imports/0123456789abcdef/x.csv', 'phoneNumber\n1', /data source/],
    ['of no data source', 'imports/x.csv', 'phoneNumber\n1', /data source/],
    ['that is no contact file', 'imports/do-not-call/x.csv', 'name\nAnn', /phoneNumber/],
  ])('%s fails with a report', async (_, key, text, message) => {
    const { dropped } = await aBucket();
    const failed = { status: 'FAILED', message: expect.stringMatching(message) };
    expect(await dropped(text, key)).toMatchObject(failed);
  });

  it('with the longest key there is, is imported and has its report under a key that fits', async () => {
    const { id, dropped } = await aBucket();
    const folder = `imports/${id}/`;
    const key = `${folder}${'é'.repeat(490)}${'x'.repeat(1024 - folder.length - 980)}`;
    expect(await dropped('phoneNumber\n123\n', key)).toMatchObject({ status: 'DONE', successCount: 1 });
    expect(Buffer.byteLength(reportKey(key))).toBeLessThanOrEqual(1024);
    expect(reportKey(key)).toMatch(/^imports\/\w+\/é+-[0-9a-f]{16}\.result\.json$/);
  });

  it('dropped again under its name has a report of its own', async () => {
    const { id, dropped, resultOf, importer, objects } = await aBucket();
    const importOf = async (file: string) => String((await dropped(file)).importId);
    const first = await importOf('phoneNumber\n12\n');
    expect((await importer.find(id, first)).details).toHaveLength(1);
    const second = await importOf('phoneNumber\n12\n13\n');
    expect((await importer.find(id, second)).details).toHaveLength(2);
    expect(await importer.find(id, first)).toMatchObject({ failCount: 1, details: [] });
    // A report of 0.3 does not count its rows by code.
    const { rejected: _, ...old } = await resultOf();
    await objects.put(reportKey(`imports/${id}/x.csv`), JSON.stringify(old), 'application/json');
    expect((await importer.find(id, second)).rejected).toEqual({ INVALID_PHONE: 2 });
  });

  it('may lie in a folder whose name looks like the id of an import', async () => {
    const { id, dropped } = await aBucket();
    for (const phone of ['123', '456'])
      await dropped(`phoneNumber\n${phone}\n`, `imports/${id}/2024010120240131/${phone}.csv`);
    expect(phones(await listed(api, id))).toEqual(['123', '456']);
  });

  it('that breaks off every reader is given up', async () => {
    const { id, importer, objects, upload } = await aBucket();
    const file = upload('0123456789abcdef');
    await importer.register(file);
    await objects.put(file.objectKey, 'phoneNumber\n123\n', 'text/csv');
    for (let times = 0; times < 10; times++) {
      const hold = { owner: `${times}`, now: Date.now(), until: Date.now() + 1, dead: 'all' as const };
      await openStores(api.database).importRecords.begin(id, file.importId, hold);
    }
    await sweep(importer);
    const failed = { status: 'FAILED', message: 'reading the file broke off 10 times' };
    expect(await importer.find(id, file.importId)).toMatchObject(failed);
    await sweep(importer);
    expect(await listed(api, id)).toEqual([]);
  });

  it('that cannot be read for a while is imported by the first try that can, however many could not', async () => {
    const { drop, deliver, resultOf, objects } = await aBucket();
    const event = await drop('phoneNumber\n123\n');
    const get = vi.spyOn(objects, 'get').mockRejectedValue(new Error('SlowDown'));
    for (let times = 0; times < 12; times++) await expect(deliver(event)).rejects.toThrow('SlowDown');
    get.mockRestore();
    await deliver(event);
    expect(await resultOf()).toMatchObject({ status: 'DONE', successCount: 1 });
  });

  it('that several wait for the sweep are imported in the order they came, whatever their ids are', async () => {
    const { id, importer, objects, upload } = await aBucket();
    const ids = ['fedcba9876543210', '5123456789abcdef', '0123456789abcdee'];
    for (const [at, importId] of ids.entries()) {
      const file = { ...upload(importId), createTime: Date.now() - 3_600_000 + at };
      await openStores(api.database).importRecords.create(file);
      const rows = `phoneNumber,customerName\n13800138000,${at}\n1370013700${at},${at}\n`;
      await objects.put(file.objectKey, rows, 'text/csv');
    }
    await sweep(importer);
    const names = (await listed(api, id)).map(({ customerName }) => customerName);
    expect(names).toEqual(['0', '0', '1', '2']);
  });

  it.each([
    [['Asia/Shanghai', 'CST', '+08:00', 'CST', ''], 3, '"CST" (row 3), "+08:00" (row 4)'],
    [
      ['Z'.repeat(41), 'B', 'C', 'D', 'E', 'F'],
      6,
      `"${'Z'.repeat(40)}" (row 2), "B" (row 3), "C" (row 4), "D" (row 5), "E" (row 6) and 1 more`,
    ],
  ])(
    'with time zones that nobody knows is imported, and its report says so: %j',
    async (zones, count, values) => {
      const { id, dropped, importer } = await aBucket();
      const lines = zones.map((zone, at) => `1370013700${at},${zone}`);
      const report = await dropped(['phoneNumber,timeZone', ...lines, '13700137000,PST'].join('\n'));
      expect(report).toMatchObject({
        ...{ status: 'DONE', importCount: zones.length + 1, successCount: zones.length, failCount: 1 },
        message: `timeZone is no IANA name, so the task's time zone applies; rows: ${count}; values: ${values}`,
      });
      expect(await importer.find(id, String(report.importId))).toMatchObject({ message: report.message });
    },
  );

  it('of one part is imported at once, however little time the function has left', async () => {
    const { importer, drop, resultOf } = await aBucket();
    const time = { getRemainingTimeInMillis: () => 30_000 };
    await importFile({ importer })((await drop('phoneNumber\n123\n')) as never, time);
    expect(await resultOf()).toMatchObject({ status: 'DONE', successCount: 1 });
  });

  it('runs nothing when it is a report or a folder', async () => {
    const { id, drop, deliver, objects } = await aBucket();
    const keys = [`imports/${id}/`, `imports/${id}/x.csv.result.json`];
    for (const key of keys) await deliver(await drop('{}', key));
    expect(await keysOf(objects)).toEqual(keys);
  });

  it('put in the place of another whose import broke off takes nothing from it', async () => {
    const { id, dropped, objects, importer } = await aBucket();
    const dying = beforePut(objects, '.outcome.json', () => Promise.reject(new Error('the process ended')));
    await expect(dropped(await contactsCsv(200))).rejects.toThrow('ended');
    dying.restore();
    await dropped(await contactsCsv(300, 1000));
    await sweep(importer);
    const expected = [...Array(200).keys(), ...Array.from({ length: 300 }, (_, at) => 1000 + at)];
    expect(phones(await listed(api, id)).toSorted()).toEqual(expected.map(phoneAt));
  });
});

describe('an event', () => {
  it('delivered five times at once and once more later imports its file once', async () => {
    const { id, drop, deliver, resultOf } = await aBucket();
    const event = await drop(await contactsCsv(1_000));
    await Promise.all([1, 2, 3, 4, 5].map(() => deliver(event)));
    await deliver(event);
    expect(await resultOf()).toMatchObject({ importCount: 1_000, successCount: 1_000, failCount: 0 });
    expect(phones(await listed(api, id))).toEqual(Array.from({ length: 1_000 }, (_, at) => phoneAt(at)));
  });

  it('that is lost is made up for by the schedule, a minute later and then every five minutes', async () => {
    let now = Date.now();
    const { id, importer, objects, upload } = await aBucket(() => now);
    const file = upload('0123456789abcdef');
    await importer.register(file);
    const { due } = (await new Agenda(api.database).find(importWork(file.importId)))!;
    const statusAt = async (time: number) => {
      now = time;
      await workOffAt(api.database, [importer.worker()], now);
      return (await importer.find(id, file.importId)).status;
    };
    expect(due).toBe(now + minuteMs);
    expect(await statusAt(due)).toBe('WAITING');
    await objects.put(file.objectKey, 'phoneNumber\n123\n', 'text/csv');
    expect(await statusAt(due + 5 * minuteMs - 1)).toBe('WAITING');
    expect(await statusAt(due + 5 * minuteMs)).toBe('DONE');
  });
});
