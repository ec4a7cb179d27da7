import { tableDefinition } from '../../../shared/platform/table/table.ts';
import type { Need } from '../aws/iam.ts';

type Value = { S?: string };
type Item = Record<string, Value>;
type Input = {
  Key?: Item;
  Item?: Item;
  RequestItems?: Record<string, { Keys?: Item[] } | Record<string, { Item?: Item; Key?: Item }>[]>;
  TransactItems?: Record<string, { Key?: Item; Item?: Item }>[];
  Statements?: { Statement: string; Parameters: Value[] }[];
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Item;
};

const { partitionKey, index } = tableDefinition;

const keyOf = ({ Key, Item }: { Key?: Item; Item?: Item }): string => (Key ?? Item)?.[partitionKey]?.S ?? '';

const transactActions: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

const grouped = (pairs: readonly (readonly [string, string])[]): [string, string[]][] => {
  const groups = new Map<string, string[]>();
  for (const [action, key] of pairs) groups.set(action, [...(groups.get(action) ?? []), key]);
  return [...groups];
};

type Statement = NonNullable<Input['Statements']>[number];
const isUpdate = ({ Statement }: Statement) => Statement.startsWith('UPDATE');

const updatedKey = ({ Statement, Parameters }: Statement): string => {
  const names = [...Statement.matchAll(/"(\w+)"\s*=\s*\?/g)].map((match) => match[1]);
  return Parameters[names.indexOf(partitionKey)]?.S ?? '';
};

const insertedKey = ({ Statement, Parameters }: Statement): string => {
  const names = [...Statement.matchAll(/'([^']+)'\s*:\s*\?/g)].map((match) => match[1]);
  return Parameters[names.indexOf(partitionKey)]?.S ?? '';
};

const batchKeys = ({ RequestItems = {} }: Input): string[] =>
  Object.values(RequestItems).flatMap((entry) =>
    Array.isArray(entry)
      ? entry.flatMap((request) => Object.values(request).map(keyOf))
      : (entry.Keys ?? []).map((Key) => keyOf({ Key })),
  );

const queriedKey = ({ KeyConditionExpression = '', ExpressionAttributeValues = {} }: Input): string => {
  const value = /^\s*\S+\s*=\s*(:\w+)/.exec(KeyConditionExpression)?.[1] ?? '';
  return ExpressionAttributeValues[value]?.S ?? '';
};

const touched = (operation: string, input: Input): [string, string[]][] => {
  switch (operation) {
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return grouped(
        (input.TransactItems ?? []).flatMap((item) =>
          Object.entries(item).map(([kind, part]) => [transactActions[kind] ?? kind, keyOf(part)] as const),
        ),
      );
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return [[operation, batchKeys(input)]];
    case 'BatchExecuteStatement':
      return grouped(
        (input.Statements ?? []).map((statement) =>
          isUpdate(statement)
            ? ['PartiQLUpdate', updatedKey(statement)]
            : ['PartiQLInsert', insertedKey(statement)],
        ),
      );
    case 'Query':
      return [[operation, [queriedKey(input)]]];
    default:
      return [[operation, [keyOf(input)]]];
  }
};

/** What IAM would ask for one request: all keys that an action touches must be covered at once. */
export const dynamoDbNeeds = (operation: string, input: object, table: string): Need[] => {
  const { IndexName } = input as Input;
  const resource = IndexName === undefined ? table : `${table}/index/${index.name}`;
  return touched(operation, input as Input).map(([action, keys]) => ({
    action: `dynamodb:${action}`,
    resource,
    keys,
  }));
};
