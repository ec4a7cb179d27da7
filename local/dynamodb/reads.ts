import db from 'dynalite/db/index.js';
import { type Attributes, itemSize, type Path } from './attribute-value.ts';
import { demandValid } from './errors.ts';
import { checked } from './requests.ts';
import type { Storage } from './storage.ts';
import { itemKey, type Tables } from './tables.ts';

export type Projection = { _projection?: { paths: Path[]; nestedPaths?: unknown } };
type GetRequest = Projection & { TableName: string; Key: Attributes };
type KeysOfTable = Projection & { Keys: Attributes[] };
type BatchGetRequest = { RequestItems: Record<string, KeysOfTable> };

/** In bytes of one answer. Keys beyond this limit are returned as unprocessed. */
const batchGetLimit = 16 * 1024 * 1024;

export const project = ({ _projection }: Projection, item: Attributes): Attributes =>
  _projection ? db.mapPaths(_projection.paths, item) : item;

const find = (storage: Storage, tables: Tables, request: GetRequest): Attributes | undefined => {
  const table = tables.get(request.TableName);
  demandValid(db.validateKey(request.Key, table));
  demandValid(db.validateKeyPaths(request._projection?.nestedPaths, table));
  return storage.get(itemKey(table, request.Key)) as Attributes | undefined;
};

export const getItem = (storage: Storage, tables: Tables, request: GetRequest) => {
  const item = find(storage, tables, checked('GetItem', request));
  return item ? { Item: project(request, item) } : {};
};

export const batchGetItem = (storage: Storage, tables: Tables, request: BatchGetRequest) => {
  const { RequestItems } = checked('BatchGetItem', request);
  const Responses: Record<string, Attributes[]> = {};
  const UnprocessedKeys: Record<string, KeysOfTable> = {};
  let size = 0;
  for (const [TableName, { _projection, ...asked }] of Object.entries(RequestItems)) {
    const projection = _projection ? { _projection } : {};
    const found: Attributes[] = [];
    const left: Attributes[] = [];
    for (const Key of asked.Keys) {
      const item = find(storage, tables, { TableName, Key, ...projection });
      if (!item) continue;
      size += itemSize(item);
      if (size > batchGetLimit) left.push(Key);
      else found.push(project(projection, item));
    }
    Responses[TableName] = found;
    if (left.length > 0) UnprocessedKeys[TableName] = { ...asked, Keys: left };
  }
  return { Responses, UnprocessedKeys };
};
