import { describe, expect, it } from 'vitest';
import {
  formOf,
  formType,
  imported,
  listed,
  type Outcome,
  phoneAt,
  rejectedFile,
  sendForm,
  uploaded,
} from '../../support/files/contact-files.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const api = useApi();

type Options = Record<string, string>;

const csv = (...lines: string[]) => lines.join('\r\n');
const withOptions = (content: string, options: Options, fileName = 'june.csv') =>
  formOf([
    ...Object.entries(options).map(([name, text]) => ({ name, content: text })),
    { name: 'file', fileName, content },
  ]);
const send = (id: string, content: string, options: Options) =>
  sendForm(api, id, withOptions(content, options));
const sent = async (id: string, content: string, options: Options) =>
  succeeded(await send(id, content, options)) as unknown as Outcome;
const importsOf = async (id: string, query = {}) =>
  succeeded(await api.get(`/api/dataSource/${id}/contact/imports`, query));
const leads = csv('Leads of June', 'Number to call,Who,Secret', '138 0000 0001,Ann,x', '138 0000 0002,Bob,y');
const mapping = JSON.stringify({ 'Number to call': 'phoneNumber', Who: 'customerName', Secret: '' });

describe('the options of an import', () => {
  it('count as well when they are sent as files', async () => {
    const { id } = await api.aDataSource();
    const options = { mapping: `\ufeff${mapping}\n`, dryRun: 'true' };
    const parts = Object.entries(options).map(([name, content]) => ({ name, fileName: 'blob', content }));
    const body = formOf([...parts, { name: 'file', fileName: 'june.csv', content: leads }]);
    expect(succeeded(await sendForm(api, id, body))).toMatchObject({ importCount: 2, successCount: 2 });
    expect(await listed(api, id)).toEqual([]);
  });

  it('are refused in words when two parts have the same name, or none', async () => {
    const { id } = await api.aDataSource();
    const file = { name: 'file', fileName: 'june.csv', content: leads };
    const twice = (name: string) =>
      sendForm(api, id, formOf([{ name, content: 'a' }, { name, content: 'b' }, file]));
    expectError(await twice('sheet'), 400, /^sheet: is given twice$/);
    expectError(await twice(''), 400, /^body: two parts of the form have no name$/);
  });

  it('map titles to fields and leave columns out, on both roads', async () => {
    const { id } = await api.aDataSource();
    expect(await sent(id, leads, { mapping, headerRow: '2' })).toMatchObject({ successCount: 2 });
    const { id: other } = await api.aDataSource();
    const done = await uploaded(api, other, leads, { mapping: JSON.parse(mapping), headerRow: 2 });
    expect(done).toMatchObject({ status: 'DONE', successCount: 2 });
    for (const dataSourceId of [id, other]) {
      const rows = await listed(api, dataSourceId);
      expect(
        rows.map(({ phoneNumber, customerName, Secret }) => [phoneNumber, customerName, Secret]),
      ).toEqual([
        ['13800000001', 'Ann', undefined],
        ['13800000002', 'Bob', undefined],
      ]);
    }
  });

  it('try an import out: the same report, and nothing stored', async () => {
    const { id } = await api.aDataSource();
    await imported(api, id, csv('phoneNumber', phoneAt(1)));
    const file = csv('phoneNumber,city', `${phoneAt(1)},Berlin`, `${phoneAt(2)},Bonn`, 'x,');
    for (const [onDuplicate, updateCount] of [
      ['skip', 0],
      ['update', 1],
    ] as const) {
      const tried = await sent(id, file, { dryRun: 'true', onDuplicate });
      expect(await uploaded(api, id, file, { dryRun: true, onDuplicate })).toMatchObject({
        ...{ status: 'DONE', updateCount },
        ...tried,
      });
      expect(await listed(api, id)).toHaveLength(1);
      expect((await importsOf(id)).total).toBe(1);
      const { id: twin } = await api.aDataSource();
      await imported(api, twin, csv('phoneNumber', phoneAt(1)));
      expect(await sent(twin, file, { onDuplicate })).toEqual(tried);
    }
  });

  it.each<[Options, RegExp]>([
    [{ mapping: '{"phoneNumber":"status"}' }, /^mapping: .*status/],
    [{ mapping: '{"nobody":"x"}' }, /^mapping: .*nobody/],
    [{ sheet: 'June' }, /^sheet: /],
    [{ headerRow: '1.5' }, /^headerRow: /],
    [{ onDuplicate: 'merge' }, /^onDuplicate: /],
    [{ dryRun: 'yes' }, /^dryRun: /],
    [{ minDigits: '2' }, /^minDigits: /],
    [{ minDigits: '16' }, /^minDigits: /],
    [{ minDigits: '7.5' }, /^minDigits: /],
  ])('are refused when they are wrong: %j', async (options, message) => {
    const { id } = await api.aDataSource();
    expectError(await send(id, csv('phoneNumber', '123'), options), 400, message);
    expect((await importsOf(id)).total).toBe(0);
    const body: Record<string, unknown> = { fileName: 'a.csv', fileSize: 1, ...options };
    if (options.onDuplicate ?? options.headerRow ?? options.dryRun ?? options.minDigits)
      expectError(await api.post(`/api/dataSource/${id}/contact/importUpload`, body), 400, message);
  });
});

