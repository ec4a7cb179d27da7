/**
 * Writes test/fixtures/contact-files: workbooks as users send them, of every kind, made by SheetJS
 * and LibreOffice. Run `node scripts/run.mjs scripts/make-contact-files.ts` after a change.
 * test/shared/files/people-files.all.test.ts describes them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as XLSX from 'xlsx';
import { shapes } from '../test/support/files/people-shapes.ts';

const target = fileURLToPath(new URL('../test/fixtures/contact-files', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'contact-files-'));

const bookOf = (sheets: (typeof shapes)[number]['sheets']): XLSX.WorkBook => {
  const book = XLSX.utils.book_new();
  for (const { name, rows } of sheets) {
    const sheet = XLSX.utils.aoa_to_sheet(rows as unknown[][]);
    XLSX.utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = { Sheets: sheets.map(({ name, hidden = false }) => ({ name, Hidden: hidden ? 1 : 0 })) };
  return book;
};

const converted = (extension: string, filter: string) => {
  const files = shapes.map(({ name }) => path.join(folder, `${name}.xlsx`));
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const to = ['--convert-to', `${extension}:${filter}`, '--outdir', path.join(folder, extension)];
  execFileSync('soffice', [profile, '--headless', ...to, ...files], { stdio: 'ignore' });
  for (const file of readdirSync(path.join(folder, extension)))
    cpSync(path.join(folder, extension, file), path.join(target, `libreoffice-${file}`));
};

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const { name, sheets } of shapes) {
  const book = bookOf(sheets);
  for (const bookType of ['xlsx', 'xlsb'] as const) {
    const file = XLSX.write(book, { type: 'buffer', bookType, compression: true });
    writeFileSync(path.join(target, `sheetjs-${name}.${bookType}`), file);
    if (bookType === 'xlsx') writeFileSync(path.join(folder, `${name}.xlsx`), file);
  }
}
converted('xlsx', 'Calc MS Excel 2007 XML');
converted('xls', 'MS Excel 97');
converted('ods', 'calc8');
rmSync(folder, { recursive: true });
