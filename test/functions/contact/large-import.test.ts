import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { importFile } from '../../../functions/events/import-file.ts';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { ImportOptions } from '../../../shared/imports/rules/contact-import.ts';
import { minuteMs } from '../../../shared/platform/time/time.ts';
import {
  contactsCsv,
  imported,
  listed,
  phoneAt,
  phones,
  rejectedFile,
  statusOf,
  uploaded,
} from '../../support/files/contact-files.ts';
import { csvFile, xlsxFile } from '../../support/files/file-rows.ts';
import { anImportOf, beforePut, importerOf, withSmallParts } from '../../support/files/large-files.ts';
import { workbookParts, zipOf } from '../../support/files/workbook-zip.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';
import { keysOf } from '../../support/service/object-store.ts';

const api = useApi({ importMaxRows: 12_000 });
const MB = 1024 * 1024;

const pathOf = (id: string, importId: string) => `/api/dataSource/${id}/contact/import/${importId}`;
const countOf = async (id: string) => succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount;

const rejectedOf = async (id: string, importId: string) => {
  const text = await (await rejectedFile(api, id, importId, 'csv')).text();
  return text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n');
};

/**
 * A data source, with a task in that state, and a registered import of 1,000 contacts into it, in
 * parts of so many rows.
 */
const anImport = async (partRows: number, state = 0, options: ImportOptions = {}) => {
  withSmallParts(partRows);
  const { id } = await api.aDataSource();
  const { id: taskId } = await api.aTaskIn(state, { dataSourceId: id });
  return { id, taskId, ...(await anImportOf(api.database, id, await contactsCsv(1000), options)) };
};

const inFile = (count: number, first = 0) => Array.from({ length: count }, (_, at) => phoneAt(first + at));

