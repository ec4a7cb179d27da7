import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attributesOf } from '../local/dynamodb/embedded-client.ts';
import { Storage } from '../local/dynamodb/storage.ts';
import { changesOf, itemKey, type Table, Tables } from '../local/dynamodb/tables.ts';
import type { Item } from '../shared/platform/table/keys.ts';
import { createTableInput } from '../shared/platform/table/table.ts';
import { openEngine } from '../test/support/engines/engine-door.ts';

export const tableName = 'bench';
const batchSize = 5_000;

/**
 * An engine on disk that holds the items. They are written to its storage without the SDK, which is
 * twenty times faster and stores the same.
 */
export const openSeeded = async (items: Iterable<Item>) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  const storage = await Storage.open({ path: folder });
  const table = (await Tables.load(storage)).create(createTableInput(tableName) as unknown as Table);
  let waiting = 0;
  for (const item of items) {
    const attributes = attributesOf(item);
    storage.stage(changesOf(table, itemKey(table, attributes), undefined, attributes));
    if (++waiting % batchSize === 0) await storage.settled();
  }
  await storage.close();
  const engine = await openEngine({ path: folder });
  const close = async () => {
    await engine.close();
    await rm(folder, { recursive: true });
  };
  return { engine, close };
};
