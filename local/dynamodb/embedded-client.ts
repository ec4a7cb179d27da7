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
import type { EmbeddedDynamoDb } from './embedded-dynamodb.ts';
import { RequestRefused } from './errors.ts';
import { plainAnswer, wireRequest } from './wire.ts';

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
 * A document client that hands its commands to the engine. The SDK's own steps (endpoint, signature, retries, HTTP) would
 * take several times as long as the answer of the engine.
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
