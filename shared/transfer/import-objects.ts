import { createHash } from 'node:crypto';
import { idFrom, isId } from '../domain/ids.ts';
import {
  type ContactImport,
  countByCode,
  detailsAtMost,
  type FileReport,
  type ImportStatus,
  type NewImport,
  type RejectedRow,
} from '../domain/imports/contact-import.ts';
import { maxFileBytes } from '../domain/imports/import-options.ts';
import type { FormatTime, Instant } from '../domain/time.ts';
import { type FileSource, piecesOf } from '../files/index.ts';
import { getJson, type LazyObjects, type Objects, putJson } from '../store/objects/index.ts';
import {
  type CheckedRows,
  type RejectedFile,
  rejectedCells,
  rejectedColumns,
  widthOf,
} from './checked-rows.ts';
import { ImportParts } from './import-parts.ts';

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
/** Named after the run that cuts the file: a late runner overwrites no part of another. */
export const partsFolder = (id: ImportId, run: string) => `${fileKey(id)}.parts/${run}`;

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

/** What is stored of the rejected rows of a small file. */
type StoredRejected = { titles: readonly string[]; rows: string[][] };

async function* inOneBatch<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}

/** A large object, which is read from where it lies. */
const sourceIn = (objects: Objects, key: string, size: number): FileSource => ({
  size,
  async *chunks(start = 0, end = size) {
    if (end <= start) return;
    for await (const chunk of (await objects.open(key, { start, end })).body) yield* piecesOf(chunk);
  },
});

/** The file came with a request, which is answered every rejected row. */
export const isOfRequest = ({ objectKey }: Pick<NewImport, 'objectKey'>) =>
  objectKey.startsWith(uploadPrefix);

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
   * A small file as it was when the import first ran. Another file may be written under its key at any time, and an
   * import that resumes with other rows would lose some. A large file is read from where it lies, and its parts are kept.
   * @throws ServiceError notFound
   */
  async getFile(found: ContactImport): Promise<Uint8Array | FileSource> {
    const objects = await this.#deps.objects();
    if (await this.exists(fileKey(found))) return objects.get(fileKey(found), maxFileBytes);
    const { size } = (await objects.head(found.objectKey)) ?? { size: 0 };
    if (size > maxFileBytes) return sourceIn(objects, found.objectKey, size);
    const file = await objects.get(found.objectKey, maxFileBytes);
    await this.putFile(found, file);
    return file;
  }

  /** Writes the report beside the file. */
  async putReport(
    { importId, dataSourceId, objectKey, fileName, createTime }: NewImport,
    status: ImportStatus,
    message: string,
    { details, rejected, visibility, ...counts }: FileReport,
  ): Promise<void> {
    const { now, formatTime, objects } = this.#deps;
    const times = { createTime: formatTime(createTime), updateTime: formatTime(now()) };
    const told = isOfRequest({ objectKey }) ? details : details.slice(0, detailsAtMost);
    const ended = { status, message, ...counts, rejected, visibility, details: told };
    await putJson(objects, reportKey(objectKey), { importId, dataSourceId, fileName, ...ended, ...times });
  }

  /** What the report says about rejected rows; nothing if it has expired or another file's report replaced it. */
  async getDetails({
    importId,
    objectKey,
  }: ContactImport): Promise<Pick<FileReport, 'details' | 'rejected'>> {
    const report = await getJson<FileReport & { importId: string }>(this.#deps.objects, reportKey(objectKey));
    if (report?.importId !== importId) return { details: [], rejected: {} };
    // Reports of 0.3 list every rejected row.
    const { details, rejected = countByCode(details) } = report;
    return { details, rejected };
  }

  /** Stores the rejected rows as they stood in the file, for a person to correct. */
  async putRejected(id: ImportId, file: CheckedRows, rejected: readonly RejectedRow[]): Promise<void> {
    const cells = rejectedCells(file, rejected);
    const { titles, rowOf } = rejectedColumns(file.titles, widthOf(cells));
    await putJson(this.#deps.objects, rejectedKey(id), { titles, rows: cells.map(rowOf) });
  }

  /** `undefined` if the rows have expired. */
  async getRejected(found: ContactImport): Promise<RejectedFile | undefined> {
    const { objects } = this.#deps;
    if (found.cut !== undefined) return new ImportParts(objects).rejectedFile(found.cut);
    const stored = await getJson<StoredRejected>(objects, rejectedKey(found));
    return stored && { titles: stored.titles, batches: inOneBatch(stored.rows) };
  }
}
