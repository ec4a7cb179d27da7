import { createHash } from 'node:crypto';
import { customNames } from '../contacts/rules/contact.ts';
import { noPhones, withLongest } from '../contacts/rules/phone-number.ts';
import { type FileSource, piecesOf } from '../files/workbook.ts';
import { getJson, type LazyObjects, type Objects, putJson } from '../platform/objects/objects.ts';
import { notFound } from '../platform/rules/errors.ts';
import { maxFileBytes } from '../platform/rules/files.ts';
import { idFrom, isId } from '../platform/rules/names.ts';
import type { FormatTime, Instant } from '../platform/time/time.ts';
import type { CheckedPart, FileHead } from './checked-rows.ts';
import type { LiveBlock } from './import-blocks.ts';
import {
  type ContactImport,
  type CutFile,
  countByCode,
  detailsAtMost,
  type FileReport,
  type ImportStatus,
  mergeUnknownZones,
  type NewImport,
  type RejectedCounts,
  type RejectedRow,
  type UnknownZones,
} from './rules/contact-import.ts';
import { blocksOfPart } from './run/import-phones.ts';

/** Files below this prefix are imported when they arrive. */
export const importPrefix = 'imports/';
/** The checked rows of each import, and what became of them, lie below this prefix. */
export const uploadPrefix = 'uploads/';
const reportSuffix = '.result.json';

/** Neither the report of an import, nor the empty object with which S3's console makes a folder. */
export const isContactFile = (key: string) =>
  key.startsWith(importPrefix) && !key.endsWith(reportSuffix) && !key.endsWith('/');

export type ImportId = { dataSourceId: string; importId: string };

/** The key of an import whose file came with a request. Data of 0.4 may have the file there. */
export const fileKey = ({ dataSourceId, importId }: ImportId) => `${uploadPrefix}${dataSourceId}/${importId}`;

const longestName = 100;
/** Never `.` or `..`, which URLs drop, and never the name of a report, which is not imported. */
const safeName = (fileName: string) =>
  fileName
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-longestName)
    .replace(/^\.+|\.(?=result\.json$)/g, '_');

export const presignedKey = ({ dataSourceId, importId }: ImportId, fileName: string) =>
  `${importPrefix}${dataSourceId}/${importId}/${safeName(fileName)}`;

/** The import to which a presigned upload may belong. A folder of an operator may look alike. */
export const presignedImport = (key: string): ImportId | undefined => {
  const [, dataSourceId = '', importId = '', name] = key.split('/');
  return isId(importId) && name !== undefined ? { dataSourceId, importId } : undefined;
};

/** The import of a dropped file: the same id each time its event is delivered. */
export const droppedImport = (key: string, sequencer: string): ImportId => ({
  dataSourceId: key.split('/')[1] ?? '',
  importId: idFrom(createHash('sha256').update(`${key}\n${sequencer}`).digest()),
});

/** Bytes; the limit of S3. */
const longestKey = 1024;
const digestLength = 16;

/** As much of a text as fits, cut between characters. */
const cutTo = (text: string, bytes: number) =>
  Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');

/** The key of the report beside the file. A long key is cut, and its digest makes it unique. */
export const reportKey = (key: string): string => {
  const room = longestKey - reportSuffix.length;
  if (Buffer.byteLength(key) <= room) return `${key}${reportSuffix}`;
  const digest = createHash('sha256').update(key).digest('hex').slice(0, digestLength);
  return `${cutTo(key, room - digestLength - 1)}-${digest}${reportSuffix}`;
};

/** Rows of a contact file with the titles above them, in their own columns and order. */
type RejectedFile = { titles: readonly string[]; batches: AsyncIterable<string[][]> };

/** A rejected row as it is in the file, and why it was rejected. */
type RejectedCells = readonly [cells: readonly string[], message: string];

/** The last column. An import ignores this title, so that the file can be imported again. */
const errorTitle = 'importError';

/** The message of a rejected row with sheet and cell, for a file without columns for them. */
const locatedMessage = ({ message, cell, sheet }: RejectedRow): string => {
  if (cell === undefined) return message;
  return `${message} (cell ${cell}${sheet === undefined ? '' : ` of the sheet "${sheet}"`})`;
};

