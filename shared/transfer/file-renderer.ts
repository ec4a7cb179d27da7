import type { Readable } from 'node:stream';
import { compactTime, type FormatTime, type Instant } from '../domain/time.ts';
import { loadCsvWriter, loadXlsxWriter, type SheetContent } from '../files/index.ts';
import { count } from '../observability/metrics.ts';
import type { LazyObjects } from '../store/objects/index.ts';

/** Files below this prefix are written for one download and expire. */
export const exportPrefix = 'exports/';

export type ExportFormat = 'csv' | 'excel';
export type ExportFile = {
  /** ASCII. */
  fileName: string;
  /** A name for people, in any script, for clients that understand RFC 5987. */
  shownName?: string;
  contentType: string;
  size: number;
  body: Readable;
};

export type Sheets = readonly [SheetContent, ...SheetContent[]];

const kinds = {
  csv: {
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    writer: async () => {
      const csvRows = await loadCsvWriter();
      return ([{ titles, batches }]: Sheets) => csvRows(titles, batches);
    },
  },
  excel: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    writer: loadXlsxWriter,
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
  /** The name for people, before the timestamp; and the clock of that timestamp. */
  shown?: { name: string; time: (instant: Instant) => string };
  format: ExportFormat;
  /** A CSV file has only the first. */
  sheets: Sheets;
};

/** Characters that file systems do not allow in names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const unsafe = /[\u0000-\u001f\u007f\\/:*?"<>|]+/g;

/** Renders rows into an object of the bucket, batch by batch, and opens the object for the client. */
export const renderFile = async (
  deps: RenderDependencies,
  { name, shown, format, sheets }: FileContent,
  signal?: AbortSignal,
): Promise<ExportFile> => {
  const objects = await deps.objects();
  const { extension, contentType, writer } = kinds[format];
  const write = await writer();
  const now = deps.now();
  const fileName = `${name}_${compactTime(deps.formatTime(now))}.${extension}`;
  const key = `${exportPrefix}${deps.newId()}/${fileName}`;
  await objects.putStream(key, write(sheets), contentType, signal === undefined ? {} : { signal });
  const file = await objects.open(key);
  count('ExportBytes', file.size);
  const shownName =
    shown && `${shown.name.replace(unsafe, '_')}_${compactTime(shown.time(now))}.${extension}`;
  return { fileName, ...(shownName === undefined ? {} : { shownName }), contentType, ...file };
};
