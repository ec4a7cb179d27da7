import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import {
  formOf,
  formType,
  imported,
  listed,
  type Outcome,
  phoneAt,
  rejectedFile,
  sendFile,
  sendForm,
  statusOf,
} from '../../support/files/contact-files.ts';
import { cellsOf, csvFile, xlsxFile } from '../../support/files/file-rows.ts';
import type { Answer } from '../../support/service/answers.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const api = useApi();

type Content = Uint8Array | string;
const formWith = (content: Content, options: Record<string, string>) =>
  formOf([
    ...Object.entries(options).map(([name, text]) => ({ name, content: text })),
    { name: 'file', fileName: 'june.csv', content },
  ]);
const send = (id: string, content: Content, options: Record<string, string>) =>
  sendForm(api, id, formWith(content, options));
const sent = async (id: string, content: Content, options: Record<string, string> = {}) =>
  succeeded(await send(id, content, options)) as unknown as Outcome;
const rejectedOf = async (id: string, { headers }: Answer, format: string) => {
  const answer = await rejectedFile(api, id, headers.get('x-import-id'), format);
  return Buffer.from(await answer.arrayBuffer());
};
const preview = (content: Content, options: Record<string, string> = {}) =>
  api.send({
    method: 'POST',
    path: '/api/contact/importPreview',
    headers: { 'content-type': formType },
    body: formWith(content, options),
  });
/** Both kinds of file with the same cells. */
const kinds: [string, (rows: string[][]) => Promise<Buffer>][] = [
  ['CSV', ([titles = [], ...rows]) => csvFile(titles, rows)],
  ['Excel', ([titles = [], ...rows]) => xlsxFile(titles, rows)],
];

const workbookOf = (sheets: Record<string, string[][]>, hidden: string): Buffer => {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name);
  book.Workbook = { Sheets: book.SheetNames.map((name) => ({ Hidden: name === hidden ? 1 : 0 })) };
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
};

describe('the sheet of a workbook', () => {
  const file = workbookOf(
    { Notes: [['Call']], Old: [['Tel'], [phoneAt(1)]], Now: [['Tel'], [phoneAt(2)]] },
    'Old',
  );

  it.each([
    ['', phoneAt(2)],
    [' old ', phoneAt(1)],
    ['Now', phoneAt(2)],
  ])('is the one of that name, also if it is hidden, or the first visible one: %j', async (sheet, phone) => {
    const { id } = await api.aDataSource();
    expect(await sent(id, file, { sheet })).toMatchObject({ successCount: 1 });
    expect(await listed(api, id)).toMatchObject([{ phoneNumber: phone }]);
  });

  it('is named in the refusal where there is none of that name, or it holds no phone title', async () => {
    const { id } = await api.aDataSource();
    expectError(
      await send(id, file, { sheet: 'May' }),
      400,
      /no sheet "May"; its sheets are "Notes", "Old", "Now"/,
    );
    expectError(await send(id, file, { sheet: 'Notes' }), 400, /the sheet "Notes" has "Call"/);
    expectError(await send(id, 'Tel\n123', { sheet: 'May' }), 400, /a CSV file has none/);
  });
});

