import { csvRows } from '../../../shared/files/csv-writer.ts';
import { openWorkbook } from '../../../shared/files/open-workbook.ts';
import { type FileRow, sourceOf, usualLimits } from '../../../shared/files/workbook.ts';
import { xlsxRows } from '../../../shared/files/xlsx-writer.ts';
import { hasPhoneTitle } from '../../../shared/imports/contact-columns.ts';
import {
  type ContactFileOptions,
  type ContactRow,
  openContactFile,
} from '../../../shared/imports/contact-table.ts';

const collected = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** The rows of the first sheet. */
export const rowsOf = async (file: Uint8Array): Promise<FileRow[]> =>
  (
    await collected(
      (
        await openWorkbook(sourceOf(file), (cells) => hasPhoneTitle(cells, new Map()), usualLimits)
      ).sheets[0]!.rows(),
    )
  ).flat();

export const cellsOf = async (file: Uint8Array): Promise<string[][]> =>
  (await rowsOf(file)).map(({ cells }) => cells);

export const contactsOf = async (file: Uint8Array, options?: ContactFileOptions): Promise<ContactRow[]> =>
  collected((await openContactFile(file, options)).rows);

/** Rows as an export gives them: in batches. */
export async function* inBatches(rows: string[][], size = 100) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

const whole = async (chunks: AsyncIterable<Buffer>) => Buffer.concat(await collected(chunks));

export const csvFile = (titles: string[], rows: string[][]) => whole(csvRows(titles, inBatches(rows)));

export const xlsxFile = (titles: string[], rows: string[][], options?: { sheetRows?: number }) =>
  whole(xlsxRows(titles, inBatches(rows), options));

/** Cells that a program which writes or reads a file may take for something else. */
export const trickyTexts = [
  ...['=1+1', "'=1", "''", "'", '+8613800138000', '-5', '@x', '\tx', '\rx', 'a\r\nb', 'a\rb', 'a\nb', ' x '],
  ...['"', '""', 'a"b', ',', ';', 'x;y\tz', '_x000D_', '_x005F_x0041_', '_x_x0041_', '00123', '1e21', '1.50'],
  ...[
    '2024-05-01',
    'TRUE',
    '#N/A',
    '😀👩‍👩‍👧',
    '中文，标点',
    '\u0007\u001f\u007f\u0085\u2028\ufeff',
    '\ufffe\uffff',
  ],
  ...[']]>&amp;<b>&#10;', '__proto__', '\u00a0 \u3000'],
];
