import { notFound } from '../domain/errors.ts';
import type { Database, Item } from './database.ts';
import { blockSize, blocksPerPage, keys } from './keys.ts';
import { bytesOfItem } from './versioned-bytes.ts';

/** A block that a run of contacts touches: `take` of its `live` contacts after the first `skip`. */
export type BlockPart = { block: number; live: number; skip: number; take: number };

/** How many contacts each block holds. A block without any is either empty or of an unfinished import. */
export class Directory {
  readonly #liveOf = new Map<number, number>();
  readonly total: number;

  constructor(pages: readonly Item[]) {
    let total = 0;
    for (const page of pages) {
      const first = Number(page.sk.slice(keys.directoryPrefix.length)) * blocksPerPage;
      bytesOfItem(page).bytes.forEach((live, at) => {
        if (live === 0) return;
        this.#liveOf.set(first + at, live);
        total += live;
      });
    }
    this.total = total;
  }

  holds(block: number): boolean {
    return this.#liveOf.has(block);
  }

  /** Blocks that hold contacts, in order. */
  get blocks(): number[] {
    return [...this.#liveOf.keys()];
  }

  /** The blocks of contacts `offset` to `offset + limit`, counted over the whole data source. */
  parts(offset: number, limit: number): BlockPart[] {
    const parts: BlockPart[] = [];
    let before = 0;
    for (const [block, live] of this.#liveOf) {
      if (before >= offset + limit) break;
      const skip = Math.max(0, offset - before);
      const take = Math.min(live, offset + limit - before) - skip;
      if (take > 0) parts.push({ block, live, skip, take });
      before += live;
    }
    return parts;
  }
}

const pagesOf = (dataSourceId: string) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': keys.dataSource(dataSourceId).pk, ':prefix': keys.directoryPrefix },
});

/** @throws ServiceError notFound when there is no such data source */
export const readDirectory = async (database: Database, dataSourceId: string): Promise<Directory> => {
  const [sequence, pages] = await Promise.all([
    database.get(keys.sequence(dataSourceId)),
    database.queryAll(pagesOf(dataSourceId)),
  ]);
  if (sequence === undefined) throw notFound('data source');
  return new Directory(pages);
};

const present = (items: readonly (Item | undefined)[]): Item[] => items.filter((item) => item !== undefined);

/** The directory of a few blocks only. */
export const readDirectoryOf = async (
  database: Database,
  dataSourceId: string,
  pages: readonly number[],
): Promise<Directory> =>
  new Directory(
    present(await database.batchGet(pages.map((page) => keys.directoryPage(dataSourceId, page)))),
  );

const pagesBelow = (seq: number) => Math.ceil(seq / (blockSize * blocksPerPage));

/** How many contacts each data source holds, in two rounds of batch reads at most; 0 for an unknown id. */
export const readCounts = async (database: Database, dataSourceIds: readonly string[]): Promise<number[]> => {
  const firsts = await database.batchGet(
    dataSourceIds.flatMap((id) => [keys.sequence(id), keys.directoryPage(id, 0)]),
  );
  const laterKeys = dataSourceIds.flatMap((id, at) => {
    const pages = pagesBelow((firsts[at * 2]?.next as number | undefined) ?? 0);
    return Array.from({ length: Math.max(0, pages - 1) }, (_, i) => keys.directoryPage(id, i + 1));
  });
  const pages = present([...firsts.filter((_, i) => i % 2 === 1), ...(await database.batchGet(laterKeys))]);
  const totals = new Map<string, number>();
  for (const page of pages) {
    totals.set(page.pk, (totals.get(page.pk) ?? 0) + new Directory([page]).total);
  }
  return dataSourceIds.map((id) => totals.get(keys.dataSource(id).pk) ?? 0);
};
