import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cellsOf, xlsxFile } from '../../support/files/file-rows.ts';
import { converted, hasLibreOffice } from '../../support/files/libreoffice.ts';

const ours = [
  ['phoneNumber', 'a', 'b'],
  ['+8613800138000', ' spaces ', '=1+1'],
  ['00123', 'a\nb', '_x0041_ & <b>'],
  ['1e5', '😀', "'quoted"],
];
const opened = { from: 'ours.xlsx', opens: 'Calc MS Excel 2007 XML' };

it.runIf(hasLibreOffice)('LibreOffice opens our XLSX and finds the text of every cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'ours.xlsx'), await xlsxFile(ours[0]!, ours.slice(1)));
  const [csv, again] = converted(folder, [
    { ...opened, to: 'ours.csv', saves: 'Text - txt - csv (StarCalc)', options: '44,34,76,1' },
    { ...opened, to: 'again.xlsx', saves: opened.opens },
  ]);
  expect(csv!.toString().split('\n')[1]).toBe('"+8613800138000"," spaces ","=1+1"');
  expect(await cellsOf(again!)).toEqual(ours);
});
