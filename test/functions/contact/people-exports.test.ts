import { beforeAll, describe, expect, it } from 'vitest';
import { openWorkbook } from '../../../shared/files/open-workbook.ts';
import { sourceOf, usualLimits } from '../../../shared/files/workbook.ts';
import { hasPhoneTitle } from '../../../shared/imports/contact-columns.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { imported, phoneAt } from '../../support/files/contact-files.ts';
import { cellsOf, csvFile } from '../../support/files/file-rows.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

let now = Date.parse('2026-05-01T02:00:00Z');
const api = useApi({ now: () => now });

const download = async (path: string, query: Record<string, string>) => {
  const response = await api.file(path, query);
  expect(response.status).toBe(200);
  const [, shownName] =
    /filename\*=UTF-8''(\S+)$/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers, shownName };
};
const sheetsOf = async (file: Uint8Array) => {
  const { sheets } = await openWorkbook(
    sourceOf(file),
    (cells) => hasPhoneTitle(cells, new Map()),
    usualLimits,
  );
  const read = sheets.map(async ({ name, rows }) => {
    const cells: string[][] = [];
    for await (const batch of rows()) cells.push(...batch.map((row) => row.cells));
    return [name, cells] as const;
  });
  return Object.fromEntries(await Promise.all(read));
};

const file = () =>
  csvFile(
    ['城市', '姓名', '手机号', '备注', '金额'],
    [
      ['北京', '张三', phoneAt(1), '', '100'],
      ['上海', '李四', phoneAt(2), 'vip', ''],
      ['广州', '王五', phoneAt(3), '', ''],
    ],
  );

