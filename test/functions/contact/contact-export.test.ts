import { readdir, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { imported, listed, moved, phoneAt } from '../../support/files/contact-files.ts';
import { cellsOf, csvFile, trickyTexts } from '../../support/files/file-rows.ts';
import { workbookParts, zipOf } from '../../support/files/workbook-zip.ts';
import { accessToken, expectError, startApi, succeeded, useApi } from '../../support/service/api.ts';
import { aFolder, until } from '../../support/service/object-store.ts';

const api = useApi();
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const download = async (target: string, query = '') => {
  const response = await api.file(`${target}${query}`);
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const exportOf = (id: string, query = '') => download(`/api/dataSource/${id}/contact/batchExport`, query);

describe('an export of contacts', () => {
  it.each([
    ['', 'xlsx', xlsxType],
    ['?format=excel', 'xlsx', xlsxType],
    ['?format=csv', 'csv', 'text/csv; charset=utf-8'],
  ])('%s is a file with a name and a type', async (query, extension, type) => {
    const { id } = await api.aDataSource();
    await api.aContact(id);
    const { headers, bytes } = await exportOf(id, query);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="contacts_20\\d{12}\\.${extension}"$`),
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/\S{8}/);
    expect(headers.get('content-length')).toBe(String(bytes.length));
  });

  it('as CSV is UTF-8 with byte order mark, CRLF, quoted where needed and safe to open', async () => {
    const { id } = await api.aDataSource();
    const first = await api.aContact(id, {
      phoneNumber: '+49123',
      customerName: '=1+1',
      address: 'a "b", c',
      Alpha: '-5',
    });
    const zeta = { contactId: first.id, zeta: "'x" };
    succeeded(await api.post(`/api/dataSource/${id}/contact/update`, zeta));
    const second = await api.aContact(id, { phoneNumber: '456', orderAmount: 'two\r\nlines', Alpha: '@x' });
    const { bytes } = await exportOf(id, '?format=csv');
    expect(bytes.toString()).toBe(
      '\ufeffphoneNumber,customerName,address,orderAmount,Alpha,zeta,status,callCount,createTime\r\n' +
        `+49123,'=1+1,"a ""b"", c",,'-5,''x,0,0,${first.createTime}\r\n` +
        `456,,,"two\r\nlines",'@x,,0,0,${second.createTime}\r\n`,
    );
  });

  it.each(['csv', 'excel'])('of an empty data source as %s holds just the titles', async (format) => {
    const { id } = await api.aDataSource();
    const { bytes } = await exportOf(id, `?format=${format}`);
    expect(await cellsOf(bytes)).toEqual([
      ['phoneNumber', 'customerName', 'address', 'orderAmount', 'status', 'callCount', 'createTime'],
    ]);
  });

  it('that cannot begin is an ordinary error', async () => {
    const { id } = await api.aDataSource();
    const target = `/api/dataSource/${id}/contact/batchExport`;
    expectError(await api.get(target, { format: 'pdf' }), 400, /format/);
    expectError(await api.get(target.replace(id, '0123456789abcdef')), 404, /data source/);
    const task = await api.aTask();
    expectError(await api.get(`/api/task/${task.id}/export`, { status: 4 }), 400, /status/);
    expectError(await api.get(`/api/task/${task.id}/export`, { format: 'xlsx' }), 400, /format/);
    expectError(await api.get('/api/task/0123456789abcdef/export'), 404, /task/);
  });
});

describe('exported and imported into an empty data source', () => {
  /** More than a page of the list, and than is read at once. */
  const count = 700;
  const names = [
    ...['customerName', 'address', 'orderAmount', 'Status', 'Address', '=field'],
    ...["'quoted", '中文', '__proto__', 'a;b'],
  ];
  const value = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\0', 'x')),
    fc.constantFrom(...trickyTexts),
  );
  const cells = fc.array(fc.option(value, { nil: '', freq: 3 }), {
    minLength: names.length,
    maxLength: names.length,
  });
  let source = '';

  beforeAll(async () => {
    const rows = fc.sample(cells, { numRuns: count, seed: 11 }).map((row, at) => [phoneAt(at), ...row]);
    source = (await api.aDataSource()).id;
    const titles = ['phoneNumber', ...names];
    expect(await imported(api, source, await csvFile(titles, rows))).toMatchObject({ successCount: count });
  });

  it.each(['csv', 'excel'])('%s gives the same contacts', async (format) => {
    const { bytes } = await exportOf(source, `?format=${format}`);
    const { id } = await api.aDataSource();
    expect(await imported(api, id, bytes)).toMatchObject({
      importCount: count,
      successCount: count,
      details: [],
    });
    expect(moved(await listed(api, id))).toEqual(moved(await listed(api, source)));
  });
});

