import type { Readable } from 'node:stream';
import { compactTime, type FormatTime, type Instant } from '../domain/time.ts';
import type { Cell } from '../files/workbook.ts';
import { count } from '../observability/metrics.ts';
import type { LazyObjects } from '../store/objects/index.ts';

/** Files below this prefix are written for one download and expire. */
export const exportPrefix = 'exports/';

export type ExportFormat = 'csv' | 'excel';
export type ExportFile = { fileName: string; contentType: string; size: number; body: Readable };

/** A writer is loaded with the first file of its kind, not at start. */
const kinds = {
  csv: {
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    writer: async () => (await import('../files/csv/csv-writer.ts')).csvRows,
  },
  excel: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    writer: async () => (await import('../files/excel/xlsx-writer.ts')).xlsxRows,
  },
} as const;

export type RenderDependencies = {
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
};

type FileContent = {
  /** The file is called `<name>_<timestamp>.<extension>`. */
  name: string;
  format: ExportFormat;
  titles: readonly string[];
  /** Some rows at a time, in their order. */
  batches: AsyncIterable<readonly (readonly Cell[])[]>;
};

/** Renders rows into an object of the bucket, batch by batch, and opens the object for the client. */
export const renderFile = async (
  deps: RenderDependencies,
  { name, format, titles, batches }: FileContent,
  signal?: AbortSignal,
): Promise<ExportFile> => {
  const objects = await deps.objects();
  const { extension, contentType, writer } = kinds[format];
  const write = await writer();
  const fileName = `${name}_${compactTime(deps.formatTime(deps.now()))}.${extension}`;
  const key = `${exportPrefix}${deps.newId()}/${fileName}`;
  await objects.putStream(key, write(titles, batches), contentType, signal === undefined ? {} : { signal });
  const file = await objects.open(key);
  count('ExportBytes', file.size);
  return { fileName, contentType, ...file };
};
