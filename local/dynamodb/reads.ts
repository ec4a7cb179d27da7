import db from 'dynalite/db/index.js';
import { type Attributes, type AttributeValue, itemSize } from './attribute-value.ts';
import { demandValid, invalid } from './errors.ts';
import type { RangeOptions } from './level.ts';
import { checked, refuseUnsupported } from './requests.ts';
import type { Storage } from './storage.ts';
import {
  type Index,
  indexKey,
  itemKey,
  itemsPrefix,
  keyPart,
  namesOf,
  type Table,
  type Tables,
} from './tables.ts';

type GetRequest = { TableName: string; Key: Attributes };
type KeysOfTable = { Keys: Attributes[] };
type BatchGetRequest = { RequestItems: Record<string, KeysOfTable> };

/** Bytes of one answer. Keys beyond this limit are returned as unprocessed. */
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

type KeyCondition = { ComparisonOperator: string; AttributeValueList: AttributeValue[] };
type QueryRequest = {
  TableName: string;
  IndexName?: string;
  ConsistentRead?: boolean;
  ScanIndexForward?: boolean;
  Limit?: number;
  ExclusiveStartKey?: Attributes;
  KeyConditions: Record<string, KeyCondition>;
};

type ScanRequest = Pick<QueryRequest, 'TableName' | 'Limit' | 'ExclusiveStartKey'> & {
  Segment?: number;
  TotalSegments?: number;
};

/** Bytes of one page. */
const pageLimit = 1024 * 1024;
/** Sorts after every character of a key part. */
const last = '~';

const indexOf = (table: Table, request: QueryRequest): Index | undefined => {
  if (request.IndexName === undefined) return undefined;
  const index = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === request.IndexName);
  if (!index) throw invalid(`The table does not have the specified index: ${request.IndexName}`);
  if (request.ConsistentRead) {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }
  return index;
};

const demandUsable = (names: string[], conditions: Record<string, KeyCondition>) => {
  const [hash] = names;
  for (const name of names) {
    if (!conditions[name] && (name === hash || Object.keys(conditions).length > 1)) {
      throw invalid(`Query condition missed key schema element: ${name}`);
    }
  }
  if (conditions[hash!]!.ComparisonOperator !== 'EQ') throw invalid('Query key condition not supported');
};

const rangeOf = (table: Table, index: Index | undefined, request: QueryRequest): RangeOptions => {
  const [hash, sort] = namesOf((index ?? table).KeySchema);
  const part = (name: string, value: AttributeValue) => keyPart(table, name, { [name]: value });
  const partition =
    itemsPrefix(table, index) + part(hash!, request.KeyConditions[hash!]!.AttributeValueList[0]!);
  const condition = sort === undefined ? undefined : request.KeyConditions[sort];
  if (!condition) return { gte: partition, lt: partition + last };
  const [from, to] = condition.AttributeValueList.map((value) => partition + part(sort!, value));
  switch (condition.ComparisonOperator) {
    case 'EQ':
      return { gte: from!, lt: from + last };
    case 'LT':
      return { gte: partition, lt: from! };
    case 'LE':
      return { gte: partition, lt: from + last };
    case 'GT':
      return { gte: from + last, lt: partition + last };
    case 'GE':
      return { gte: from!, lt: partition + last };
    case 'BETWEEN':
      return { gte: from!, lt: to + last };
    case 'BEGINS_WITH':
      // Without its end mark, the text of a key part is the beginning of longer texts.
      return { gte: from!.slice(0, -1), lt: from!.slice(0, -1) + last };
    default:
      throw invalid('Attempted conditional constraint is not an indexable operation');
  }
};

const startNames = (table: Table, index: Index | undefined) => [
  ...new Set([...namesOf(table.KeySchema), ...(index ? namesOf(index.KeySchema) : [])]),
];

const startedAt = (table: Table, index: Index | undefined, request: QueryRequest, range: RangeOptions) => {
  const start = request.ExclusiveStartKey;
  if (!start) return range;
  const names = startNames(table, index);
  if (Object.keys(start).length !== names.length || names.some((name) => !start[name])) {
    throw invalid('The provided starting key is invalid');
  }
  demandValid(db.validateItem(start, table));
  const key = index ? indexKey(table, index, start) : itemKey(table, start);
  if (key < range.gte! || key >= range.lt!) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
  return request.ScanIndexForward === false ? { gte: range.gte!, lt: key } : { gt: key, lt: range.lt! };
};

const page = async (
  storage: Storage,
  range: RangeOptions,
  limit: number,
  isIn: (item: Attributes) => boolean = () => true,
) => {
  const items: Attributes[] = [];
  let size = 0;
  for await (const value of storage.values(range)) {
    const item = value as Attributes;
    if (!isIn(item)) continue;
    items.push(item);
    size += itemSize(item);
    if (items.length >= limit || size >= pageLimit) return { items, more: true };
  }
  return { items, more: false };
};

export const query = async (storage: Storage, tables: Tables, raw: QueryRequest) => {
  const request = checked('Query', raw);
  const table = tables.get(request.TableName);
  const index = indexOf(table, request);
  demandUsable(namesOf((index ?? table).KeySchema), request.KeyConditions);
  const range = startedAt(table, index, request, rangeOf(table, index, request));
  const reverse = request.ScanIndexForward === false;
  return answerPage(storage, { ...range, reverse }, request.Limit, startNames(table, index));
};

/** Every item of the table, for commands that walk through all of it. */
export const scan = async (storage: Storage, tables: Tables, raw: ScanRequest) => {
  const { TableName, Limit, ExclusiveStartKey, Segment = 0, TotalSegments = 1 } = checked('Scan', raw);
  const table = tables.get(TableName);
  const prefix = itemsPrefix(table);
  const start = ExclusiveStartKey;
  if (start) demandValid(db.validateKey(start, table));
  const range = { lt: prefix + last, ...(start ? { gt: itemKey(table, start) } : { gte: prefix }) };
  const [hash] = namesOf(table.KeySchema);
  const isIn = (item: Attributes) => segmentOf(keyPart(table, hash!, item), TotalSegments) === Segment;
  return answerPage(
    storage,
    range,
    Limit,
    startNames(table, undefined),
    TotalSegments === 1 ? undefined : isIn,
  );
};

/** Items of one partition key are in one segment. */
const segmentOf = (hashKey: string, segments: number): number => {
  let hash = 0;
  for (let at = 0; at < hashKey.length; at++) hash = (Math.imul(hash, 31) + hashKey.charCodeAt(at)) >>> 0;
  return hash % segments;
};

const answerPage = async (
  storage: Storage,
  range: RangeOptions,
  limit = Number.POSITIVE_INFINITY,
  keyNames: readonly string[],
  isIn?: (item: Attributes) => boolean,
) => {
  const { items, more } = await page(storage, range, limit, isIn);
  const lastRead = more ? items.at(-1) : undefined;
  return {
    Count: items.length,
    ScannedCount: items.length,
    Items: items,
    ...(lastRead && {
      LastEvaluatedKey: Object.fromEntries(keyNames.map((name) => [name, lastRead[name]])),
    }),
  };
};
