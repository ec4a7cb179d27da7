import { type ContactRow, readContactFile } from '../../shared/files/contact-file.ts';
import { csvRows } from '../../shared/files/csv/csv-writer.ts';
import { xlsxRows } from '../../shared/files/excel/xlsx-writer.ts';
import type { FileRow } from '../../shared/files/file-row.ts';
import { readRows } from '../../shared/files/read-rows.ts';

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export const rowsOf = (file: Uint8Array): Promise<FileRow[]> => collected(readRows(file));

export const cellsOf = async (file: Uint8Array): Promise<string[][]> =>
  (await rowsOf(file)).map(({ cells }) => cells);

export const contactsOf = (file: Uint8Array): Promise<ContactRow[]> => collected(readContactFile(file));

/** Rows as an export gives them: in batches. */
export async function* inBatches(rows: string[][], size = 100) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

const whole = async (chunks: AsyncIterable<Buffer>) => Buffer.concat(await collected(chunks));

export const csvFile = (titles: string[], rows: string[][]) => whole(csvRows(titles, inBatches(rows)));

export const xlsxFile = (titles: string[], rows: string[][], options?: { sheetRows?: number }) =>
  whole(xlsxRows(titles, inBatches(rows), options));
