import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf, xlsxFile } from '../../support/files/file-rows.ts';
import { type Conversion, converted, hasLibreOffice } from '../../support/files/libreoffice.ts';

/** An HTML table tells LibreOffice the type of each cell. */
const table = `<html><meta charset="utf-8"><table>
  <tr><td>phoneNumber</td><td>date</td><td>姓名</td><td>amount</td></tr>
  <tr><td sdval="13800138000" sdnum="1033;0;0">x</td><td sdval="45413" sdnum="1033;0;YYYY-MM-DD">x</td><td>张三</td>
    <td sdval="0.1" sdnum="1033;0;0.00E+00">x</td></tr>
  <tr><td sdnum="1033;0;@">00123</td><td sdval="45413.5" sdnum="1033;0;YYYY-MM-DD HH:MM:SS">x</td><td>李四</td>
    <td sdval="1234567890123" sdnum="1033;0;#,##0">x</td></tr>
  </table></html>`;
const cells = [
  ['phoneNumber', 'date', '姓名', 'amount'],
  ['13800138000', '2024-05-01', '张三', '0.1'],
  ['00123', '2024-05-01 12:00:00', '李四', '1234567890123'],
];
const plain = [
  ['phoneNumber', '姓名'],
  ['00123', '张三, "x"\nsecond line'],
];
const ours = [
  ['phoneNumber', 'a', 'b'],
  ['+8613800138000', ' spaces ', '=1+1'],
  ['00123', 'a\nb', '_x0041_ & <b>'],
  ['1e5', '😀', "'quoted"],
];

const xlsxFilter = 'Calc MS Excel 2007 XML';
const csvFilter = 'Text - txt - csv (StarCalc)';
const fromTable = { from: 'table.html', opens: 'HTML (StarCalc)' };
const csvOf = (from: string, to: string, options: string): Conversion => ({
  ...{ from, opens: xlsxFilter, to, saves: csvFilter, options },
});
const conversions: Conversion[] = [
  { ...fromTable, to: 'table.xlsx', saves: xlsxFilter },
  { ...fromTable, to: 'table.xls', saves: 'MS Excel 97' },
  { ...fromTable, to: 'table.ods', saves: 'calc8' },
  csvOf('plain.xlsx', 'utf-8.csv', '59,34,76,1'),
  csvOf('plain.xlsx', 'gb18030.csv', '59,34,85,1'),
  csvOf('plain.xlsx', 'utf-16.csv', '59,34,65535,1'),
  csvOf('ours.xlsx', 'ours.csv', '44,34,76,1'),
  { from: 'ours.xlsx', opens: xlsxFilter, to: 'ours-again.xlsx', saves: xlsxFilter },
];

describe.runIf(hasLibreOffice)('files of LibreOffice', () => {
  let folder: string;
  const saved = new Map<string, Buffer>();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
    writeFileSync(join(folder, 'table.html'), table);
    writeFileSync(join(folder, 'plain.xlsx'), await xlsxFile(plain[0]!, plain.slice(1)));
    writeFileSync(join(folder, 'ours.xlsx'), await xlsxFile(ours[0]!, ours.slice(1)));
    const files = converted(folder, conversions);
    for (const [at, { to }] of conversions.entries()) saved.set(to, files[at]!);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['Excel 2007', 'table.xlsx'],
    ['Excel 97', 'table.xls'],
    ['OpenDocument', 'table.ods'],
  ])('give the cells they were made with: %s', async (_, file) => {
    expect(await cellsOf(saved.get(file)!)).toEqual(cells);
  });

  it.each([
    ['UTF-8', 'utf-8.csv'],
    ['GB18030', 'gb18030.csv'],
    ['UTF-16', 'utf-16.csv'],
  ])('give the cells they were made with: CSV in %s', async (_, file) => {
    expect(await cellsOf(saved.get(file)!)).toEqual(plain);
  });

  it('opens our XLSX and finds the text of every cell', async () => {
    expect(saved.get('ours.csv')!.toString().split('\n')[1]).toBe('"+8613800138000"," spaces ","=1+1"');
    expect(await cellsOf(saved.get('ours-again.xlsx')!)).toEqual(ours);
  });
});
