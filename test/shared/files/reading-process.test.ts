import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { openOther } from '../../../shared/files/readers/other-workbook.ts';
import { contactsOf } from '../../support/files/file-rows.ts';
import { honestOpenDocument } from '../../support/files/hostile-other.ts';
import { hostileRecords } from '../../support/files/hostile-xls.ts';
import { honest } from '../../support/files/hostile-xlsx.ts';
import { zipOf } from '../../support/files/workbook-zip.ts';

const generous = { processorMilliseconds: 10_000, bytes: 256 * 1024 * 1024, clockMilliseconds: 600_000 };

describe('the process that reads XLS, XLSB and ODS', () => {
  const { numbers, texts } = hostileRecords();

  it.each([
    ['processor time', texts, { processorMilliseconds: 400 }],
    ['memory', numbers, { bytes: 100 * 1024 * 1024 }],
    ['time by the clock', texts, { clockMilliseconds: 300 }],
  ])('is ended when it takes too much %s, and the file is refused in words', async (_, file, limit) => {
    await expect(openOther(file, 'xls', { ...generous, ...limit })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('takes too long or too much memory to read'),
    });
  });
});

describe('the hostile workbooks', () => {
  it.each([
    ['XLSX', zipOf(honest)],
    ['ODS', honestOpenDocument()],
  ])('have an honest twin that another reader opens: %s', async (_, file) => {
    const [name = ''] = XLSX.read(file).SheetNames;
    const cells = XLSX.utils.sheet_to_json(XLSX.read(file).Sheets[name]!, { header: 1, raw: false });
    expect(cells).toEqual([['phoneNumber'], ['13800138000']]);
    expect((await contactsOf(file))[0]?.cells).toEqual(['13800138000']);
  });
});

describe('a CSV file of two megabytes', () => {
  const size = 2 * 1024 * 1024;
  const file = Buffer.alloc(size, `${'1,'.padEnd(2047, 'x')}\n`);
  file.write('phoneNumber,a\n');

  it('leaves others their turn at every chunk of 64 KB', async () => {
    let turns = 0;
    let reading = true;
    const counting = (async () => {
      for (; reading; turns++) await setImmediate();
    })();
    await contactsOf(file);
    reading = false;
    await counting;
    expect(turns).toBeGreaterThanOrEqual(size / (64 * 1024));
  });
});