describe('a file of more than 10,000 rows', () => {
  it('is imported as a small one is: in order, the first of each number, with every other row in its report', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: phoneAt(9_000) });
    const numbers = [...inFile(10_000), 'none', phoneAt(3), ...inFile(500, 10_000)];
    const rows = numbers.map((phone, at) => [phone, `Customer ${at}`]);
    const found = await uploaded(api, id, await csvFile(['phoneNumber', 'customerName'], rows));
    expect(found).toMatchObject({
      status: 'DONE',
      importCount: 10_502,
      successCount: 10_499,
      failCount: 3,
      rejected: { DUPLICATE: 1, DUPLICATE_IN_FILE: 1, INVALID_PHONE: 1 },
      visibility: 'atOnce',
      details: [
        { row: 9_002, phoneNumber: phoneAt(9_000), code: 'DUPLICATE', cell: 'A9002' },
        { row: 10_002, phoneNumber: 'none', code: 'INVALID_PHONE', cell: 'A10002' },
        { row: 10_003, code: 'DUPLICATE_IN_FILE', firstRow: 5 },
      ],
    });
    expect(phones(await listed(api, id))).toEqual([
      phoneAt(9_000),
      ...inFile(10_500).filter((phone) => phone !== phoneAt(9_000)),
    ]);
    expect(await rejectedOf(id, found.importId)).toEqual([
      'phoneNumber,customerName,importError',
      `${phoneAt(9_000)},Customer 9000,the data source has this phone number`,
      expect.stringMatching(/^none,Customer 10000,phoneNumber: .* \(cell A10002\)$/),
      `${phoneAt(3)},Customer 10001,row 5 has the same phone number`,
    ]);
  });

  it('lists its first 1,000 rejected rows, counts all of them and gives all of them back', async () => {
    withSmallParts(700);
    const { id } = await api.aDataSource();
    const rows = Array.from({ length: 2500 }, (_, at) => [at % 5 === 0 ? phoneAt(at) : 'x', `${at}`]);
    rows[1]!.push('beyond the titles');
    const { importId, details, ...found } = await uploaded(
      api,
      id,
      await csvFile(['phoneNumber', 'note'], rows),
    );
    expect(found).toMatchObject({ importCount: 2500, successCount: 500, failCount: 2000 });
    expect(found.rejected).toEqual({ INVALID_PHONE: 2000 });
    expect(details).toHaveLength(1000);
    const lines = rows.flatMap(([phone], at) => (phone === 'x' ? [at + 2] : []));
    expect((details as { row: number }[]).map(({ row }) => row)).toEqual(lines.slice(0, 1000));
    const back = await rejectedOf(id, importId);
    expect(back.slice(1).map((line) => Number(line.split(',')[1]) + 2)).toEqual(lines);
    expect(back[1]).toContain('beyond the titles');
  });

  it('shows how many rows are read, then how many are done, also on the board until it ends', async () => {
    withSmallParts(100);
    const { id, dataSourceName } = await api.aDataSource();
    const { importId, importer, objects } = await anImportOf(api.database, id, await contactsCsv(1000));
    const onBoard = async () =>
      succeeded(await api.get('/api/task/board', { imports: 'true' })).runningImports as object[];
    const seen: object[] = [];
    for (const ending of ['/000008.json', '/000008.outcome.json'])
      beforePut(objects, ending, async () => seen.push(...(await onBoard())));
    await importer.run(id, importId);
    const known = { importId, dataSourceId: id, dataSourceName, fileName: 'x', status: 'RUNNING' };
    expect(seen).toMatchObject([
      { ...known, importCount: 800, successCount: 0 },
      { ...known, importCount: 1000, successCount: 800 },
    ]);
    expect(await onBoard()).toEqual([]);
  });

  it('may be CSV, packed CSV or XLSX', async () => {
    withSmallParts(300);
    const titles = ['phoneNumber', 'customerName', '城市', 'timeZone'];
    const zoneAt = (at: number) => (at % 400 === 50 ? 'CST' : '');
    const rows = inFile(1000).map((phone, at) => [
      ...[phone, `Customer ${at}`, at % 2 ? '北京' : '上海', zoneAt(at)],
    ]);
    const message = expect.stringMatching(/rows: 3; values: "CST" \(row 52\)$/);
    const csv = await csvFile(titles, rows);
    const seen: unknown[] = [];
    for (const file of [csv, gzipSync(csv), await xlsxFile(titles, rows)]) {
      const { id } = await api.aDataSource();
      expect(await uploaded(api, id, file)).toMatchObject({ status: 'DONE', successCount: 1000, message });
      const contacts = await listed(api, id);
      seen.push(contacts.map((row) => titles.map((title) => row[title] ?? '')));
    }
    expect(seen).toEqual([rows, rows, rows]);
  });

  it('is refused beyond the setting, in words that name it, and nothing is imported', async () => {
    const { id } = await api.aDataSource();
    const message = /more than 12000 rows; split it, or raise IMPORT_MAX_ROWS/;
    const found = await uploaded(api, id, Buffer.from(`phoneNumber\n${'13800138000\n'.repeat(12_001)}`));
    expect(found).toMatchObject({
      status: 'FAILED',
      message: expect.stringMatching(message),
      importCount: 0,
    });
    const old = Buffer.alloc(10 * MB + 1);
    old.write('d0cf11e0a1b11ae1', 'hex');
    const kept = expect.stringMatching(/larger than 10 MB; save it as .xlsx/);
    expect(await uploaded(api, id, old)).toMatchObject({ status: 'FAILED', message: kept });
    const most = 12 * MB;
    const path = `/api/dataSource/${id}/contact/importUpload`;
    succeeded(await api.post(path, { fileName: 'x', fileSize: most }));
    expectError(
      await api.post(path, { fileName: 'x', fileSize: most + 1 }),
      413,
      /12 MB.*IMPORT_MAX_ROWS 12000/,
    );
  });

  it('of a packed bomb is refused where its text passes the size of a file', async () => {
    const { id } = await api.aDataSource();
    const row = `1,${'x'.repeat(2000)}\n`;
    const bomb = gzipSync(Buffer.concat([Buffer.from('phoneNumber,a\n'), Buffer.alloc(13 * MB, row)]));
    expect(await uploaded(api, id, bomb)).toMatchObject({
      status: 'FAILED',
      message: expect.stringMatching(/unpacks to more than 12 MB/),
    });
  });

  it('reports a dry run, and stores nothing', async () => {
    withSmallParts(300);
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: phoneAt(650) });
    const found = await uploaded(api, id, await contactsCsv(1000), { dryRun: true });
    expect(found).toMatchObject({
      status: 'DONE',
      successCount: 999,
      details: [{ row: 652, code: 'DUPLICATE' }],
    });
    expect(await countOf(id)).toBe(1);
    expect(await openStores(api.database).contacts.fieldNames(id)).toEqual([]);
  });

  it('is read from where it lies if it has more than 10 MB', async () => {
    const { id } = await api.aDataSource();
    const pixels = Buffer.alloc(10 * MB);
    const picture = { name: 'xl/media/image1.png', content: pixels, packed: pixels, method: 0 };
    const rows = '<row><c t="str"><v>phoneNumber</v></c></row><row><c><v>123</v></c></row>';
    const found = await uploaded(api, id, zipOf([...workbookParts(rows), picture]));
    expect(found).toMatchObject({ status: 'DONE', importCount: 1, successCount: 1 });
  });

  it('is cut where the text of its rows fills a part, however few they are', async () => {
    withSmallParts(20, 40);
    const { id } = await api.aDataSource();
    const texts = [0, 0, 0, 0, 0, 29, 1, 29, 100, 0].map(
      (length, at) => `${phoneAt(at)},${'x'.repeat(length)}`,
    );
    const file = Buffer.from(['phoneNumber,note', ...texts].join('\n'));
    const { importId, importer, objects } = await anImportOf(api.database, id, file);
    await importer.run(id, importId);
    const parts = (await keysOf(objects, 'uploads/')).filter((key) => /\d{6}\.json$/.test(key));
    const rows = await Promise.all(
      parts.map(
        async (key) => JSON.parse(Buffer.from(await objects.get(key)).toString()).rows.length as number,
      ),
    );
    expect(rows).toEqual([3, 2, 1, 1, 1, 1, 1]);
    expect(phones(await listed(api, id))).toEqual(inFile(10));
  });

  it('keeps a number from being called that is the longest of the do-not-call list', async () => {
    withSmallParts(2);
    const numbers = ['900000000000001', '+90000000000002', '90003', '90004', '90005'];
    const found = await uploaded(api, 'do-not-call', Buffer.from(['phoneNumber', ...numbers].join('\n')));
    expect(found).toMatchObject({ status: 'DONE', successCount: 5 });
    const contacts = [...numbers, '90006'].map((phoneNumber) => ({ phoneNumber }));
    const { id: taskId } = await api.aTaskOf(contacts);
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit: 9 }));
    expect(calls).toMatchObject([{ phoneNumber: '90006' }]);
  });
});

