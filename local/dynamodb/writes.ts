import db from 'dynalite/db/index.js';
import { type Attributes, itemSize } from './attribute-value.ts';
import { type Condition, holds } from './condition.ts';
import { ConditionFailed, demandValid, invalid } from './errors.ts';
import { checked, maxItemSize } from './requests.ts';
import type { Storage } from './storage.ts';
import { changesOf, itemKey, type Table, type Tables } from './tables.ts';
import { applyUpdate, type Section } from './update.ts';

type Conditional = {
  TableName: string;
  ReturnValues?: 'NONE' | 'ALL_OLD' | 'ALL_NEW';
  _condition?: { expression: Condition; nestedPaths?: unknown };
};
export type PutRequest = Conditional & { Item: Attributes };
export type KeyRequest = Conditional & { Key: Attributes };
export type UpdateRequest = KeyRequest & {
  _updates?: { sections: Section[]; nestedPaths?: unknown };
};

/** A write that has passed every check that does not depend on the stored item. */
export type Write = {
  table: Table;
  key: string;
  request: Conditional;
  next: (old: Attributes | undefined) => Attributes | undefined;
};

const validateCondition = (table: Table, { _condition }: Conditional) =>
  demandValid(db.validateKeyPaths(_condition?.nestedPaths, table));

/** DynamoDB indexes no empty value. */
const validateIndexKeys = (table: Table, item: Attributes) => {
  for (const { IndexName, KeySchema } of table.GlobalSecondaryIndexes ?? []) {
    for (const { AttributeName } of KeySchema) {
      const value = item[AttributeName];
      if (value?.S === '' || value?.B === '') {
        throw invalid(
          'One or more parameter values are not valid. A value specified for a secondary index key is not ' +
            'supported. The AttributeValue for a key attribute cannot contain an empty string value. ' +
            `IndexName: ${IndexName}, IndexKey: ${AttributeName}`,
        );
      }
    }
  }
};

export const putOf = (tables: Tables, request: PutRequest): Write => {
  const table = tables.get(request.TableName);
  const { Item } = request;
  demandValid(db.validateItem(Item, table));
  validateIndexKeys(table, Item);
  validateCondition(table, request);
  if (itemSize(Item) > maxItemSize) throw invalid('Item size has exceeded the maximum allowed size');
  return { table, key: itemKey(table, Item), request, next: () => Item };
};

const keyed = (tables: Tables, request: KeyRequest) => {
  const table = tables.get(request.TableName);
  demandValid(db.validateKey(request.Key, table));
  validateCondition(table, request);
  return { table, key: itemKey(table, request.Key), request };
};

export const deleteOf = (tables: Tables, request: KeyRequest): Write => ({
  ...keyed(tables, request),
  next: () => undefined,
});

/** Only checks the condition, and changes nothing. */
export const checkOf = (tables: Tables, request: KeyRequest): Write => ({
  ...keyed(tables, request),
  next: (old) => old,
});

export const updateOf = (tables: Tables, request: UpdateRequest): Write => {
  const write = keyed(tables, request);
  const { table } = write;
  demandValid(db.validateUpdates(undefined, request._updates, table));
  const next = (old: Attributes | undefined) => {
    const item = applyUpdate(old ?? request.Key, request._updates?.sections ?? []);
    if (db.validateItem(item, table)) {
      throw invalid('The update expression attempted to update the secondary index key to unsupported type');
    }
    validateIndexKeys(table, item);
    if (itemSize(item) > maxItemSize) {
      throw invalid('Item size to update has exceeded the maximum allowed size');
    }
    return item;
  };
  return { ...write, next };
};

/** The effect of the write on the item as it is now. @throws ConditionFailed */
export const effectOf = (storage: Storage, { table, key, request, next }: Write) => {
  const old = storage.get(key) as Attributes | undefined;
  if (request._condition && !holds(request._condition.expression, old ?? {})) throw new ConditionFailed();
  const item = next(old);
  return { old, item, changes: item === old ? [] : changesOf(table, key, old, item) };
};

type Effect = ReturnType<typeof effectOf>;

/** Writes all effects or none, because what is staged together is written together. */
export const stageEffects = (storage: Storage, effects: readonly Effect[]): void => {
  const changed = effects.filter(({ changes }) => changes.length > 0);
  storage.stage(
    changed.flatMap(({ changes }) => changes),
    changed.map(({ old, item }) => ({ before: old, after: item })),
  );
};

const writeItem = (storage: Storage, write: Write) => {
  const { ReturnValues = 'NONE' } = write.request;
  if (ReturnValues.startsWith('UPDATED'))
    throw invalid(`ReturnValues ${ReturnValues} is not supported by this engine`);
  const effect = effectOf(storage, write);
  stageEffects(storage, [effect]);
  const Attributes = { NONE: undefined, ALL_OLD: effect.old, ALL_NEW: effect.item }[ReturnValues];
  return Attributes ? { Attributes } : {};
};

export const putItem = (storage: Storage, tables: Tables, request: PutRequest) =>
  writeItem(storage, putOf(tables, checked('PutItem', request)));

export const deleteItem = (storage: Storage, tables: Tables, request: KeyRequest) =>
  writeItem(storage, deleteOf(tables, checked('DeleteItem', request)));

export const updateItem = (storage: Storage, tables: Tables, request: UpdateRequest) =>
  writeItem(storage, updateOf(tables, checked('UpdateItem', request)));

type BatchWriteRequest = {
  RequestItems: Record<string, { PutRequest?: { Item: Attributes }; DeleteRequest?: { Key: Attributes } }[]>;
};
const batchWriteLimit = 25;

export const batchWriteItem = (storage: Storage, tables: Tables, request: BatchWriteRequest) => {
  const { RequestItems } = checked('BatchWriteItem', request);
  const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) =>
      PutRequest
        ? putOf(tables, { TableName, Item: PutRequest.Item })
        : deleteOf(tables, { TableName, Key: DeleteRequest!.Key }),
    ),
  );
  if (writes.length > batchWriteLimit) throw invalid('Too many items requested for the BatchWriteItem call');
  if (new Set(writes.map(({ key }) => key)).size < writes.length) {
    throw invalid('Provided list of item keys contains duplicates');
  }
  for (const write of writes) stageEffects(storage, [effectOf(storage, write)]);
  return { UnprocessedItems: {} };
};