/** A duplicate number is not a wrong cell, so only its reason is written. */
const errorOf = (row: RejectedRow) =>
  row.code === 'DUPLICATE' || row.code === 'DUPLICATE_IN_FILE' ? row.message : locatedMessage(row);

export const rejectedCells = ({ cells }: CheckedPart, rejected: readonly RejectedRow[]): RejectedCells[] => {
  const cellsOf = new Map(cells);
  return rejected.map((row) => [cellsOf.get(row.row) ?? [], errorOf(row)]);
};

/** The cells of the widest row. */
const widthOf = (rows: readonly RejectedCells[]) =>
  rows.reduce((widest, [cells]) => Math.max(widest, cells.length), 0);

/** How the rows are written. Reasons of an earlier import in the file are dropped. */
const rejectedColumns = (titles: readonly string[], width: number) => {
  const columns = Array.from({ length: Math.max(width, titles.length) }, (_, at) => at).filter(
    (at) => titles[at] !== errorTitle,
  );
  const own = (cells: readonly string[]) => columns.map((at) => cells[at] ?? '');
  return {
    titles: [...own(titles), errorTitle],
    rowOf: ([cells, message]: RejectedCells) => [...own(cells), message],
  };
};

/** What all parts have in common, and the custom fields of all rows. */
type StoredHead = FileHead & { names: string[] };

/** `firstBlock`: the blocks of the parts before it. */
type StoredPart = CheckedPart & { firstBlock: number };

/** What became of the rows of a part. */
type EndedPart = {
  rejected: RejectedRow[];
  cells: RejectedCells[];
  lives: readonly LiveBlock[];
  zones: UnknownZones;
};

/** What became of the parts so far. */
export type EndedParts = {
  details: RejectedRow[];
  rejected: RejectedCounts;
  lives: LiveBlock[];
  zones: UnknownZones;
};

export const noneEnded = (): EndedParts => ({
  details: [],
  rejected: {},
  lives: [],
  zones: { count: 0, values: [] },
});

/** A client that waits for its import gets every rejected row. */
export const addEnded = (
  all: EndedParts,
  part: Omit<EndedPart, 'cells'>,
  isOfRequest: boolean,
): EndedParts => ({
  details: [...all.details, ...part.rejected].slice(0, isOfRequest ? undefined : detailsAtMost),
  rejected: countByCode(part.rejected, all.rejected),
  lives: [...all.lives, ...part.lives],
  zones: mergeUnknownZones(all.zones, part.zones),
});

const numbered = (folder: string, part: number) => `${folder}/${String(part).padStart(6, '0')}`;
const headKey = (folder: string) => `${folder}/head.json`;
const partKey = (folder: string, part: number) => `${numbered(folder, part)}.json`;
const endKey = (folder: string, part: number) => `${numbered(folder, part)}.outcome.json`;

/** A large object. It is read in place. */
const sourceIn = (objects: Objects, key: string, size: number): FileSource => ({
  size,
  async *chunks(start = 0, end = size) {
    if (end <= start) return;
    for await (const chunk of (await objects.open(key, { start, end })).body) yield* piecesOf(chunk);
  },
});

/** The file came with a request, whose answer has every rejected row. */
export const isOfRequest = ({ objectKey }: Pick<NewImport, 'objectKey'>) =>
  objectKey.startsWith(uploadPrefix);

type Dependencies = { objects: LazyObjects; now: () => Instant; formatTime: FormatTime };

/**
 * What an import reads from the bucket and leaves there.
 *
 * A packed file cannot be read from the middle, and a number may be a duplicate of any earlier row.
 * So a file is read once from its beginning to its end, and its checked rows are stored in parts; a
 * small file has one part. From then on any runner can go on with the next part. It needs only the
 * memory of one part, and is not affected if another file is written under the same key.
 */
