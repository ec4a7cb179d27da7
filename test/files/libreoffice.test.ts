import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf, xlsxFile } from '../support/file-rows.ts';

const installed = spawnSync('soffice', ['--version']).status === 0;

describe.runIf(installed)('files of LibreOffice', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Opens a file and saves it in another format; a profile of its own lets several run at once. */
  const convert = (name: string, filter: string, extension: string) => {
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const from = name.endsWith('.html') ? ['--infilter=HTML (StarCalc)'] : [];
    const target = `${extension}:${filter}`;
    execFileSync(
      'soffice',
      [
        profile,
        '--headless',
        ...from,
        ...from,
        '--convert-to',
        target,
        '--outdir',
        join(folder, 'out'),
        join(folder, name),
      ],
      {
        stdio: 'ignore',
      },
    );
    return readFileSync(join(folder, 'out', name.replace(/\.\w+$/, `.${extension}`)));
  };

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

  it.each([
    ['Excel 2007', 'Calc MS Excel 2007 XML', 'xlsx'],
    ['Excel 97', 'MS Excel 97', 'xls'],
    ['Excel 95', 'MS Excel 95', 'xls'],
  ])('give the cells they were made with: %s', async (_, filter, extension) => {
    writeFileSync(join(folder, 'table.html'), table);
    expect(await cellsOf(convert('table.html', filter, extension))).toEqual(cells);
  });

  it.each([
    ['UTF-8', 76],
    ['GB18030', 85],
    ['UTF-16', 65535],
  ])('give the cells they were made with: CSV in %s', async (_, encoding) => {
    const rows = [
      ['phoneNumber', '姓名'],
      ['00123', '张三, "x"\nsecond line'],
    ];
    writeFileSync(join(folder, 'plain.xlsx'), await xlsxFile(rows[0]!, rows.slice(1)));
    const csv = convert('plain.xlsx', `Text - txt - csv (StarCalc):59,34,${encoding},1`, 'csv');
    expect(await cellsOf(csv)).toEqual(rows);
  });

  it('opens our XLSX and finds the text of every cell', async () => {
    const rows = [
      ['+8613800138000', ' spaces ', '=1+1'],
      ['00123', 'a\nb', '_x0041_ & <b>'],
      ['1e5', '😀', "'quoted"],
    ];
    writeFileSync(join(folder, 'ours.xlsx'), await xlsxFile(['phoneNumber', 'a', 'b'], rows));
    const csv = convert('ours.xlsx', 'Text - txt - csv (StarCalc):44,34,76,1', 'csv').toString();
    expect(csv.split('\n')[1]).toBe('"+8613800138000"," spaces ","=1+1"');
    expect(await cellsOf(convert('ours.xlsx', 'Calc MS Excel 2007 XML', 'xlsx'))).toEqual([
      ['phoneNumber', 'a', 'b'],
      ...rows,
    ]);
  });
});