describe('a totals row', () => {
  const totals = csv(
    'Tel,Who',
    '13800000001,Ann',
    '12345,Short',
    '+123456,Plus',
    '120,合计',
    '12,Page',
    '1234567,Bob',
  );

  it('is a contact unless minDigits rejects it, on both roads and in a dry run', async () => {
    const { id } = await api.aDataSource();
    const report = { importCount: 6, successCount: 2, failCount: 4 };
    const codes = Array(4).fill('INVALID_PHONE');
    const tried = await sent(id, totals, { minDigits: '7', dryRun: 'true' });
    const done = await sent(id, totals, { minDigits: '7' });
    for (const { details, ...counts } of [tried, done]) {
      expect(counts).toEqual(report);
      expect(details.map(({ code }) => code)).toEqual(codes);
      expect(
        details.slice(0, 3).map(({ row, phoneNumber, cell, message }) => [row, phoneNumber, cell, message]),
      ).toEqual([
        [3, '12345', 'A3', 'phoneNumber: shorter than 7 digits'],
        [4, '+123456', 'A4', 'phoneNumber: shorter than 7 digits'],
        [5, '120', 'A5', 'phoneNumber: shorter than 7 digits'],
      ]);
    }
    expect((await listed(api, id)).map(({ phoneNumber }) => phoneNumber)).toEqual(['13800000001', '1234567']);
    const { id: other } = await api.aDataSource();
    expect(await uploaded(api, other, totals, { minDigits: 7 })).toMatchObject({
      ...report,
      rejected: { INVALID_PHONE: 4 },
    });
    expect(await sent(other, totals, {})).toMatchObject({ successCount: 3, failCount: 3 });
  });

  it('is shown by the previews', async () => {
    const { id } = await api.aDataSource();
    const short = csv(
      'Tel,Who',
      ...['120', '1-1-9', '123 456', '100', '999', '911', '1'].map((tel) => `${tel},x`),
    );
    const shown = async (path: string, content: string, options: Options = {}) => {
      const body = withOptions(content, options);
      const headers = { 'content-type': formType };
      return succeeded(await api.send({ method: 'POST', path, headers, body })).shortNumbers;
    };
    for (const path of [`/api/dataSource/${id}/contact/importPreview`, '/api/contact/importPreview']) {
      expect(await shown(path, totals, { minDigits: '7', dryRun: 'true' })).toEqual({
        count: 3,
        examples: [
          { cell: 'A3', phoneNumber: '12345' },
          { cell: 'A4', phoneNumber: '+123456' },
          { cell: 'A5', phoneNumber: '120' },
        ],
      });
      const { count, examples } = (await shown(path, short)) as {
        count: number;
        examples: { cell: string }[];
      };
      expect([count, examples.map(({ cell }) => cell)]).toEqual([6, ['A2', 'A3', 'A4', 'A5', 'A6']]);
      expect(await shown(path, csv('Short,Who', '95588,Bank'), { dryRun: 'true' })).toEqual({
        count: 0,
        examples: [],
      });
    }
  });
});