export class ImportObjects {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async exists(key: string): Promise<boolean> {
    return (await (await this.#deps.objects()).head(key)) !== undefined;
  }

  /**
   * The file of an import that has no parts yet. A large file is read in place. For an import of
   * 0.4 that has reserved its rows, there is a copy of its file.
   * @throws ServiceError notFound
   */
  async getFile(found: ContactImport): Promise<Uint8Array | FileSource> {
    const objects = await this.#deps.objects();
    const key = found.reservation === undefined ? found.objectKey : fileKey(found);
    const { size } = (await objects.head(key)) ?? { size: 0 };
    return size > maxFileBytes ? sourceIn(objects, key, size) : objects.get(key, maxFileBytes);
  }

  /** Stores checked rows. `run` keeps a late runner from overwriting the parts of another one. */
  async putParts(
    id: ImportId,
    run: string,
    head: FileHead,
    parts: AsyncIterable<CheckedPart> | Iterable<CheckedPart>,
  ): Promise<{ cut: CutFile; importCount: number }> {
    const { objects } = this.#deps;
    const folder = `${fileKey(id)}.parts/${run}`;
    const names = new Set<string>();
    const cut: CutFile = { folder, parts: 0, blocks: 0, longest: noPhones, isStepwise: false };
    let importCount = 0;
    for await (const part of parts) {
      await putJson(objects, partKey(folder, cut.parts), {
        ...part,
        firstBlock: cut.blocks,
      } satisfies StoredPart);
      for (const { fields } of part.rows) for (const name of customNames(fields)) names.add(name);
      importCount += part.importCount;
      cut.parts++;
      cut.blocks += blocksOfPart(part.rows.length);
      cut.longest = part.rows.reduce((known, row) => withLongest(known, row.phoneNumber), cut.longest);
    }
    await putJson(objects, headKey(folder), { ...head, names: [...names] } satisfies StoredHead);
    return { cut, importCount };
  }

  /** @throws ServiceError notFound */
  getHead({ folder }: CutFile): Promise<StoredHead> {
    return this.#get(headKey(folder));
  }

  /** @throws ServiceError notFound */
  getPart({ folder }: CutFile, number: number): Promise<StoredPart> {
    return this.#get(partKey(folder, number));
  }

  async putEnded({ folder }: CutFile, number: number, part: EndedPart): Promise<void> {
    await putJson(this.#deps.objects, endKey(folder, number), part);
  }

  /** The results of the parts that were written. */
  async getEnded({ cut, placed, objectKey }: ContactImport): Promise<EndedParts> {
    let all = noneEnded();
    for (let number = 0; cut && number < (placed?.parts ?? 0); number++)
      all = addEnded(all, await this.#get<EndedPart>(endKey(cut.folder, number)), isOfRequest({ objectKey }));
    return all;
  }

  async #get<T>(key: string): Promise<T> {
    const found = await getJson<T>(this.#deps.objects, key);
    if (found === undefined) throw notFound('the file');
    return found;
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
    const shown = isOfRequest({ objectKey }) ? details : details.slice(0, detailsAtMost);
    const ended = { status, message, ...counts, rejected, visibility, details: shown };
    await putJson(objects, reportKey(objectKey), { importId, dataSourceId, fileName, ...ended, ...times });
  }

  /**
   * What the report says about rejected rows.
   * @returns nothing if the report has expired, or that of another file replaced it
   */
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

  /**
   * All rejected rows of an import that has ended, part after part.
   * @returns undefined if they have expired
   */
  async getRejected(found: ContactImport): Promise<RejectedFile | undefined> {
    const { objects } = this.#deps;
    const { cut } = found;
    if (cut === undefined) return this.#rejectedOf04(found);
    const head = await getJson<StoredHead>(objects, headKey(cut.folder));
    if (head === undefined) return undefined;
    let width = 0;
    for await (const cells of this.#rejectedCells(cut)) width = Math.max(width, widthOf(cells));
    const { titles, rowOf } = rejectedColumns(head.titles, width);
    const batches = async function* (parts: AsyncIterable<RejectedCells[]>) {
      for await (const cells of parts) yield cells.map(rowOf);
    };
    return { titles, batches: batches(this.#rejectedCells(cut)) };
  }

  async *#rejectedCells({ folder, parts }: CutFile): AsyncGenerator<RejectedCells[]> {
    for (let number = 0; number < parts; number++)
      yield (await this.#get<EndedPart>(endKey(folder, number))).cells;
  }

  /** In 0.4 the rejected rows of a small file, with their columns, were one object. */
  async #rejectedOf04(found: ContactImport): Promise<RejectedFile | undefined> {
    type Stored = { titles: string[]; rows: string[][] };
    const stored = await getJson<Stored>(this.#deps.objects, `${fileKey(found)}.rejected.json`);
    const batches = async function* (rows: string[][]) {
      yield rows;
    };
    return stored && { titles: stored.titles, batches: batches(stored.rows) };
  }
}