describe('an export of a task', () => {
  const outcomes: [phoneNumber: string, outcome: string | undefined][] = [
    ['1001', 'success'],
    ['1002', 'failed'],
    ['1003', 'noAnswer'],
    ['1004', undefined],
    ['1005', undefined],
  ];
  let taskId = '';
  let dataSourceId = '';

  beforeAll(async () => {
    const contacts = outcomes.map(([phoneNumber]) => ({ phoneNumber, city: 'Rome' }));
    ({ id: taskId, dataSourceId } = await api.aTaskOf(contacts, { maxDialCount: 1 }));
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit: 4 })) as unknown as {
      calls: { callId: string; phoneNumber: string }[];
    };
    for (const { callId, phoneNumber } of calls) {
      const outcome = outcomes.find(([phone]) => phone === phoneNumber)?.[1];
      if (outcome === undefined) continue;
      succeeded(await api.post('/api/dialer/result', { callId, outcome, duration: 7 }));
    }
  });

  it.each([
    ['', ['1001', '1002', '1003', '1004', '1005']],
    ['&status=0', ['1001', '1002', '1003', '1004', '1005']],
    ['&status=1', ['1001']],
    ['&status=2', ['1002', '1003']],
    ['&status=3', ['1005']],
  ])('%s holds the contacts with that outcome', async (query, expected) => {
    for (const format of ['csv', 'excel']) {
      const { bytes, headers } = await download(`/api/task/${taskId}/export`, `?format=${format}${query}`);
      const [titles, ...rows] = await cellsOf(bytes);
      expect(titles?.join()).toBe(
        'contactId,phoneNumber,customerName,address,orderAmount,city,status,callCount,callDuration,lastCallTime,callOutcome,callReason',
      );
      expect(rows.map(([, phoneNumber]) => phoneNumber)).toEqual(expected);
      expect(headers.get('content-disposition')).toMatch(
        new RegExp(`filename="task_contacts_${taskId}_20\\d{12}\\.${format === 'csv' ? 'csv' : 'xlsx'}"`),
      );
    }
  });

  it('tells each contact’s outcome in this task', async () => {
    const [, ...rows] = await cellsOf((await download(`/api/task/${taskId}/export`)).bytes);
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const contacts = await listed(api, dataSourceId);
    expect(rows.map(([contactId]) => contactId)).toEqual(contacts.map(({ id }) => id));
    expect(rows.map((row) => row.slice(6))).toEqual([
      ['1', '1', '7', time, 'success'],
      ['2', '1', '7', time, 'failed'],
      ['3', '1', '7', time, 'noAnswer'],
      ['4', '0', '0', '', 'inCall'],
      ['0', '0', '0', '', 'notDialed'],
    ]);
  });
});

describe('an export of a task, imported again,', () => {
  it.each(['csv', 'excel'])('as %s gives the same contacts', async (format) => {
    const { id: taskId, dataSourceId } = await api.aTaskOf([
      { phoneNumber: '1001', callDuration: 'own', lastCallTime: 'mine' },
      { phoneNumber: '1002', city: '#N/A' },
    ]);
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit: 1 })) as unknown as {
      calls: { callId: string }[];
    };
    succeeded(await api.post('/api/dialer/result', { callId: calls[0]!.callId, outcome: 'success' }));
    const { bytes } = await download(`/api/task/${taskId}/export`, `?format=${format}`);
    const { id } = await api.aDataSource();
    expect(await imported(api, id, bytes)).toMatchObject({ successCount: 2, details: [] });
    expect(moved(await listed(api, id))).toEqual(
      moved(await listed(api, dataSourceId)).map((contact) => ({ ...contact, status: 0, callCount: 0 })),
    );
  });
});

describe('a client that goes away during an export', () => {
  /** Objects and what is being written. */
  const filesBelow = async (folder: string): Promise<number> => {
    const lists = await Promise.all(
      ['exports', 'uploads', 'staging'].map((part) =>
        readdir(path.join(folder, part), { recursive: true, withFileTypes: true }).catch(() => []),
      ),
    );
    return lists.flat().filter((file) => file.isFile()).length;
  };
  /** Files of that folder that this process has open. */
  const openBelow = async (folder: string) => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((link) => link.startsWith(folder)).length;
  };

  it('leaves no upload, no file and no open descriptor behind', async () => {
    const dataDir = await aFolder();
    const service = await startApi({ dataDir });
    const { id } = await service.aDataSource();
    // 19 MB as CSV, in four parts; as a workbook that has the long text once it is read in no time.
    const note = `<si><t>${'x'.repeat(8_000)}</t></si>`;
    const row = (phone: string) => `<row><c t="str"><v>${phone}</v></c><c t="s"><v>0</v></c></row>`;
    const titles = '<row><c t="str"><v>phoneNumber</v></c><c t="str"><v>note</v></c></row>';
    const rows = Array.from({ length: 2_400 }, (_, at) => row(phoneAt(at)));
    await imported(service, id, zipOf(workbookParts(titles + rows.join(''), { strings: note })));
    const before = await filesBelow(dataDir);
    const opened = () =>
      get(`${service.url}/api/dataSource/${id}/contact/batchExport?format=csv`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });

    const early = opened().on('error', () => {});
    await until(async () => (await filesBelow(dataDir)) > before);
    early.destroy();
    await until(async () => (await filesBelow(dataDir)) === before);

    const late = opened().on('error', () => {});
    const response = await new Promise<IncomingMessage>((resolve) => late.once('response', resolve));
    response.on('error', () => {});
    await new Promise((resolve) => response.once('data', resolve));
    expect(await openBelow(dataDir)).toBeGreaterThan(0);
    late.destroy();
    await until(async () => (await openBelow(dataDir)) === 0);
    // The whole file is there until it expires; nothing else was left.
    expect(await filesBelow(dataDir)).toBe(before + 1);
    await service.stop();
  });
});
