import db from 'dynalite/db/index.js';
import batchGetItem from 'dynalite/validations/batchGetItem.js';
import batchWriteItem from 'dynalite/validations/batchWriteItem.js';
import createTable from 'dynalite/validations/createTable.js';
import deleteItem from 'dynalite/validations/deleteItem.js';
import getItem from 'dynalite/validations/getItem.js';
import validations from 'dynalite/validations/index.js';
import putItem from 'dynalite/validations/putItem.js';
import query from 'dynalite/validations/query.js';
import scan from 'dynalite/validations/scan.js';
import updateItem from 'dynalite/validations/updateItem.js';
import type { AttributeValue } from './attribute-value.ts';
import { invalid, refusalOf } from './errors.ts';

const checks = {
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  CreateTable: createTable,
  DeleteItem: deleteItem,
  GetItem: getItem,
  PutItem: putItem,
  Query: query,
  Scan: scan,
  UpdateItem: updateItem,
};
type CheckedOperation = keyof typeof checks;

/** Bytes; DynamoDB's limit. */
export const maxItemSize = 400 * 1024;
/** DynamoDB's legacy parameters, and parameters that no store of the service uses. */
const unsupportedParameters = [
  'AttributesToGet',
  'AttributeUpdates',
  'ConditionalOperator',
  'Expected',
  'FilterExpression',
  'KeyConditions',
  'ProjectionExpression',
  'QueryFilter',
  'ReturnValuesOnConditionCheckFailure',
  'Select',
];
const store = { options: { maxItemSize } };

export const refuseUnsupported = (request: object): void => {
  const found = unsupportedParameters.find((name) => name in request);
  if (found) throw invalid(`The parameter ${found} is not supported by this engine`);
};

/**
 * dynalite checks the request. The types of the wire format are not checked, because the SDK wrote
 * it.
 * @returns the request with its expressions parsed into `_condition`, `_updates` and
 *   `KeyConditions`, and its numbers normalised
 */
export const checked = <T extends object>(operation: CheckedOperation, request: T): T => {
  refuseUnsupported(request);
  const { types, custom } = checks[operation];
  const { expressions, rest } = apart(operation, request);
  try {
    const parsed = expressions && parsedBefore(expressions);
    if (parsed) {
      const { KeyConditions } = parsed;
      validations.checkValidations(
        KeyConditions ? Object.assign(rest, { KeyConditions }) : rest,
        types,
        custom,
        store,
      );
      return Object.assign(rest, parsed) as T;
    }
    validations.checkValidations(request, types, custom, store);
  } catch (error) {
    throw refusalOf(error);
  }
  if (expressions) remember(expressions, request as Parsed);
  return request;
};

type Values = Record<string, AttributeValue>;
type KeyConditions = Record<string, { ComparisonOperator: string; AttributeValueList: AttributeValue[] }>;
type Parsed = { _condition?: unknown; _updates?: unknown; KeyConditions?: KeyConditions };
type Expressions = { text: string; values: Values };

/** Parsing an expression costs more than the rest of a request, and there are few expressions. */
const templates = new Map<string, Parsed>();
/** Some expressions name a task in an attribute, so each task adds a few. */
const maxTemplates = 300;
const cacheable = new Set<CheckedOperation>(['PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
/** The validity of these depends on the values, not only on their types. */
const valueDependent = /between|attribute_type/i;

/** The bounds of a key are checked each time. Other bounds are checked only by parsing. */
const isCacheable = ({
  ConditionExpression,
  UpdateExpression,
  KeyConditionExpression,
}: Record<string, unknown>): boolean => {
  if (KeyConditionExpression !== undefined) return true;
  const texts = [ConditionExpression, UpdateExpression];
  return texts.some((text) => text !== undefined) && !valueDependent.test(texts.join());
};

const apart = (operation: CheckedOperation, request: object): { expressions?: Expressions; rest: object } => {
  if (!cacheable.has(operation)) return { rest: request };
  const {
    ConditionExpression,
    UpdateExpression,
    KeyConditionExpression,
    ExpressionAttributeNames,
    ExpressionAttributeValues,
    ...rest
  } = request as Record<string, unknown>;
  if (!isCacheable(request as Record<string, unknown>)) return { rest: request };
  const texts = [ConditionExpression, UpdateExpression, KeyConditionExpression];
  const values = (ExpressionAttributeValues ?? {}) as Values;
  const types = Object.entries(values).map(([name, value]) => [name, ...Object.keys(value)]);
  return { expressions: { text: JSON.stringify([texts, ExpressionAttributeNames, types]), values }, rest };
};

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const replaced = (node: unknown, replace: (node: object) => unknown): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  const replacement = replace(node);
  if (replacement !== undefined) return replacement;
  if (Array.isArray(node)) return node.map((member) => replaced(member, replace));
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, replaced(member, replace)]));
};

const remember = ({ text, values }: Expressions, { _condition, _updates, KeyConditions }: Parsed): void => {
  const names = new Map<object, string>(Object.entries(values).map(([name, value]) => [value, name]));
  const withPlaceholders = (node: object) => {
    const name = names.get(node);
    return name === undefined ? undefined : new Placeholder(name);
  };
  if (templates.size >= maxTemplates) templates.clear();
  const parsed = KeyConditions ? { KeyConditions } : { _condition, _updates };
  templates.set(text, replaced(parsed, withPlaceholders) as Parsed);
};

const parsedBefore = ({ text, values }: Expressions): Parsed | undefined => {
  const template = templates.get(text);
  if (!template) return undefined;
  for (const [name, value] of Object.entries(values)) {
    const problem = validations.validateAttributeValue(value);
    if (problem) {
      throw invalid(`ExpressionAttributeValues contains invalid value: ${problem} for key ${name}`);
    }
  }
  const parsed = replaced(template, (node) =>
    node instanceof Placeholder ? values[node.name] : undefined,
  ) as Parsed;
  return isInOrder(parsed) ? parsed : undefined;
};

/** If the lower bound of a key is above the upper one, parsing again gives the error. */
const isInOrder = ({ KeyConditions = {} }: Parsed): boolean =>
  Object.values(KeyConditions).every(
    ({ ComparisonOperator, AttributeValueList: [from, to] }) =>
      ComparisonOperator !== 'BETWEEN' || !db.compare('GT', from!, to!),
  );
