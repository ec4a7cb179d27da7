import * as sdk from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type AttributeValue, itemOf, plainOf } from '../../shared/platform/table/item-reader.ts';
import type { EmbeddedDynamoDb } from './embedded-dynamodb.ts';
import { RequestRefused } from './errors.ts';

const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

const setOf = (members: unknown[]): AttributeValue => {
  if (typeof members[0] === 'number') return { NS: members.map(String) };
  return members[0] instanceof Uint8Array ? { BS: (members as Uint8Array[]).map(base64) } : { SS: members };
};

/** A plain value as an attribute value of the wire. */
const wireOf = (value: unknown): AttributeValue => {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
  }
  if (value === null || value === undefined) return { NULL: true };
  if (value instanceof Uint8Array) return { B: base64(value) };
  if (value instanceof Set) return setOf([...value]);
  if (Array.isArray(value)) return { L: value.filter((member) => member !== undefined).map(wireOf) };
  return { M: attributesOf(value as Record<string, unknown>) };
};

/** Drops fields that are undefined. */
export const attributesOf = (item: Record<string, unknown>): Record<string, AttributeValue> => {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in item)
    if (item[name] !== undefined && name !== '__proto__') attributes[name] = wireOf(item[name]);
  return attributes;
};

type Walk = { item(item: never): unknown; value(value: never): unknown };
const items = new Set([
  'Item',
  'Key',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
]);
const lists = new Set(['Items', 'Keys']);

const field = (name: string, value: unknown, walk: Walk): unknown => {
  if (items.has(name)) return walk.item(value as never);
  if (lists.has(name)) return (value as never[]).map(walk.item);
  // BatchGetItem returns items by table.
  if (name === 'Responses' && !Array.isArray(value)) {
    const tables = Object.entries(value as Record<string, never[]>);
    return Object.fromEntries(tables.map(([table, found]) => [table, found.map(walk.item)]));
  }
  return name === 'Parameters' ? (value as never[]).map(walk.value) : walked(value, walk);
};

const walked = (node: unknown, walk: Walk): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((member) => walked(member, walk));
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node))
    if (value !== undefined) copy[name] = field(name, value, walk);
  return copy;
};

/** The request of a document client, with its items as they are on the wire. */
export const wireRequest = (request: object): object =>
  walked(request, { item: attributesOf, value: wireOf }) as object;

/** The answer of the engine, with its items as a document client has them. */
export const plainAnswer = (answer: object): object =>
  walked(answer, { item: itemOf, value: plainOf }) as object;

const operations = new Map<unknown, string>([
  [sdk.CreateTableCommand, 'CreateTable'],
  [sdk.UpdateTimeToLiveCommand, 'UpdateTimeToLive'],
  [GetCommand, 'GetItem'],
  [BatchGetCommand, 'BatchGetItem'],
  [QueryCommand, 'Query'],
  [ScanCommand, 'Scan'],
  [PutCommand, 'PutItem'],
  [UpdateCommand, 'UpdateItem'],
  [DeleteCommand, 'DeleteItem'],
  [BatchWriteCommand, 'BatchWriteItem'],
  [BatchExecuteStatementCommand, 'BatchExecuteStatement'],
  [TransactWriteCommand, 'TransactWriteItems'],
]);

export type Command = { constructor: unknown; input: object };
type Refusal = { __type: string; message?: string };
type ErrorClass = new (options: object) => Error;

export const isSupported = (command: Command) => operations.has(command.constructor);

/** An error of the SDK's own class, so that `instanceof` works. */
export const exceptionOf = ({ __type, ...details }: Refusal, httpStatusCode: number): Error => {
  const name = __type.slice(__type.indexOf('#') + 1);
  const Exception = (sdk as unknown as Record<string, ErrorClass>)[name] ?? sdk.DynamoDBServiceException;
  return new Exception({ name, $fault: 'client', $metadata: { httpStatusCode, attempts: 1 }, ...details });
};

/**
 * A document client that passes its commands to the engine. The SDK's own steps (endpoint,
 * signature, retries, HTTP) would take several times as long as the engine.
 */
export const embeddedClient = ({
  perform,
}: Pick<EmbeddedDynamoDb, 'perform'>): Pick<DynamoDBDocumentClient, 'send'> => {
  const send = async (command: Command): Promise<object> => {
    const operation = operations.get(command.constructor);
    if (operation === undefined) throw new Error('the command is not supported by this engine');
    try {
      const answer = await perform(operation, wireRequest(command.input));
      return { ...plainAnswer(answer), $metadata: { httpStatusCode: 200, attempts: 1 } };
    } catch (error) {
      throw error instanceof RequestRefused ? exceptionOf(error.body, 400) : error;
    }
  };
  return { send: send as never };
};
