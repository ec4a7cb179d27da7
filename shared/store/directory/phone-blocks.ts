import { concurrently, type Database, groupedBy, keyRange, keys, pageOf } from '../table/index.ts';
import type { Directory } from './directory.ts';
import { bytesOfItem } from './directory-page.ts';
import type { PhoneBlock } from './phone-block.ts';

const queriesAtOnce = 16;

/** The blocks of one directory page. */
const readPage = (database: Database, dataSourceId: string, first: number, last: number) =>
  database.queryAll(
    keyRange(
      keys.blockPartition(dataSourceId, pageOf(first)),
      keys.block(dataSourceId, first).sk,
      keys.block(dataSourceId, last).sk,
    ),
  );

/** The phone blocks of all contacts, in order. Those of an unfinished import are left out. */
export const readPhoneBlocks = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
): Promise<{ block: number; phones: PhoneBlock }[]> => {
  const byPage = groupedBy(directory.blocks, pageOf);
  const read = await concurrently(byPage, queriesAtOnce, (blocks) =>
    readPage(database, dataSourceId, blocks[0]!, blocks.at(-1)!),
  );
  return read
    .flat()
    .map((item) => ({ block: Number(item.sk), phones: bytesOfItem(item).bytes }))
    .filter(({ block }) => directory.holds(block));
};
