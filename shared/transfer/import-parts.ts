import { customNames } from '../domain/contacts/contact.ts';
import { noPhones, withLongest } from '../domain/contacts/phone-number.ts';
import { notFound } from '../domain/errors.ts';
import {
  type ContactImport,
  type CutFile,
  countByCode,
  detailsAtMost,
  mergeUnknownZones,
  type RejectedCounts,
  type RejectedRow,
  type UnknownZones,
} from '../domain/imports/contact-import.ts';
import { blocksOfPart, type LiveBlock } from '../store/imports/index.ts';
import { getJson, type LazyObjects, putJson } from '../store/objects/index.ts';
import {
  type CheckedRows,
  type FileHead,
  locateIn,
  type RejectedCells,
  type RejectedFile,
  rejectedColumns,
  widthOf,
} from './checked-rows.ts';

/** What all parts have in common, and the custom fields of all their rows. */
type StoredHead = FileHead & { names: string[] };

type StoredPart = Pick<CheckedRows, 'importCount' | 'rows' | 'rejected'> & {
  firstBlock: number;
  cells: [line: number, cells: readonly string[]][];
};

/** What became of the rows of a part. */
export type EndedPart = {
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

export const noneEnded: EndedParts = {
  details: [],
  rejected: {},
  lives: [],
  zones: { count: 0, values: [] },
};

const numbered = (folder: string, part: number) => `${folder}/${String(part).padStart(6, '0')}`;
const headKey = (folder: string) => `${folder}/head.json`;
const partKey = (folder: string, part: number) => `${numbered(folder, part)}.json`;
const endKey = (folder: string, part: number) => `${numbered(folder, part)}.outcome.json`;

/**
 * The parts of a large file in the bucket. A packed file cannot be entered in the middle, and a number may be a duplicate of
 * any row before it. So the file is read once from its beginning to its end, and its checked rows are stored in parts. From
 * then on any runner can go on with the next part, and needs no more memory than a part takes.
 */
export class ImportParts {
  readonly #objects: LazyObjects;

  constructor(objects: LazyObjects) {
    this.#objects = objects;
  }

  /** Stores the parts in a folder of this run. */
  async store(
    folder: string,
    head: FileHead,
    parts: AsyncIterable<CheckedRows>,
  ): Promise<{ cut: Omit<CutFile, 'isStepwise'>; importCount: number }> {
    const names = new Set<string>();
    let cut = { folder, parts: 0, blocks: 0, longest: noPhones };
    let importCount = 0;
    for await (const { importCount: count, rows, rejected, cellsOf } of parts) {
      const part: StoredPart = {
        importCount: count,
        rows,
        rejected,
        firstBlock: cut.blocks,
        cells: [...cellsOf],
      };
      await putJson(this.#objects, partKey(folder, cut.parts), part);
      for (const { fields } of rows) for (const name of customNames(fields)) names.add(name);
      importCount += count;
      cut = {
        folder,
        parts: cut.parts + 1,
        blocks: cut.blocks + blocksOfPart(rows.length),
        longest: rows.reduce((known, row) => withLongest(known, row.phoneNumber), cut.longest),
      };
    }
    await putJson(this.#objects, headKey(folder), { ...head, names: [...names] } satisfies StoredHead);
    return { cut, importCount };
  }

  /** @throws ServiceError notFound */
  head({ folder }: CutFile): Promise<StoredHead> {
    return this.#get(headKey(folder));
  }

  /** @throws ServiceError notFound */
  async part({ folder }: CutFile, head: FileHead, number: number): Promise<CheckedRows> {
    const { cells, ...part } = await this.#get<StoredPart>(partKey(folder, number));
    return { ...part, titles: head.titles, cellsOf: new Map(cells), locate: locateIn(head) };
  }

  async end({ folder }: CutFile, number: number, part: EndedPart): Promise<void> {
    await putJson(this.#objects, endKey(folder, number), part);
  }

  async #get<T>(key: string): Promise<T> {
    const found = await getJson<T>(this.#objects, key);
    if (found === undefined) throw notFound('the file');
    return found;
  }

  /** What became of the parts that were written. */
  async endedParts({ cut, placed }: Pick<ContactImport, 'cut' | 'placed'>): Promise<EndedParts> {
    const { details, rejected, lives, ...all } = structuredClone(noneEnded);
    let { zones } = all;
    for (let number = 0; cut && number < (placed?.parts ?? 0); number++) {
      const ended = await this.#get<EndedPart>(endKey(cut.folder, number));
      details.push(...ended.rejected.slice(0, detailsAtMost - details.length));
      countByCode(ended.rejected, rejected);
      lives.push(...ended.lives);
      zones = mergeUnknownZones(zones, ended.zones);
    }
    return { details, rejected, lives, zones };
  }

  /** All rejected rows, one part after another. `undefined` if they have expired. */
  async rejectedFile(cut: CutFile): Promise<RejectedFile | undefined> {
    const head = await getJson<StoredHead>(this.#objects, headKey(cut.folder));
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
}
