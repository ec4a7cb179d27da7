import { crc32, inflateRawSync } from 'node:zlib';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { csvRows } from '../../../shared/files/csv-writer.ts';
import { xlsxRows } from '../../../shared/files/xlsx-writer.ts';
import { inBatches, xlsxFile } from '../../support/files/file-rows.ts';

const titles = ['phoneNumber', 'customerName', 'note'];
const rows = [
  ['+8613800138000', '张三', ''],
  ['00123', '', '=1+1'],
];
const manyRows = (count: number) =>
  Array.from({ length: count }, (_, at) => [
    String(13_800_000_000 + at),
    `name ${Math.sin(at)}`,
    'x'.repeat(at % 50),
  ]);

/** Copied, since a small Buffer is a part of a larger one that holds other things too. */
const inExcelJs = async (file: Buffer) => {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(Uint8Array.from(file).buffer);
  return book;
};

describe('an XLSX export', () => {
  it('has a bold, frozen title row and columns as wide as their text', async () => {
    const book = await inExcelJs(await xlsxFile(titles, [['1', '一二三四五六七八九十', 'x'.repeat(500)]]));
    const sheet = book.worksheets[0]!;
    expect(sheet.name).toBe('Contacts');
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
    expect(sheet.getCell('A1').font.bold).toBe(true);
    expect(sheet.getCell('A2').font?.bold).toBeFalsy();
    expect(sheet.columns.map(({ width }) => width)).toEqual([14, 23, 60]);
  });

  it('holds text cells, each with its reference', async () => {
    const book = XLSX.read(await xlsxFile(titles, rows), { type: 'buffer' });
    const sheet = book.Sheets[book.SheetNames[0]!]!;
    expect(sheet['!ref']).toBe('A1:C3');
    expect(sheet.A2).toMatchObject({ t: 's', v: '+8613800138000' });
    expect(sheet.A3).toMatchObject({ t: 's', v: '00123' });
    expect(sheet.C3).toMatchObject({ t: 's', v: '=1+1' });
    expect(sheet.C3.f).toBeUndefined();
    expect(sheet.B3).toBeUndefined();
  });

  it('holds numbers where they are given as such, and is printed as wide as a page with its titles', async () => {
    const file = await xlsxFile(titles, [['1', 'x', 3] as unknown as string[]]);
    const book = XLSX.read(file, { type: 'buffer' });
    expect(book.Sheets.Contacts!.C2).toMatchObject({ t: 'n', v: 3 });
    expect(book.Sheets.Contacts!.A2).toMatchObject({ t: 's', v: '1' });
    expect(book.Workbook?.Names).toMatchObject([{ Name: '_xlnm.Print_Titles', Ref: "'Contacts'!$1:$1" }]);
    const excel = await inExcelJs(file);
    expect(excel.worksheets[0]!.pageSetup).toMatchObject({
      orientation: 'landscape',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
    });
  });

  it.each([
    [0, ['Contacts']],
    [10, ['Contacts']],
    [25, ['Contacts', 'Contacts 2', 'Contacts 3']],
  ])('of %i rows goes on on further sheets of 11 lines, each with the titles', async (count, names) => {
    const all = manyRows(count);
    const book = XLSX.read(await xlsxFile(titles, all, { sheetRows: 11 }), { type: 'buffer' });
    expect(book.SheetNames).toEqual(names);
    const read = names.map((name) =>
      XLSX.utils.sheet_to_json<string[]>(book.Sheets[name]!, { header: 1, defval: '' }),
    );
    expect(read.map(([first]) => first)).toEqual(names.map(() => titles));
    expect(read.flatMap((sheet) => sheet.slice(1))).toEqual(all);
  });

  it.each([' x', 'x '])('tells readers to keep the outer spaces of "%s"', async (text) => {
    const file = await xlsxFile(['a'], [[text]]);
    const book = XLSX.read(file, { type: 'buffer', bookFiles: true });
    const { files } = book as unknown as { files: Record<string, { content: Uint8Array }> };
    const sheet = Buffer.from(files['xl/worksheets/sheet1.xml']!.content).toString();
    expect(sheet).toContain(`<t xml:space="preserve">${text}</t>`);
  });

  it('is an archive whose sizes and check sums are right', async () => {
    const file = await xlsxFile(titles, manyRows(5_000));
    const end = file.length - 22;
    let parts = 0;
    for (let at = file.readUInt32LE(end + 16); at < end; parts++) {
      const name = file.readUInt16LE(at + 28);
      const local = file.readUInt32LE(at + 42);
      const start = local + 30 + file.readUInt16LE(local + 26);
      const packed = file.readUInt32LE(at + 20);
      const content = inflateRawSync(file.subarray(start, start + packed));
      expect([content.length, crc32(content)]).toEqual([
        file.readUInt32LE(at + 24),
        file.readUInt32LE(at + 16),
      ]);
      expect(file.subarray(start + packed + 4, start + packed + 16)).toEqual(file.subarray(at + 16, at + 28));
      at += 46 + name;
    }
    expect(parts).toBe(file.readUInt16LE(end + 10));
  });

  it('has as many columns as a sheet has, and no more', async () => {
    const wide = Array.from({ length: 16_385 }, (_, at) => `t${at}`);
    const { Sheets } = XLSX.read(await xlsxFile(wide.slice(0, 703), []), { type: 'buffer' });
    expect(Sheets.Contacts).toMatchObject({ AA1: { v: 't26' }, ZZ1: { v: 't701' }, AAA1: { v: 't702' } });
    expect((await xlsxFile(wide.slice(1), [])).length).toBeGreaterThan(0);
    await expect(xlsxFile(wide, [])).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe.each([
  ['CSV', csvRows],
  ['XLSX', xlsxRows],
] as const)('any export as %s', (_, write) => {
  it('comes in chunks of less than a megabyte, whatever the size of the batches', async () => {
    for (const size of [7, 20_000]) {
      const sizes: number[] = [];
      for await (const chunk of write(titles, inBatches(manyRows(20_000), size))) sizes.push(chunk.length);
      expect(sizes.length).toBeGreaterThan(2);
      expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
    }
  });

  it('reads no further than it is asked to, and lets go of its rows when it is stopped', async () => {
    let batches = 0;
    let released = false;
    async function* endless() {
      try {
        for (;;) {
          batches++;
          yield manyRows(500);
        }
      } finally {
        released = true;
      }
    }
    for await (const _chunk of write(titles, endless())) if (batches > 0) break;
    expect(released).toBe(true);
    expect(batches).toBeLessThan(60);
  });

  it('fails when its rows do', async () => {
    async function* failing() {
      yield rows;
      throw new Error('table gone');
    }
    await expect(async () => {
      for await (const _chunk of write(titles, failing()));
    }).rejects.toThrow('table gone');
  });
});