describe('an export for people', () => {
  let dataSourceId: string;
  let taskId: string;
  const taskExport = (query: Record<string, string>) => download(`/api/task/${taskId}/export`, query);
  const sourceExport = (query: Record<string, string>) =>
    download(`/api/dataSource/${dataSourceId}/contact/batchExport`, query);
  const call = async (outcome: string, reason?: string) => {
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit: 1 }));
    const [{ callId } = { callId: '' }] = calls as { callId: string }[];
    const result = { callId, outcome, duration: 7, ...(reason === undefined ? {} : { reason }) };
    succeeded(await api.post('/api/dialer/result', result));
    now += 60_000;
  };

  beforeAll(async () => {
    dataSourceId = String((await api.aDataSource({ dataSourceName: '六月/续费' })).id);
    await imported(api, dataSourceId, await file());
    const task = { dataSourceId, taskName: '六月 "续费"', maxDialCount: 2, callInterval: 0 };
    taskId = String((await api.aTask(task)).id);
    succeeded(await api.post('/api/task/publish', { id: taskId }));
    await call('noAnswer', 'busy');
    await call('success');
    await call('failed', 'poweredOff');
  });

  const titles =
    '城市|姓名|电话号码|备注|金额|地址|最近一次呼叫|呼叫次数|通话时长|振铃时长|最近呼叫时间|结果|原因|联系人编号';
  const people = [
    titles,
    `北京|张三|${phoneAt(1)}||100||已接通|2|0:00:07|0:00:07|2026-05-01 10:01:00|已接通|`,
    `上海|李四|${phoneAt(2)}|vip|||失败|1|0:00:00|0:00:07|2026-05-01 10:02:00|待重呼|关机`,
    `广州|王五|${phoneAt(3)}||||未呼叫|0|0:00:00|0:00:00||未呼叫|`,
  ];
  const calls = [
    '电话号码|姓名|呼叫时间|结果|原因|通话时长|振铃时长|联系人编号',
    `${phoneAt(1)}|张三|2026-05-01 10:00:00|未接听|占线|0:00:00|0:00:07`,
    `${phoneAt(1)}|张三|2026-05-01 10:01:00|已接通||0:00:07|0:00:00`,
    `${phoneAt(2)}|李四|2026-05-01 10:02:00|失败|关机|0:00:00|0:00:07`,
  ];
  const zh = { labels: 'zh', timeZone: 'Asia/Shanghai' };
  /** The rows as text; without the ids of contacts, which come last. */
  const shown = (rows: readonly string[][] = []) =>
    rows.map((cells, at) => (at === 0 ? cells : cells.slice(0, rows[0]!.length - 1)).join('|'));

  it('has titles, outcomes, reasons and times in words and zone of the reader, and every call', async () => {
    const { bytes, headers, shownName = '' } = await taskExport({ ...zh, calls: 'true' });
    const sheets = await sheetsOf(bytes);
    expect(Object.keys(sheets)).toEqual(['联系人', '呼叫记录']);
    expect(shown(sheets.联系人)).toEqual(people);
    expect(shown(sheets.呼叫记录)).toEqual(calls);
    expect(decodeURIComponent(shownName)).toBe('六月 _续费__20260501100300.xlsx');
    expect(headers.get('content-disposition')).toContain(
      `filename="task_contacts_${taskId}_20260501020300.xlsx"`,
    );
  });

  it('lists the calls of the selected contacts only', async () => {
    const sheets = await sheetsOf((await taskExport({ ...zh, calls: 'true', status: '2' })).bytes);
    expect(shown(sheets.呼叫记录)).toEqual([calls[0], calls[3]]);
  });

  it('comes as CSV too, and in English', async () => {
    const { bytes, shownName = '' } = await taskExport({ labels: 'en', format: 'csv' });
    const [titles, ...rows] = await cellsOf(bytes);
    expect(titles?.join()).toBe(
      '城市,Name,Phone number,备注,Amount,Address,Latest call,Calls,Talk time,Ringing,Last called,Outcome,Reason,Contact ID',
    );
    expect(rows.map((row) => row[11])).toEqual(['Reached', 'To be called again', 'Not called yet']);
    expect(rows[0]?.[10]).toBe('2026-05-01 02:01:00');
    expect(decodeURIComponent(shownName)).toMatch(/\.csv$/);
  });

  it('of a data source names it, and has its latest outcomes in words', async () => {
    const { bytes, shownName = '' } = await sourceExport(zh);
    const [titles, ...rows] = await cellsOf(bytes);
    expect(titles?.join('|')).toBe('城市|姓名|电话号码|备注|金额|地址|最近一次呼叫|呼叫次数|添加时间');
    expect(rows.map((row) => row[6])).toEqual(['已接通', '失败', '未呼叫']);
    expect(decodeURIComponent(shownName)).toBe('六月_续费_20260501100300.xlsx');
  });

  it('without its options is the contract’s file; a zone alone changes only the times', async () => {
    const { bytes, headers } = await taskExport({ format: 'csv' });
    const [titles, first] = await cellsOf(bytes);
    expect(titles?.slice(0, 8).join()).toBe(
      'contactId,phoneNumber,customerName,address,orderAmount,城市,备注,status',
    );
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="task_contacts_${taskId}_20260501020300.csv"`,
    );
    const zoned = await cellsOf((await taskExport({ format: 'csv', timeZone: 'Asia/Shanghai' })).bytes);
    expect(zoned[0]).toEqual(titles);
    expect(zoned[1]).toEqual(first?.map((cell) => cell.replace('01 02:', '01 10:')));
    const { Calls } = await sheetsOf((await taskExport({ calls: 'true' })).bytes);
    expect(Calls?.[0]?.join()).toBe(
      'contactId,phoneNumber,customerName,callTime,callOutcome,callReason,callDuration',
    );
    expect(Calls?.[1]?.slice(1).join()).toBe(`${phoneAt(1)},张三,2026-05-01 02:00:00,noAnswer,busy,7`);
  });

  it('leaves the durations empty of a contact with more calls than are kept with it', async () => {
    const { id } = await api.aDataSource();
    const contact = await api.aContact(id, { phoneNumber: phoneAt(9) });
    const dialing = new DialingApi(api);
    const settings = { maxDialCount: 10, callInterval: 0, keepOpen: true };
    const task = await api.aTaskIn(1, { dataSourceId: id, ...settings });
    for (let calls = 0; calls < 21; calls++) {
      const isUsedUp = calls > 0 && calls % settings.maxDialCount === 0;
      if (isUsedUp) succeeded(await dialing.recall(String(task.id), { contactIds: [contact.id] }));
      const { callId } = await dialing.leaseOne({ taskId: task.id });
      await dialing.report(callId, 'failed', 7);
    }
    const { bytes } = await download(`/api/task/${task.id}/export`, { labels: 'en', format: 'csv' });
    const [titles = [], row] = await cellsOf(bytes);
    const cell = (title: string) => row?.[titles.indexOf(title)];
    expect(['Calls', 'Talk time', 'Ringing'].map(cell)).toEqual(['21', '', '']);
  });

  it('is refused with options that are wrong', async () => {
    const path = `/api/task/${taskId}/export`;
    expectError(await api.get(path, { labels: 'de' }), 400, /^labels: must be one of en, zh/);
    expectError(await api.get(path, { timeZone: 'Mars/Base' }), 400, /^timeZone: must be an IANA/);
    expectError(await api.get(path, { calls: 'true', format: 'csv' }), 400, /^calls: /);
    expectError(await api.get(path, { calls: 'yes' }), 400, /^calls: must be true or false/);
    const contacts = `/api/dataSource/${dataSourceId}/contact/batchExport`;
    expectError(await api.get(contacts, { timeZone: '+08:00' }), 400, /^timeZone: /);
  });

  it('can be imported again', async () => {
    const { id } = await api.aDataSource();
    const { bytes } = await sourceExport(zh);
    expect(await imported(api, id, bytes)).toMatchObject({ importCount: 3, successCount: 3 });
  });
});

describe('the columns of an export for people', () => {
  const titlesOf = async (id: string) => {
    const path = `/api/dataSource/${id}/contact/batchExport`;
    const [titles = []] = await cellsOf((await download(path, { labels: 'en', format: 'csv' })).bytes);
    return titles.slice(0, -3);
  };

  it('follow the first file; fields of later files and of single contacts come after them', async () => {
    const { id } = await api.aDataSource();
    expect(await titlesOf(id)).toEqual(['Phone number', 'Name', 'Address', 'Amount']);
    await imported(api, id, `zone,Tel,2024,Secret,area\nz,${phoneAt(1)},y,,a`);
    await imported(api, id, `Tel,area,Name,mood\n${phoneAt(2)},a,Ann,m`);
    await api.aContact(id, { phoneNumber: phoneAt(3), beta: 'b', alpha: 'a' });
    const first = ['zone', 'Phone number', '2024', 'area', 'Name', 'mood'];
    expect(await titlesOf(id)).toEqual([...first, 'Address', 'Amount', 'alpha', 'beta']);
  });

  it('are in the contract’s order where no order is known', async () => {
    const { id } = await api.aDataSource();
    await imported(api, id, `zeta,Tel,alpha\nz,${phoneAt(1)},a`);
    await api.database.put({ ...keys.fieldNames(id), names: new Set(['zeta', 'alpha']) });
    expect(await titlesOf(id)).toEqual(['Phone number', 'Name', 'Address', 'Amount', 'alpha', 'zeta']);
  });

  it('never have the same title twice', async () => {
    const { id } = await api.aDataSource();
    await imported(api, id, `phoneNumber,customerName,Name\n${phoneAt(1)},Ann,other`);
    expect((await titlesOf(id)).slice(0, 3)).toEqual(['Phone number', 'customerName', 'Name']);
  });
});
