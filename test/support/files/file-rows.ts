import { csvRows } from '../../../shared/files/csv/csv-writer.ts';
import { xlsxRows } from '../../../shared/files/excel/xlsx-writer.ts';
import { type FileRow, openWorkbook, sourceOf, usualLimits } from '../../../shared/files/index.ts';
import { hasPhoneTitle } from '../../../shared/imports/files/contact-columns.ts';
import {
  type ContactFileOptions,
  type ContactRow,
  openContactFile,
} from '../../../shared/imports/files/contact-table.ts';

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
