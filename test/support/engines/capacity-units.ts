import { isDeepStrictEqual } from 'node:util';
import { tableDefinition } from '../../../shared/platform/table/table.ts';
import { type Attributes, itemSize } from './item-size.ts';

/** A single write, or one of a transaction. */
export type Write = { TableName: string; Key?: Attributes; Item?: Attributes };

type BatchGet = { RequestItems: Record<string, { Keys: Attributes[]; ConsistentRead?: boolean }> };
/** A batch of the service has puts or deletes, never both. */
type BatchWrite = {
  RequestItems: Record<string, { PutRequest?: { Item: Attributes }; DeleteRequest?: { Key: Attributes } }[]>;
};
type Statements = { Statements: { Statement: string; Parameters: Attributes[string][] }[] };
type Transaction = { TransactItems: Record<string, Write>[] };
type ReadOutput = { Item?: Attributes; Items?: Attributes[]; Responses?: Record<string, Attributes[]> };

export type Cost = { rcu: number; wcu: number; bytes: number };

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const readUnits = (bytes: number) => Math.max(1, Math.ceil(bytes / 4096));
export const writeUnits = (bytes: number) => Math.max(1, Math.ceil(bytes / 1024));

export const keyOf = ({ Key, Item }: Write): Attributes => {
  const { partitionKey, sortKey } = tableDefinition;
  const source = Key ?? Item ?? {};
  return { [partitionKey]: source[partitionKey]!, [sortKey]: source[sortKey]! };
};

const { index } = tableDefinition;

const indexKeyOf = (item: Attributes | undefined): string | undefined => {
  const [partition, sort] = [item?.[index.partitionKey], item?.[index.sortKey]];
  return partition && sort && `${partition.S}\n${sort.S}`;
};

/**
 * The index partitions that are written. Index items are less than a unit: one write for each that
 * appears, changes or goes, none where it stays as it is.
 */
export const indexPartitions = (before: Attributes | undefined, after: Attributes | undefined): string[] => {
  const [from, to] = [indexKeyOf(before), indexKeyOf(after)];
  const keysWritten = from === to ? [to] : [from, to];
  const isSame = index.attributes.every((name) => isDeepStrictEqual(before?.[name], after?.[name]));
  if (from === to && isSame) return [];
  return keysWritten.flatMap((key) => (key === undefined ? [] : [key.slice(0, key.indexOf('\n'))]));
};

/**
 * The larger of the item before and after counts, and twice that inside a transaction; index items
 * count once.
 */
export const writeCost = (
  versions: readonly [before: Attributes | undefined, after: Attributes | undefined][],
  factor: 1 | 2,
): Cost => {
  const sizes = versions.map(([before, after]) => Math.max(itemSize(before), itemSize(after)));
  const units = versions.map(
    ([before, after], i) => factor * writeUnits(sizes[i]!) + indexPartitions(before, after).length,
  );
  return { rcu: 0, wcu: total(units), bytes: total(sizes) };
};

/** Batches and INSERTs: each item is taken to be new; one that is refused costs the same. */
const newItemsCost = (items: readonly Attributes[]): Cost =>
  writeCost(
    items.map((item) => [undefined, item]),
    1,
  );

const insertedBy = ({ Statement, Parameters }: Statements['Statements'][number]): Attributes => {
  const names = [...Statement.matchAll(/'([^']+)'\s*:/g)].map((match) => match[1]!);
  return Object.fromEntries(names.map((name, i) => [name, Parameters[i]!]));
};

/** Each item is rounded up by itself; a key without an item costs the smallest read. */
const batchGetCost = ({ RequestItems }: BatchGet, { Responses = {} }: ReadOutput): Cost => {
  const costs = Object.entries(RequestItems).map(([table, { Keys, ConsistentRead }]) => {
    const sizes = (Responses[table] ?? []).map(itemSize);
    const units = total(sizes.map(readUnits)) + Keys.length - sizes.length;
    return { rcu: units * (ConsistentRead ? 1 : 0.5), bytes: total(sizes) };
  });
  return { rcu: total(costs.map(({ rcu }) => rcu)), wcu: 0, bytes: total(costs.map(({ bytes }) => bytes)) };
};

/** Updates change items that are there. */
const updatedBy = ({ Statement, Parameters }: Statements['Statements'][number]): Write[] => {
  const [, TableName] = /^UPDATE "([^"]+)"/.exec(Statement) ?? [];
  if (TableName === undefined) return [];
  const names = [...Statement.matchAll(/"(\w+)"\s*=\s*\?/g)].map((match) => match[1]!);
  return [{ TableName, Key: Object.fromEntries(names.map((name, i) => [name, Parameters[i]!])) }];
};

const deletedBy = ({ RequestItems }: BatchWrite): Write[] =>
  Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    requests.flatMap(({ DeleteRequest }) => (DeleteRequest ? [{ TableName, Key: DeleteRequest.Key }] : [])),
  );

/** The writes whose items must be known before and after the call. */
export const writesOf = (operation: string, input: object): Write[] => {
  if (['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation)) return [input as Write];
  if (operation === 'TransactWriteItems') return (input as Transaction).TransactItems.flatMap(Object.values);
  if (operation === 'BatchExecuteStatement') return (input as Statements).Statements.flatMap(updatedBy);
  if (operation === 'BatchWriteItem') return deletedBy(input as BatchWrite);
  return [];
};

/** What a call costs beside `writesOf`. */
export const readOrBatchCost = (operation: string, input: object, output: ReadOutput): Cost => {
  switch (operation) {
    case 'GetItem':
    case 'Query': {
      const bytes = total([output.Item, ...(output.Items ?? [])].map(itemSize));
      const consistent = (input as { ConsistentRead?: boolean }).ConsistentRead === true;
      return { rcu: readUnits(bytes) * (consistent ? 1 : 0.5), wcu: 0, bytes };
    }
    case 'BatchGetItem':
      return batchGetCost(input as BatchGet, output);
    case 'BatchWriteItem':
      return newItemsCost(
        Object.values((input as BatchWrite).RequestItems)
          .flat()
          .flatMap(({ PutRequest }) => (PutRequest ? [PutRequest.Item] : [])),
      );
    case 'BatchExecuteStatement':
      return newItemsCost((input as Statements).Statements.map(insertedBy));
    default:
      return { rcu: 0, wcu: 0, bytes: 0 };
  }
};