describe('a file of a request whose text fills several parts', () => {
  it('appears at once beside a task that runs, and every rejected row is answered', async () => {
    withSmallParts(700);
    const { id } = await api.aDataSource();
    const { id: taskId } = await api.aTaskIn(1, { dataSourceId: id });
    const lines = Array.from({ length: 2500 }, (_, at) => (at % 5 === 0 ? phoneAt(at) : 'x'));
    const { details, ...counts } = await imported(api, id, Buffer.from(['phoneNumber', ...lines].join('\n')));
    expect(counts).toEqual({ importCount: 2500, successCount: 500, failCount: 2000 });
    expect(details.map(({ row }) => row)).toEqual(lines.flatMap((line, at) => (line === 'x' ? at + 2 : [])));
    const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contact/imports`));
    const { importId } = rows[0] as never as { importId: string };
    expect(await statusOf(api, id, importId)).toMatchObject({
      visibility: 'atOnce',
      rejected: { INVALID_PHONE: 2000 },
    });
    expect(await rejectedOf(id, importId)).toHaveLength(2001);
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit: 1 }));
    expect(calls).toMatchObject([{ phoneNumber: phoneAt(0) }]);
  });
});

describe('a large import beside a task that runs', () => {
  it('shows its rows in steps, which the task calls', async () => {
    const { id, taskId, importId, importer, objects } = await anImport(300, 1);
    const seen: unknown[] = [];
    beforePut(objects, '.outcome.json', async () => {
      // The import is held until its end.
      await importer.run(id, importId);
      const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit: 1 }));
      seen.push([await countOf(id), phones(calls as never)]);
    });
    await importer.run(id, importId);
    expect(seen).toEqual([
      [0, []],
      [300, [phoneAt(0)]],
      [600, [phoneAt(1)]],
      [900, [phoneAt(2)]],
    ]);
    expect(await importer.find(id, importId)).toMatchObject({ status: 'DONE', successCount: 1000 });
    expect(await countOf(id)).toBe(1000);
    const found = await objects.get(`imports/${id}/${importId}/x.result.json`);
    expect(JSON.parse(Buffer.from(found).toString())).toMatchObject({ visibility: 'inSteps' });
  });

  it('keeps the visible rows when it is cancelled, and says how many', async () => {
    const { id, importId, importer, objects } = await anImport(300, 1);
    beforePut(objects, '000002.outcome.json', async () => {
      const answer = succeeded(await api.post(`${pathOf(id, importId)}/cancel`, {}));
      expect(answer).toMatchObject({ status: 'RUNNING', message: 'the import was cancelled' });
    });
    await importer.run(id, importId);
    expect(await importer.find(id, importId)).toMatchObject({
      status: 'FAILED',
      message: 'the import was cancelled; rows visible before that: 600',
      importCount: 1000,
      successCount: 600,
      failCount: 400,
    });
    expect(phones(await listed(api, id))).toEqual(inFile(600));
    const rejected = await api.get(`${pathOf(id, importId)}/rejected`, { format: 'csv' });
    expectError(
      rejected,
      409,
      /^the import failed: the import was cancelled; rows visible before that: 600$/,
    );
    // The numbers of the hidden rows are free again.
    expect(await imported(api, id, await contactsCsv(1000))).toMatchObject({
      successCount: 400,
      failCount: 600,
    });
  });

  it('is rolled back in as many runs as it takes, where it is cancelled before its rows are visible', async () => {
    const { id, importId, importer } = await anImport(300);
    let parts = 0;
    await importer.run(id, importId, { isTimeUp: () => ++parts > 3 });
    await api.post(`${pathOf(id, importId)}/cancel`, {});
    let slices = 0;
    await importer.run(id, importId, { isTimeUp: () => ++slices > 0 });
    expect(await importer.find(id, importId)).toMatchObject({ status: 'RUNNING' });
    await workOffAt(api.database, [importer.worker()], Date.now() + 1);
    expect(await importer.find(id, importId)).toMatchObject({ status: 'FAILED' });
    expect(await imported(api, id, await contactsCsv(1000))).toMatchObject({ successCount: 1000 });
  });
});

describe('a large import whose runner has no time left', () => {
  /** What other tests left comes due after a minute, and would take part in the runs. */
  const forgetOtherImports = async () => {
    const { agenda } = openStores(api.database);
    for (const entry of await agenda.listed('import')) await agenda.done(entry);
  };

  it.each([0, 1])('is handed on after each part (task in state %i)', async (state) => {
    await forgetOtherImports();
    const { id, importId, importer, objects, objectKey } = await anImport(250, state);
    const counts: unknown[] = [];
    for (let run = 0; run < 6; run++) {
      let looks = 0;
      const getRemainingTimeInMillis = () => (++looks > 1 ? 59_999 : 60_000);
      const event = { detail: { object: { key: objectKey } } };
      // The entry of the agenda is due at once.
      if (run === 0) await importFile({ importer })(event as never, { getRemainingTimeInMillis });
      else
        await workOffAt(api.database, [{ ...importer.worker() }], Date.now() + 1, {
          isTimeUp: () => ++looks > 2,
        });
      counts.push((await importer.find(id, importId)).successCount);
    }
    expect(counts).toEqual([250, 500, 750, 1000, 1000, 1000]);
    expect(await importer.find(id, importId)).toMatchObject({ status: 'DONE', importCount: 1000 });
    expect(phones(await listed(api, id))).toEqual(inFile(1000));
    const parts = (await keysOf(objects, 'uploads/')).filter((key) => key.endsWith('.outcome.json'));
    expect(parts).toHaveLength(4);
    const left = await openStores(api.database).agenda.listed('import');
    expect(left.map((entry) => entry.id)).not.toContain(importId);
  });

  it('grows old, as the alarm sees it, only where it comes no further', async () => {
    withSmallParts(100);
    const { id } = await api.aDataSource();
    await forgetOtherImports();
    const { objects } = await anImportOf(api.database, id, await contactsCsv(1000));
    let now = Date.now();
    const { importer } = importerOf(api.database, objects, () => now);
    const minutesOld = async () => {
      let [looks, minutes] = [0, 0];
      now += 6 * minuteMs;
      await workOffAt(api.database, [importer.worker()], now, {
        isTimeUp: () => ++looks > 2,
        age: (ms) => {
          minutes = ms / minuteMs;
        },
      }).catch(() => undefined);
      return minutes;
    };
    const ages: number[] = [];
    for (let run = 0; run < 5; run++) ages.push(await minutesOld());
    expect(Math.max(...ages)).toBe(6);
    vi.spyOn(objects, 'get').mockRejectedValue(new Error('broken'));
    const stuck = [await minutesOld(), await minutesOld(), await minutesOld()];
    expect(stuck).toEqual([6, 12, 18]);
  });

  it('counts each contact once that it has updated, although it breaks off in a later part', async () => {
    const { id, importId, importer } = await anImport(300, 0, { onDuplicate: 'update' });
    for (const at of [1, 400, 700]) await api.aContact(id, { phoneNumber: phoneAt(at) });
    let parts = 0;
    await importer.run(id, importId, { isTimeUp: () => ++parts > 3 });
    for (let begun = 0; begun < 10; begun++) {
      const hold = { owner: `dead${begun}`, now: Date.now(), until: Date.now(), dead: 'all' as const };
      await openStores(api.database).importRecords.begin(id, importId, hold);
    }
    await importer.run(id, importId, { takeOver: true });
    expect(await importer.find(id, importId)).toMatchObject({
      ...{ status: 'FAILED', updateCount: 3 },
      message: 'the import broke off 10 times; contacts updated before that: 3',
    });
  });
});
