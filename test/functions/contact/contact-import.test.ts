import { describe, expect, it } from 'vitest';
import {
  contactsCsv,
  formOf,
  formType,
  imported,
  listed,
  type Part,
  phoneAt,
  phones,
  sendFile,
  sendForm,
} from '../../support/files/contact-files.ts';
import { workbookParts, zipOf } from '../../support/files/workbook-zip.ts';
import { isInSample } from '../../support/run/extent.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const api = useApi();
const megabyte = 1024 * 1024;
const titleRow = '<row><c t="str"><v>phoneNumber</v></c></row>';
const counts = ({ importCount, successCount, failCount }: Record<string, unknown>) => [
  importCount,
  successCount,
  failCount,
];

describe('a batch import', () => {
  it('reports every row that was not imported, in the order of the file, with its number as contacts have it', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: '999', customerName: 'first' });
    const long = 'x'.repeat(9_000);
    const outcome = await imported(
      api,
      id,
      [
        'phoneNumber,customerName,city',
        '(+49) 30-123.45,Ann,Berlin',
        '9 9 9,taken,',
        '"  ",nobody,',
        '12,short,',
        '+493012345,again,',
        ',,',
        `5-5-5,${long},`,
        '556,Main St, Springfield,too far',
        ' 1/2 ,no number,',
        '557,Last,Köln',
      ].join('\r\n'),
    );
    expect(counts(outcome)).toEqual([9, 3, 6]);
    const message = expect.any(String);
    const saying = (text: string) => expect.stringContaining(text);
    expect(outcome.details).toEqual([
      { row: 3, phoneNumber: '999', code: 'DUPLICATE', message, cell: 'A3' },
      { row: 4, phoneNumber: '', code: 'MISSING_PHONE', message, cell: 'A4' },
      { row: 5, phoneNumber: '12', code: 'INVALID_PHONE', message: saying('phoneNumber'), cell: 'A5' },
      {
        ...{ row: 6, phoneNumber: '+493012345', code: 'DUPLICATE_IN_FILE', cell: 'A6', firstRow: 2 },
        message: saying('row 2'),
      },
      { row: 8, phoneNumber: '555', code: 'INVALID_FIELD', message: saying('8192 bytes') },
      { row: 10, phoneNumber: '1/2', code: 'INVALID_PHONE', message, cell: 'A10' },
    ]);
    expect(await listed(api, id)).toMatchObject([
      { phoneNumber: '999', customerName: 'first' },
      { phoneNumber: '+493012345', customerName: 'Ann', city: 'Berlin', status: 0, callCount: 0 },
      { phoneNumber: '556', customerName: 'Main St', city: ' Springfield', 'column D': 'too far' },
      { phoneNumber: '557', customerName: 'Last', city: 'Köln' },
    ]);
  });

  // Each takes a second: `npm test` tries one of them.
  const refused = [
    ['phone numbers of quotes', '"'.repeat(300), 'note', 'x'],
    ['several numbers between quotes', `${'"'.repeat(13)}1234567${'"'.repeat(13)}1234567`, 'note', 'x'],
    ['phone numbers of control characters', '_x0001_'.repeat(300), 'note', 'x'],
    ['values under a title of control characters', '12345', '_x0001_'.repeat(64), '_x0000_'],
  ] as const;
  it.each(refused.filter((_, i) => isInSample(i, refused.length)))(
    'answers less than the 6 MB a function can answer for 10,000 refused %s',
    async (_, ...texts) => {
      const { id } = await api.aDataSource();
      const strings = texts.map((text) => `<si><t>${text}</t></si>`).join('');
      const cell = (at: number) => `<c t="s"><v>${at}</v></c>`;
      const titles = titleRow.replace('</row>', `${cell(1)}</row>`);
      const rows = `<row>${cell(0)}${cell(2)}</row>`.repeat(10_000);
      const parts = workbookParts(titles + rows, { strings, sheetName: '&quot;'.repeat(40) });
      const answer = await sendFile(api, id, zipOf(parts));
      expect(counts(succeeded(answer))).toEqual([10_000, 0, 10_000]);
      // A function answers with its body as text within JSON.
      const payload = JSON.stringify({ body: JSON.stringify(answer.body) });
      expect(Buffer.byteLength(payload)).toBeLessThan(6 * megabyte);
    },
  );

  it('adds 10,000 rows in one call and in their order', async () => {
    const { id } = await api.aDataSource();
    expect(counts(await imported(api, id, await contactsCsv(10_000)))).toEqual([10_000, 10_000, 0]);
    expect(phones(await listed(api, id))).toEqual(Array.from({ length: 10_000 }, (_, at) => phoneAt(at)));
  });

  it('loses nothing while contacts are added and deleted', async () => {
    const { id } = await api.aDataSource();
    const path = `/api/dataSource/${id}/contact`;
    const old = await Promise.all([1, 2, 3, 4].map((at) => api.aContact(id, { phoneNumber: `10${at}` })));
    const [outcome, added] = await Promise.all([
      imported(api, id, await contactsCsv(1_000)),
      Promise.all([1, 2, 3, 4].map((at) => api.aContact(id, { phoneNumber: `20${at}` }))),
      ...old.map(async (contact) => succeeded(await api.post(`${path}/delete`, { contactId: contact.id }))),
    ]);
    expect(counts(outcome)).toEqual([1_000, 1_000, 0]);
    const found = phones(await listed(api, id));
    const inFileOrder = found.filter((phone) => phone.length === 11);
    expect(inFileOrder).toEqual(Array.from({ length: 1_000 }, (_, at) => phoneAt(at)));
    expect(found.filter((phone) => phone.length < 11).toSorted()).toEqual(
      added.map(({ phoneNumber }) => phoneNumber).toSorted(),
    );
  });
});

