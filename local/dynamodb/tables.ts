import db from 'dynalite/db/index.js';
import type { Attributes } from './attribute-value.ts';
import { invalid, tableExists, tableMissing } from './errors.ts';
import type { Change } from './level.ts';
import type { Storage } from './storage.ts';

export type KeySchema = { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[];
export type Index = {
  IndexName: string;
  KeySchema: KeySchema;
  Projection: { ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] };
};
export type Table = {
  TableName: string;
  KeySchema: KeySchema;
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[];
  GlobalSecondaryIndexes?: Index[];
  /** The attribute with the time at which an item expires. */
  timeToLive?: string;
};

const prefix = 'table/';

export const namesOf = (schema: KeySchema) => schema.map(({ AttributeName }) => AttributeName);

const keyTypeOf = (table: Table, name: string) =>
  table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)!.AttributeType;

/** A key attribute as text that sorts like its value. No such text is the beginning of another. */
export const keyPart = (table: Table, name: string, item: Attributes): string => {
  const type = keyTypeOf(table, name);
  return `${db.toRangeStr(item[name]![type]!, type)}/`;
};

const keyParts = (table: Table, schema: KeySchema, item: Attributes) =>
  namesOf(schema)
    .map((name) => keyPart(table, name, item))
    .join('');

export const itemsPrefix = (table: Table, index?: Index) =>
  index ? `index/${table.TableName}/${index.IndexName}/` : `item/${table.TableName}/`;

export const itemKey = (table: Table, item: Attributes) =>
  itemsPrefix(table) + keyParts(table, table.KeySchema, item);

/** Ends with the item's own key, because many items may have the same index key. */
export const indexKey = (table: Table, index: Index, item: Attributes) =>
  itemsPrefix(table, index) + keyParts(table, index.KeySchema, item) + keyParts(table, table.KeySchema, item);

const isIndexed = (index: Index, item: Attributes | undefined): item is Attributes =>
  item !== undefined && index.KeySchema.every(({ AttributeName }) => item[AttributeName] !== undefined);

const projected = (table: Table, index: Index, item: Attributes): Attributes => {
  const { ProjectionType, NonKeyAttributes = [] } = index.Projection;
  if (ProjectionType === 'ALL') return item;
  const names = new Set([...namesOf(table.KeySchema), ...namesOf(index.KeySchema), ...NonKeyAttributes]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
};

/** Sorts by the second of expiry. 11 digits last for three thousand years. */
export const expiryPrefix = (table: Table, seconds?: number) =>
  `expiry/${table.TableName}/${seconds === undefined ? '' : String(Math.floor(seconds)).padStart(11, '0')}`;

const expiryKey = (table: Table, key: string, item: Attributes | undefined): string | undefined => {
  const seconds = table.timeToLive === undefined ? undefined : item?.[table.timeToLive]?.N;
  return seconds === undefined ? undefined : `${expiryPrefix(table, Number(seconds))}/${key}`;
};

/** The changes in LevelDB for an item that is created, changed or deleted. */
export const changesOf = (
  table: Table,
  key: string,
  old: Attributes | undefined,
  next: Attributes | undefined,
): Change[] => {
  const changes: Change[] = [];
  if (next) changes.push({ type: 'put', key, value: next });
  else if (old) changes.push({ type: 'del', key });
  const oldExpiry = expiryKey(table, key, old);
  const nextExpiry = expiryKey(table, key, next);
  if (oldExpiry !== undefined && oldExpiry !== nextExpiry) changes.push({ type: 'del', key: oldExpiry });
  if (nextExpiry !== undefined && nextExpiry !== oldExpiry)
    changes.push({ type: 'put', key: nextExpiry, value: { key } });
  for (const index of table.GlobalSecondaryIndexes ?? []) {
    const oldKey = isIndexed(index, old) ? indexKey(table, index, old) : undefined;
    const nextKey = isIndexed(index, next) ? indexKey(table, index, next) : undefined;
    if (oldKey !== undefined && oldKey !== nextKey) changes.push({ type: 'del', key: oldKey });
    if (nextKey !== undefined)
      changes.push({ type: 'put', key: nextKey, value: projected(table, index, next!) });
  }
  return changes;
};

/** The tables of a storage. They are few and every request needs one, so they are in memory. */
export class Tables {
  readonly #storage: Storage;
  readonly #tables = new Map<string, Table>();

  private constructor(storage: Storage) {
    this.#storage = storage;
  }

  static async load(storage: Storage): Promise<Tables> {
    const tables = new Tables(storage);
    for await (const table of storage.values({ gte: prefix, lt: `${prefix}~` })) {
      tables.#tables.set((table as Table).TableName, table as Table);
    }
    return tables;
  }

  get(name: string): Table {
    const table = this.#tables.get(name);
    if (!table) throw tableMissing();
    return table;
  }

  get all(): Table[] {
    return [...this.#tables.values()];
  }

  expire(name: string, timeToLive: string): void {
    const table = { ...this.get(name), timeToLive };
    this.#tables.set(name, table);
    this.#storage.stage([{ type: 'put', key: prefix + name, value: table }]);
  }

  create(input: Table & { LocalSecondaryIndexes?: unknown }): Table {
    if (this.#tables.has(input.TableName)) throw tableExists(input.TableName);
    if (input.LocalSecondaryIndexes)
      throw invalid('Local secondary indexes are not supported by this engine');
    this.#tables.set(input.TableName, input);
    this.#storage.stage([{ type: 'put', key: prefix + input.TableName, value: input }]);
    return input;
  }
}
