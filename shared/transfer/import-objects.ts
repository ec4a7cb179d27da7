import { createHash } from 'node:crypto';
import { ServiceError } from '../domain/errors.ts';
import { idFrom, isId } from '../domain/ids.ts';
import type {
  ContactImport,
  ImportReport,
  ImportStatus,
  NewImport,
  RejectedRow,
} from '../domain/imports/contact-import.ts';
import { maxFileBytes } from '../domain/imports/import-limits.ts';
import type { FormatTime, Instant } from '../domain/time.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import { type CheckedRows, placedMessage } from './checked-rows.ts';

/** Files below this prefix are imported when they arrive. */
export const importPrefix = 'imports/';
/** Below this prefix lies the file of each import as it was first read, and the rows that were rejected. */
export const uploadPrefix = 'uploads/';
const reportSuffix = '.result.json';

/** Not the report of an import, nor the empty object with which S3's console makes a folder. */
export const isContactFile = (key: string) =>
  key.startsWith(importPrefix) && !key.endsWith(reportSuffix) && !key.endsWith('/');

export type ImportId = { dataSourceId: string; importId: string };

const fileKey = ({ dataSourceId, importId }: ImportId) => `${uploadPrefix}${dataSourceId}/${importId}`;
const rejectedKey = (id: ImportId) => `${fileKey(id)}.rejected.json`;

const longestName = 100;
/** Never `.` or `..`, which URLs drop, nor the name of a report, which is not imported. */
const safeName = (fileName: string) =>
  fileName
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-longestName)
    .replace(/^\.+|\.(?=result\.json$)/g, '_');

export const presignedKey = ({ dataSourceId, importId }: ImportId, fileName: string) =>
  `${importPrefix}${dataSourceId}/${importId}/${safeName(fileName)}`;

/** The import whose presigned upload this may be; a folder that an operator made can look the same. */
export const presignedImport = (key: string): ImportId | undefined => {
  const [, dataSourceId = '', importId = '', name] = key.split('/');
  return isId(importId) && name !== undefined ? { dataSourceId, importId } : undefined;
};

/** The import of a dropped file: key and sequencer are the same each time its event is delivered. */
export const droppedImport = (key: string, sequencer: string): ImportId => ({
  dataSourceId: key.split('/')[1] ?? '',
  importId: idFrom(createHash('sha256').update(`${key}\n${sequencer}`).digest()),
});

/** Bytes; S3's limit. */
const longestKey = 1024;
const digestLength = 16;

/** As much of a text as fits, cut between characters. */
const cutTo = (text: string, bytes: number) =>
  Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');

/** Beside the file. A key that would be too long is cut and made unique by its digest. */
export const reportKey = (key: string): string => {
  const room = longestKey - reportSuffix.length;
  if (Buffer.byteLength(key) <= room) return `${key}${reportSuffix}`;
  const digest = createHash('sha256').update(key).digest('hex').slice(0, digestLength);
  return `${cutTo(key, room - digestLength - 1)}-${digest}${reportSuffix}`;
};

/** Rows of a contact file with the titles above them, in their own columns and order. */
export type RejectedFile = { titles: readonly string[]; rows: readonly (readonly string[])[] };

/** Behind the file's own columns. An import ignores this title, so that the file can be imported again. */
const errorTitle = 'importError';

/** A duplicate number is not a wrong cell: only its reason is written. */
const errorOf = (row: RejectedRow) =>
  row.code === 'DUPLICATE' || row.code === 'DUPLICATE_IN_FILE' ? row.message : placedMessage(row);

/** The rejected rows with their reasons. Reasons of an earlier import that are still in the file are dropped. */
const rejectedFile = ({ titles, cellsOf }: CheckedRows, rejected: readonly RejectedRow[]): RejectedFile => {
  const rows = rejected.map((row) => ({ cells: cellsOf.get(row.row) ?? [], message: errorOf(row) }));
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), titles.length);
  const columns = Array.from({ length: width }, (_, at) => at).filter((at) => titles[at] !== errorTitle);
  const own = (cells: readonly string[]) => columns.map((at) => cells[at] ?? '');
  return {
    titles: [...own(titles), errorTitle],
    rows: rows.map(({ cells, message }) => [...own(cells), message]),
  };
};

type Dependencies = { objects: LazyObjects; now: () => Instant; formatTime: FormatTime };

/** What an import reads from the bucket and leaves there. */
export class ImportObjects {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async exists(key: string): Promise<boolean> {
    return (await (await this.#deps.objects()).head(key)) !== undefined;
  }

  /** Stores a file that came with a request; answers its key. */
  async putFile(id: ImportId, file: Uint8Array): Promise<string> {
    await (await this.#deps.objects()).put(fileKey(id), file, 'application/octet-stream');
    return fileKey(id);
  }

  /**
   * The file as it was when the import first ran. Another file may be written under its key at any time, and an
   * import that resumes with other rows would lose some. @throws ServiceError notFound, tooLarge
   */
  async getFile(found: ContactImport): Promise<Uint8Array> {
    const objects = await this.#deps.objects();
    if (await this.exists(fileKey(found))) return objects.get(fileKey(found), maxFileBytes);
    const file = await objects.get(found.objectKey, maxFileBytes);
    await this.putFile(found, file);
    return file;
  }

  /** Writes the report beside the file. */
  async putReport(
    { importId, dataSourceId, objectKey, fileName, createTime }: NewImport,
    status: ImportStatus,
    message: string,
    report: ImportReport,
  ): Promise<void> {
    const { now, formatTime, objects } = this.#deps;
    const times = { createTime: formatTime(createTime), updateTime: formatTime(now()) };
    const stored = { importId, dataSourceId, fileName, status, message, ...report, ...times };
    await (await objects()).put(reportKey(objectKey), JSON.stringify(stored), 'application/json');
  }

  /** The rejected rows of the report; none if it has expired or another file's report replaced it. */
  async getDetails({ importId, objectKey }: ContactImport): Promise<RejectedRow[]> {
    const report = await this.#getJson<ImportReport & { importId: string }>(reportKey(objectKey));
    return report?.importId === importId ? report.details : [];
  }

  /** Stores the rejected rows as they stood in the file, for a person to correct. */
  async putRejected(id: ImportId, file: CheckedRows, rejected: readonly RejectedRow[]): Promise<void> {
    const text = JSON.stringify(rejectedFile(file, rejected));
    await (await this.#deps.objects()).put(rejectedKey(id), text, 'application/json');
  }

  /** `undefined` if the rows have expired. */
  getRejected(id: ImportId): Promise<RejectedFile | undefined> {
    return this.#getJson<RejectedFile>(rejectedKey(id));
  }

  async #getJson<T>(key: string): Promise<T | undefined> {
    try {
      const bytes = await (await this.#deps.objects()).get(key, Number.POSITIVE_INFINITY);
      return JSON.parse(Buffer.from(bytes).toString()) as T;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'notFound') return undefined;
      throw error;
    }
  }
}