describe('a batch import is refused, and nothing of it imported,', () => {
  const file = (name: string, content: Uint8Array | string): Part => ({ name, fileName: 'x.csv', content });
  const good = 'phoneNumber\n123\n';

  it('beyond 10 MB; a file of exactly 10 MB is read', async () => {
    const { id } = await api.aDataSource();
    const parts = workbookParts(`${titleRow}<row><c><v>123</v></c></row>`);
    const withPicture = (bytes: number) => {
      const packed = Buffer.alloc(bytes);
      return zipOf([...parts, { name: 'xl/media/image1.png', content: packed, packed, method: 0 }]);
    };
    const rest = 10 * megabyte - withPicture(0).length;
    expectError(await sendFile(api, id, withPicture(rest + 1)), 413, /larger than 10 MB/);
    expect(await listed(api, id)).toEqual([]);
    const most = withPicture(rest);
    expect(most).toHaveLength(10 * megabyte);
    expect(counts(await imported(api, id, most))).toEqual([1, 1, 0]);
    expect(phones(await listed(api, id))).toEqual(['123']);
  });

  it('far beyond 10 MB', async () => {
    const { id } = await api.aDataSource();
    expectError(await sendFile(api, id, Buffer.alloc(20 * megabyte, good)), 413, /exceeds/);
  });

  const truncated = formOf([file('file', good)]).subarray(0, -20);
  it.each([
    ['without a part "file"', formOf([file('data', good)]), formType, /file: .*no file part of this name/],
    ['with "file" as text', formOf([{ name: 'file', content: good }]), formType, /no file part of this name/],
    ['with two parts "file"', formOf([file('file', good), file('file', good)]), formType, /more than one/],
    ['without any part', formOf([]), formType, /file: /],
    ['that breaks off', truncated, formType, /incomplete/],
    ['that breaks off in a header', formOf([file('file', good)]).subarray(0, 60), formType, /incomplete/],
    ['without a boundary', formOf([file('file', good)]), 'multipart/form-data', /multipart\/form-data/],
    ['that is no form', Buffer.from(good), 'text/csv', /multipart\/form-data/],
    ['that is JSON', Buffer.from('{}'), 'application/json', /multipart\/form-data/],
    ['that is empty', Buffer.alloc(0), formType, /incomplete|no file part of this name/],
    ['with an empty file', formOf([file('file', '')]), formType, /empty/],
  ])('when the request is one %s', async (_, body, contentType, message) => {
    const { id } = await api.aDataSource();
    expectError(await sendForm(api, id, body, contentType), 400, message);
    expect(await listed(api, id)).toEqual([]);
  });

  it('for a data source that does not exist', async () => {
    expectError(await sendFile(api, '0123456789abcdef', good), 404, /data source/);
  });

  it.each(['Multipart/Form-Data', 'multipart/form-data'])('but not for the case of %s', async (type) => {
    const { id } = await api.aDataSource();
    const bytes = Buffer.from('\ufeffphoneNumber\n123\n', 'utf16le');
    const answer = await sendForm(api, id, formOf([file('file', bytes)]), formType.replace(/^[^;]+/, type));
    expect(counts(succeeded(answer))).toEqual([1, 1, 0]);
  });
});

describe('a batch import where the service knows its country', () => {
  const chinese = useApi({ country: 'CN' });

  it('names a refused row by the number as contacts have it', async () => {
    const { id } = await chinese.aDataSource();
    const text = `phone,note\n13800138000,\n+86 138 0013 8000,\n13800138001,${'x'.repeat(9_000)}\n`;
    const { details } = await imported(chinese, id, text);
    const again = await imported(chinese, id, 'phone\n13800138000\n13800138000\n');
    expect([...details, ...again.details].map(({ code, phoneNumber }) => [code, phoneNumber])).toEqual([
      ['DUPLICATE_IN_FILE', '+8613800138000'],
      ['INVALID_FIELD', '+8613800138001'],
      ['DUPLICATE', '+8613800138000'],
      ['DUPLICATE_IN_FILE', '+8613800138000'],
    ]);
  });

  it('counts the numbers in a preview that are not valid there, such as too short ones', async () => {
    const numbers = ['13800138000', '1380013800', '+4930901820', '95588'];
    const form = formOf([
      { name: 'dryRun', content: 'true' },
      { name: 'file', fileName: 'a.csv', content: `phone\n${numbers.join('\n')}` },
    ]);
    const request = { method: 'POST', headers: { 'content-type': formType }, body: form };
    const { check } = succeeded(await chinese.send({ ...request, path: '/api/contact/importPreview' }));
    expect(check).toMatchObject({
      successCount: 4,
      doubtfulCount: 2,
      internationalCount: 1,
      nationalCount: 3,
    });
  });
});
