import db from 'dynalite/db/index.js';
import { type Attributes, itemSize } from './attribute-value.ts';
import { demandValid } from './errors.ts';
import { checked, refuseUnsupported } from './requests.ts';
import type { Storage } from './storage.ts';
import { itemKey, type Tables } from './tables.ts';

type GetRequest = { TableName: string; Key: Attributes };
type KeysOfTable = { Keys: Attributes[] };
type BatchGetRequest = { RequestItems: Record<string, KeysOfTable> };

/** In bytes of one answer. Keys beyond this limit are returned as unprocessed. */
const batchGetLimit = 16 * 1024 * 1024;

const find = (storage: Storage, tables: Tables, { TableName, Key }: GetRequest): Attributes | undefined => {
  const table = tables.get(TableName);
  demandValid(db.validateKey(Key, table));
  return storage.get(itemKey(table, Key)) as Attributes | undefined;
};

export const getItem = (storage: Storage, tables: Tables, request: GetRequest) => {
  const Item = find(storage, tables, checked('GetItem', request));
  return Item ? { Item } : {};
};

export const batchGetItem = (storage: Storage, tables: Tables, request: BatchGetRequest) => {
  const { RequestItems } = checked('BatchGetItem', request);
  const Responses: Record<string, Attributes[]> = {};
  const UnprocessedKeys: Record<string, KeysOfTable> = {};
  let size = 0;
  for (const [TableName, asked] of Object.entries(RequestItems)) {
    refuseUnsupported(asked);
    const found: Attributes[] = [];
    const left: Attributes[] = [];
    for (const Key of asked.Keys) {
      const item = find(storage, tables, { TableName, Key });
      if (!item) continue;
      size += itemSize(item);
      if (size > batchGetLimit) left.push(Key);
      else found.push(item);
    }
    Responses[TableName] = found;
    if (left.length > 0) UnprocessedKeys[TableName] = { ...asked, Keys: left };
  }
  return { Responses, UnprocessedKeys };
};