describe('the answer of an import', () => {
  const keyed = (id: string, key: string, content: string) => ({
    method: 'POST',
    path: `/api/dataSource/${id}/contact/batchImport`,
    headers: { 'content-type': formType, 'idempotency-key': key },
    body: formWith(content, {}),
  });

  it('names its import, also when it is repeated, and a dry run names none', async () => {
    const { id } = await api.aDataSource();
    const request = keyed(id, 'named-import', `phoneNumber\n${phoneAt(1)}`);
    const first = await api.send(request);
    const importId = first.headers.get('x-import-id');
    expect(await statusOf(api, id, importId)).toMatchObject({ importId, status: 'DONE', successCount: 1 });
    const again = await api.send(request);
    expect([again.headers.get('idempotent-replayed'), again.headers.get('x-import-id')]).toEqual([
      'true',
      importId,
    ]);
    expect(first.body).toEqual(again.body);
    const dry = await send(id, `phoneNumber\n${phoneAt(2)}`, { dryRun: 'true' });
    expect(dry.headers.get('x-import-id')).toBeNull();
  });

  it('names the import also where the report is too large to be stored', async () => {
    const { id } = await api.aDataSource();
    const request = keyed(id, 'large-report', `phoneNumber\n${'x\n'.repeat(5_000)}`);
    const [first, again] = [await api.send(request), await api.send(request)];
    expect(again.headers.get('x-import-id')).toBe(first.headers.get('x-import-id'));
    expect(again.body).toEqual(first.body);
  });

  it('says in which cell and sheet a rejected value stands, and which row a duplicate repeats', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: phoneAt(9) });
    const rows = [
      ['name', 'phone', 'city'],
      ['Ann', phoneAt(1), 'Berlin'],
      ['Bob', '12', 'Berlin'],
      ['Cid', '', 'Berlin'],
      ['Dan', phoneAt(1), 'Berlin'],
      ['Eve', phoneAt(9), 'Berlin'],
    ];
    const expected = [
      { row: 3, phoneNumber: '12', code: 'INVALID_PHONE', cell: 'B3' },
      { row: 4, phoneNumber: '', code: 'MISSING_PHONE', cell: 'B4' },
      { row: 5, phoneNumber: phoneAt(1), code: 'DUPLICATE_IN_FILE', cell: 'B5', firstRow: 2 },
      { row: 6, phoneNumber: phoneAt(9), code: 'DUPLICATE', cell: 'B6' },
    ].map((row) => ({ ...row, message: expect.any(String) }));
    const workbook = await xlsxFile(rows[0]!, rows.slice(1));
    expect((await sent(id, workbook, { dryRun: 'true' })).details).toEqual(
      expected.map((row) => ({ ...row, sheet: 'Contacts' })),
    );
    const answer = await sendFile(api, id, await csvFile(rows[0]!, rows.slice(1)));
    expect((succeeded(answer) as unknown as Outcome).details).toEqual(expected);
    const stored = await statusOf(api, id, answer.headers.get('x-import-id'));
    expect(stored.details).toEqual(expected);
  });

  it('names the cell of a field that is wrong, and none where the whole row is', async () => {
    const { id } = await api.aDataSource();
    const rows = [
      ['phoneNumber', 'note'],
      [phoneAt(1), '\u0000'],
      [phoneAt(2), 'x'.repeat(9_000)],
    ];
    const wrongRow = (row: number, at: number) => ({ row, phoneNumber: phoneAt(at), code: 'INVALID_FIELD' });
    const answer = await sendFile(api, id, await xlsxFile(rows[0]!, rows.slice(1)));
    expect(succeeded(answer).details).toEqual([
      expect.objectContaining({ row: 2, code: 'INVALID_FIELD', cell: 'B2', sheet: 'Contacts' }),
      { ...wrongRow(3, 2), message: expect.stringContaining('8192 bytes'), sheet: 'Contacts' },
    ]);
    await api.aContact(id, { phoneNumber: phoneAt(9), a: 'x'.repeat(5000) });
    const larger = `phone,b\n${phoneAt(9)},${'x'.repeat(5000)}`;
    expect((await sent(id, larger, { onDuplicate: 'update' })).details).toEqual([
      { ...wrongRow(2, 9), message: expect.stringMatching(/^with the fields/) },
    ]);
    const [, ...back] = await cellsOf(await rejectedOf(id, answer, 'excel'));
    expect(back.map((cells) => cells.at(-1))).toEqual([
      expect.stringMatching(/ \(cell B2 of the sheet "Contacts"\)$/),
      expect.stringMatching(/8192 bytes$/),
    ]);
  });

  it('names the cell of a field under no title', async () => {
    const { id } = await api.aDataSource();
    const row = [phoneAt(1), ...Array<string>(25).fill(''), '_x0000_'];
    const { details } = await imported(api, id, workbookOf({ June: [['phoneNumber'], row] }, ''));
    expect(details).toMatchObject([{ row: 2, code: 'INVALID_FIELD', cell: 'AA2' }]);
  });

  it('tells new rows from updated ones in its status, skipped from rejected ones by their codes', async () => {
    const { id } = await api.aDataSource();
    await imported(api, id, `phoneNumber,city\n${phoneAt(1)},Rome\n${phoneAt(2)},Rome`);
    const file = `phoneNumber,city\n${phoneAt(1)},Oslo\n${phoneAt(2)},Rome\n${phoneAt(3)},Oslo\nx,`;
    const dry = await sent(id, file, { onDuplicate: 'update', dryRun: 'true' });
    expect(Object.keys(dry)).toEqual(['importCount', 'successCount', 'failCount', 'details']);
    const answer = await send(id, file, { onDuplicate: 'update' });
    const status = await statusOf(api, id, answer.headers.get('x-import-id'));
    expect(status).toMatchObject({ importCount: 4, successCount: 3, updateCount: 2, failCount: 1 });
    const again = await send(id, file, {});
    const skipped = await statusOf(api, id, again.headers.get('x-import-id'));
    expect(skipped).toMatchObject({ successCount: 0, updateCount: 0, failCount: 4 });
    const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contact/imports`));
    expect(rows.map(({ updateCount }) => updateCount)).toEqual([0, 2, 0]);
  });
});

describe('a preview without a data source', () => {
  it('answers as the preview of a data source', async () => {
    const { id } = await api.aDataSource();
    const path = `/api/dataSource/${id}/contact/importPreview`;
    const content = `Tel,Name\n${phoneAt(1)},Ann`;
    const body = formWith(content, {});
    const known = await api.send({ method: 'POST', path, headers: { 'content-type': formType }, body });
    expect(succeeded(await preview(content))).toEqual(succeeded(known));
    expectError(await preview('nothing,here'), 400, /no title "phoneNumber"/);
  });

  it('checks every row where it is asked to: reasons, spellings and numbers that are too short', async () => {
    const file = [
      'Tel,Note',
      ...[phoneAt(1), '+86 138 0000 0002', '0049 30 901820', '', 'none', phoneAt(1)].map((tel) => `${tel},x`),
    ].join('\n');
    expect(succeeded(await preview(file))).not.toHaveProperty('check');
    expect(succeeded(await preview(file, { dryRun: 'true' })).check).toEqual({
      successCount: 3,
      failCount: 3,
      rejected: { MISSING_PHONE: 1, INVALID_PHONE: 1, DUPLICATE_IN_FILE: 1 },
      internationalCount: 2,
      nationalCount: 1,
      doubtfulCount: 0,
    });
    const none = succeeded(
      await preview(file, { dryRun: 'true', mapping: '{"Tel":"other"}', headerRow: '1' }),
    );
    expect(none).not.toHaveProperty('check');
  });

  it.each([
    ['titles that are not known', 'June\nReach at,Who\n13800000001,Ann\n13800000002,Bob', 2, 'Reach at'],
    ['no titles', '13800000001,Ann\n13800000002,Bob', 0, 'column A'],
    ['one row below a headline', 'A headline\n\n13800000001', 1, 'A headline'],
  ])('finds phone numbers by their content: %s', async (_, file, headerRow, title) => {
    const found = succeeded(await preview(file, { dryRun: 'true' }));
    expect(found).toMatchObject({ headerRow, check: { failCount: 0 } });
    expect(found.columns).toContainEqual(expect.objectContaining({ title, field: 'phoneNumber' }));
    expectError(await preview(file), 400, /no title "phoneNumber"/);
  });

  it('shows the titles where the content tells nothing, and refuses an empty file', async () => {
    const found = succeeded(await preview('Short,Who\n95588,Bank', { dryRun: 'true' }));
    expect(found).toMatchObject({ headerRow: 1, columns: [{ field: 'Short' }, { field: 'Who' }] });
    expect(found).not.toHaveProperty('check');
    expectError(await preview(' ', { dryRun: 'true' }), 400, /empty/);
  });

  it('shows three short samples of each column, also of text under no title', async () => {
    const rows = [1, 2, 3, 4].map((at) => `${phoneAt(at)},${'x'.repeat(101)},,,${at}`);
    expect(succeeded(await preview(['Tel,Note,,', ...rows].join('\n')))).toMatchObject({
      rowCount: 4,
      columns: [
        { column: 'A', title: 'Tel', samples: [1, 2, 3].map(phoneAt) },
        { column: 'B', title: 'Note', samples: Array(3).fill('x'.repeat(100)) },
        { column: 'E', title: '', field: 'column E', samples: ['1', '2', '3'] },
      ],
    });
  });

  it('checks the sheet that it shows', async () => {
    const file = workbookOf(
      { Cover: [['Read me']], Old: [['13800000009']], Data: [[phoneAt(1)], [phoneAt(2)], ['x']] },
      'Old',
    );
    expect(succeeded(await preview(file, { dryRun: 'true', headerRow: '0' }))).toMatchObject({
      ...{ kind: 'xlsx', sheets: ['Cover', 'Data'], sheet: 'Data', rowCount: 3 },
      check: { successCount: 2, failCount: 1 },
    });
    const titled = await preview(file, { headerRow: '2' });
    expect(succeeded(titled)).toMatchObject({
      sheet: 'Data',
      headerRow: 2,
      columns: [{ field: phoneAt(2) }],
    });
  });

  it('needs the scope of the other preview', async () => {
    const answer = await fetch(`${api.url}/api/contact/importPreview`, { method: 'POST' });
    expect(answer.status).toBe(401);
  });
});

describe('a file without titles', () => {
  const rows = [
    ['Ann', '2026-05-01', 'A-100000001', '138 0000 0001', '12000000.50', 'x'],
    ['Bob', '2026-05-02', 'A-100000002', '138 0000 0002', '99000000.00', 'more'],
    ['Cid', '2026-05-03', 'A-100000003', 'none'],
  ];

  it.each(kinds)('has columns named by their letters; %s', async (_, fileOf) => {
    const { id } = await api.aDataSource();
    const file = await fileOf(rows);
    expectError(await send(id, file, {}), 400, /`headerRow` 0/);
    const { columns, headerRow, rowCount } = succeeded(await preview(file, { headerRow: '0' }));
    expect([headerRow, rowCount]).toEqual([0, 3]);
    const letters = [...'ABCDEF'].map((letter) => `column ${letter}`);
    expect(columns).toMatchObject(letters.map((title) => ({ title })));
    expect((columns as { field: string }[]).map(({ field }) => field)).toEqual(
      letters.with(3, 'phoneNumber'),
    );
    const answer = await send(id, file, {
      headerRow: '0',
      mapping: '{"column A":"customerName","column C":""}',
    });
    expect(succeeded(answer)).toMatchObject({
      successCount: 2,
      details: [{ row: 3, code: 'INVALID_PHONE', cell: 'D3' }],
    });
    expect(await listed(api, id)).toMatchObject([
      { phoneNumber: '13800000001', customerName: 'Ann', 'column E': '12000000.50' },
      { phoneNumber: '13800000002', customerName: 'Bob', 'column F': 'more' },
    ]);
    const rejected = (await rejectedOf(id, answer, 'csv')).toString();
    expect(rejected).toContain('column A,column B,column C,phoneNumber,column E');
    const fixed = rejected.replace(',none,', `,${phoneAt(3)},`);
    expect(await imported(api, id, fixed)).toMatchObject({ importCount: 1, successCount: 1 });
  });

  it('takes the column that the mapping names', async () => {
    const { id } = await api.aDataSource();
    const file = await csvFile(rows[0]!, rows.slice(1));
    const mapping = '{"column E":"phoneNumber","column D":"orderAmount"}';
    expect(await sent(id, file, { headerRow: '0', mapping })).toMatchObject({ successCount: 2 });
    expect(await listed(api, id)).toMatchObject([
      { phoneNumber: '1200000050' },
      { phoneNumber: '9900000000' },
    ]);
    const twice = '{"column A":"column B"}';
    expectError(await send(id, file, { headerRow: '0', mapping: twice }), 400, /appears twice/);
  });

  it('is refused where no column holds phone numbers, but can be previewed', async () => {
    const { id } = await api.aDataSource();
    const file = 'Ann,2026-05-01\nBob,2026-05-02';
    expectError(await send(id, file, { headerRow: '0' }), 400, /no column holds phone numbers/);
    expect(succeeded(await preview(file, { headerRow: '0' })).columns).toHaveLength(2);
    expectError(await send(id, ' ', { headerRow: '0' }), 400, /empty/);
    expectError(await send(id, file, { headerRow: '-1' }), 400, /headerRow/);
  });

  it.each<[string, string[], Record<string, string>, string | undefined]>([
    ['whose numbers look most like phone numbers', ['100000001,13800000001'], {}, 'B'],
    ['that stands first of equal ones', ['13800000001,13900000001'], {}, 'A'],
    ['that the mapping leaves', ['13800000001,13900000001'], { 'column A': 'spare' }, 'B'],
    ['in which most cells are phone numbers', ['x,13800000001', 'y,13900000001', 'z,none', ','], {}, 'B'],
    ['and not one in which half of them are', ['x,13800000001', 'y,none'], {}, undefined],
    ['and not one of six digits', ['x,123456'], {}, undefined],
    ['of seven digits', ['x,1234567'], {}, 'B'],
    ['and not one of dates', ['x,2026/5/1'], {}, undefined],
    ['beyond the letters of the alphabet', [`${','.repeat(27)}13800000001`], {}, 'AB'],
  ])('takes the column %s', async (_, lines, mapping, letter) => {
    const options = { headerRow: '0', mapping: JSON.stringify(mapping) };
    const found = succeeded(await preview(lines.join('\n'), options)).columns as {
      column: string;
      field: string;
    }[];
    expect(found.find(({ field }) => field === 'phoneNumber')?.column).toBe(letter);
  });
});

describe('titles that files have', () => {
  const known = {
    phoneNumber:
      '号码 被叫号码 客户电话 客户手机号码 移动电话 电话1 电话号码１ 手机号码1（必填） 手机〖11位〗 Phone#',
    customerName: '名字 称呼【可空】 收件人 姓名 客户名称 Full_Name',
    address: '通讯地址 家庭地址［省市区］ 收货地址 住址',
    orderAmount: '消费金额（元） 欠费金额 金额 Amount',
  };
  it.each(Object.entries(known))('give %s for %s', async (field, titles) => {
    for (const title of titles.split(' ')) {
      const file = field === 'phoneNumber' ? `${title}\n${phoneAt(1)}` : `电话,${title}\n${phoneAt(1)},x`;
      const { columns } = succeeded(await preview(file));
      expect(columns).toContainEqual(expect.objectContaining({ title, field }));
    }
  });

  it('give a field to the column that bears its own name before one of another name', async () => {
    const { columns } = succeeded(await preview(`电话,Name,CustomerName\n${phoneAt(1)},x,y`));
    expect(columns).toMatchObject([
      { field: 'phoneNumber' },
      { title: 'Name', field: 'Name' },
      { title: 'CustomerName', field: 'customerName' },
    ]);
  });
});

it.each([
  ['no text', 'phoneNumber,createTime,city', undefined],
  ['its text in an export of ours', 'phoneNumber,callCount,createTime,city', '#N/A'],
])('the error of a cell is %s', async (_, titles, city) => {
  const { id } = await api.aDataSource();
  const row = titles.replace('phoneNumber', phoneAt(1)).replace('city', '#N/A');
  await imported(api, id, `${titles}\n${row}\n`);
  const [contact] = await listed(api, id);
  expect(contact!.city).toBe(city);
});

describe('phone numbers as people write them', () => {
  it.each(kinds)('lose an apostrophe before them; %s', async (_, fileOf) => {
    const { id } = await api.aDataSource();
    const file = await fileOf([
      ['phoneNumber', 'note'],
      ["'13800000001", "'123"],
      ['’+86 13800000002', ''],
      ["'abc", ''],
    ]);
    expect(await imported(api, id, file)).toMatchObject({
      successCount: 2,
      details: [{ row: 4, phoneNumber: "'abc", code: 'INVALID_PHONE' }],
    });
    expect(await listed(api, id)).toMatchObject([
      { phoneNumber: '13800000001', note: "'123" },
      { phoneNumber: '+8613800000002' },
    ]);
  });

  it.each(kinds)('are rejected in words where a cell holds several; %s', async (_, fileOf) => {
    const { id } = await api.aDataSource();
    const several = [
      ...['13800000001/13800000002', '13800000001、13800000002', '13800000001\n13800000002'],
      ...['１３８００００００１，１３８００００００２', '138 0000 0001 或 138 0000 0002'],
    ];
    const file = await fileOf([['phoneNumber', 'note'], ...several.map((text) => [text, 'x'])]);
    const { details } = await imported(api, id, file);
    expect(details.map(({ message }) => message.includes('several numbers'))).toEqual(
      several.map(() => true),
    );
  });
});
