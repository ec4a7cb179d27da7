import type { Readable } from 'node:stream';
import { ServiceError } from '../domain/errors.ts';
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
  /** Bytes that a file may have to be answered; any number where it is not set. */
  fileBytesAtMost?: number | undefined;
};

/** `instead`: what the client can do. @throws ServiceError tooLarge */
export const assertAnswerable = (
  { fileBytesAtMost = Number.POSITIVE_INFINITY }: Pick<RenderDependencies, 'fileBytesAtMost'>,
  bytes: number,
  instead: string,
): void => {
  if (bytes <= fileBytesAtMost) return;
  const [size, most] = [bytes, fileBytesAtMost].map((each) => Math.ceil(each / 1_000_000));
  throw new ServiceError(
    'FILE_TOO_LARGE',
    `the file has ${size} MB, and an answer at most ${most}: ${instead}`,
  );
};

type FileContent = {
  /** The file is called `<name>_<timestamp>.<extension>`. */
  name: string;
  /** The name for people, before the timestamp; and the clock of that timestamp. */
  shown?: { name: string; time: (instant: Instant) => string };
  format: ExportFormat;
  /** A CSV file has only the first. */
  sheets: Sheets;
  /** What a client can do if the file is too large to be answered. */
  instead: string;
};

/** Characters that file systems do not allow in names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const unsafe = /[\u0000-\u001f\u007f\\/:*?"<>|]+/g;

/** Renders rows into an object of the bucket, batch by batch, and opens the object for the client. */
export const renderFile = async (
  deps: RenderDependencies,
  { name, shown, format, sheets, instead }: FileContent,
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
  try {
    assertAnswerable(deps, file.size, instead);
  } catch (error) {
    file.body.destroy();
    throw error;
  }
  count('ExportBytes', file.size);
  const shownName =
    shown && `${shown.name.replace(unsafe, '_')}_${compactTime(shown.time(now))}.${extension}`;
  return { fileName, ...(shownName === undefined ? {} : { shownName }), contentType, ...file };
};