describe('a preview', () => {
  it('tells how the file would be read, and stores nothing', async () => {
    const { id } = await api.aDataSource();
    const previewed = (options: Options) =>
      api.send({
        method: 'POST',
        path: `/api/dataSource/${id}/contact/importPreview`,
        headers: { 'content-type': formType },
        body: withOptions(leads, options),
      });
    expectError(await previewed({}), 400, /Number to call/);
    expect(succeeded(await previewed({ headerRow: '2' }))).toMatchObject({
      headerRow: 2,
      columns: [{ field: 'Number to call' }, { field: 'Who' }, { field: 'Secret' }],
    });
    expectError(
      await previewed({ headerRow: '9' }),
      400,
      /row 9 holds no title .* the file has nothing there\./,
    );
    const numberToCall = { column: 'A', title: 'Number to call' };
    expect(succeeded(await previewed({ mapping }))).toEqual({
      kind: 'csv',
      sheets: [],
      sheet: '',
      headerRow: 2,
      rowCount: 2,
      columns: [
        { ...numberToCall, field: 'phoneNumber', samples: ['138 0000 0001', '138 0000 0002'] },
        { column: 'B', title: 'Who', field: 'customerName', samples: ['Ann', 'Bob'] },
        { column: 'C', title: 'Secret', field: '', samples: ['x', 'y'] },
      ],
      shortNumbers: { count: 0, examples: [] },
    });
    expect([await listed(api, id), (await importsOf(id)).total]).toEqual([[], 0]);
  });
});

describe('the imports of a data source', () => {
  it('are listed newest first, whichever road they came by', async () => {
    const { id } = await api.aDataSource();
    for (const at of [1, 2, 3]) await sent(id, csv('phoneNumber', phoneAt(at), 'x'), {});
    await uploaded(api, id, csv('phoneNumber', phoneAt(4)), {});
    await uploaded(api, id, 'nothing', {});
    const { total, rows } = await importsOf(id, { pageSize: 4 });
    const names = ['fileName', 'status', 'importCount', 'successCount', 'failCount'];
    expect([total, ...rows.map((row) => names.map((name) => row[name]))]).toEqual([
      5,
      ['x', 'FAILED', 0, 0, 0],
      ['x', 'DONE', 1, 1, 0],
      ['june.csv', 'DONE', 2, 1, 1],
      ['june.csv', 'DONE', 2, 1, 1],
    ]);
    expect((await importsOf(id, { pageSize: 4, pageNum: 2 })).rows).toHaveLength(1);
    expect(await importsOf(id, { pageNum: 9 })).toEqual({ total: 5, rows: [] });
    expectError(await api.get('/api/dataSource/none/contact/imports'), 404, /data source/);
  });
});

describe('rejected rows', () => {
  const file = csv(
    '手机号,Note,importError,Who',
    `${phoneAt(1)},"a, b",old,Ann`,
    'x,"=1+1",old,Bob,more',
    `${phoneAt(2)},,,Cid`,
    ',"c\nd",,Dan',
  );

  it('come back as they stood, with the reason, and can be mended and imported again', async () => {
    const { id } = await api.aDataSource();
    expect(await sent(id, file, {})).toMatchObject({ successCount: 2, failCount: 2 });
    const [row] = (await importsOf(id)).rows;
    const answer = await rejectedFile(api, id, row?.importId, 'csv');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toMatch(/rejected_\w+_\d{14}\.csv/);
    const text = (await answer.text()).replace(/^\uFEFF/, '');
    expect(text).toBe(
      csv(
        '手机号,Note,Who,,importError',
        `x,'=1+1,Bob,more,phoneNumber: must be an optional + and 3 to 15 digits (cell A3)`,
        ',"c\nd",Dan,,the row has no phone number (cell A5)',
        '',
      ),
    );
    const mended = text.replace('\r\nx,', `\r\n${phoneAt(3)},`).replace('\r\n,"c', `\r\n${phoneAt(4)},"c`);
    expect(await sent(id, mended, {})).toMatchObject({ importCount: 2, successCount: 2 });
    expect((await listed(api, id)).slice(2)).toMatchObject([
      { phoneNumber: phoneAt(3), Note: '=1+1', Who: 'Bob', 'column D': 'more' },
      { phoneNumber: phoneAt(4), Note: 'c\nd', Who: 'Dan' },
    ]);
    const workbook = await rejectedFile(api, id, row?.importId, 'excel');
    expect(workbook.headers.get('content-disposition')).toMatch(/\.xlsx"/);
    const bytes = Buffer.from(await workbook.arrayBuffer());
    expect(await imported(api, id, bytes)).toMatchObject({ importCount: 2, failCount: 2 });
  });

  it('are there only for an import that read its file', async () => {
    const { id } = await api.aDataSource();
    const { importId } = await uploaded(api, id, 'nothing', {});
    const path = `/api/dataSource/${id}/contact/import`;
    expectError(await api.get(`${path}/${importId}/rejected`), 409, /refused/);
    expectError(await api.get(`${path}/none/rejected`), 404, /import/);
    expectError(await api.get(`${path}/${importId}/rejected`, { format: 'pdf' }), 400, /format/);
  });
});
