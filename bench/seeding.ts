import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Attributes, AttributeValue } from '../local/dynamodb/attribute-value.ts';
import { Storage } from '../local/dynamodb/storage.ts';
import { changesOf, itemKey, type Table, Tables } from '../local/dynamodb/tables.ts';
import type { Item } from '../shared/platform/table/index.ts';
import { createTableInput } from '../shared/platform/table/index.ts';
import { openEngine } from '../test/support/engines/engine-door.ts';

export const tableName = 'bench';
const batchSize = 5_000;

const wireOf = (value: unknown): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (value instanceof Set) return { SS: [...value] as string[] };
  if (Array.isArray(value)) return { L: value.map(wireOf) };
  return value === null ? { NULL: true } : { M: attributesOf(value as object) };
};

/** Without what is `undefined`, as the SDK writes an item. */
export const attributesOf = (item: object): Attributes =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, wireOf(value)]])),
  );

/**
 * An engine on disk that holds the items. They are written to its storage without the SDK, which is twenty
 * times faster and stores the same.
 */
export const openSeeded = async (items: Iterable<Item>, onItem: () => void = () => {}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  const storage = await Storage.open(folder);
  const table = (await Tables.load(storage)).create(createTableInput(tableName) as unknown as Table);
  let waiting = 0;
  for (const item of items) {
    const attributes = attributesOf(item);
    storage.stage(changesOf(table, itemKey(table, attributes), undefined, attributes));
    onItem();
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
