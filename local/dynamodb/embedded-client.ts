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
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../../shared/store/table/index.ts';
import { type EngineDoor, embeddedClientConfig, type Perform } from './embedded-dynamodb.ts';
import { RequestRefused } from './errors.ts';
import { plainAnswer, wireRequest } from './wire.ts';

const operations = new Map<unknown, string>([
  [GetCommand, 'GetItem'],
  [BatchGetCommand, 'BatchGetItem'],
  [QueryCommand, 'Query'],
  [PutCommand, 'PutItem'],
  [UpdateCommand, 'UpdateItem'],
  [DeleteCommand, 'DeleteItem'],
  [BatchWriteCommand, 'BatchWriteItem'],
  [BatchExecuteStatementCommand, 'BatchExecuteStatement'],
  [TransactWriteCommand, 'TransactWriteItems'],
]);

export type Command = { constructor: unknown; input: object };
type Response = { statusCode: number; body: Uint8Array };
type Handle = ((request: object) => Promise<{ response: Response }>) & { perform?: Perform };
type Handler = { handle: Handle };
type Refusal = { __type: string; message?: string };
type ErrorClass = new (options: object) => Error;

/** An error of the SDK's own class, so that `instanceof` works. */
const exceptionOf = ({ __type, ...details }: Refusal, httpStatusCode: number): Error => {
  const name = __type.slice(__type.indexOf('#') + 1);
  const Exception = (sdk as unknown as Record<string, ErrorClass>)[name] ?? sdk.DynamoDBServiceException;
  return new Exception({ name, $fault: 'client', $metadata: { httpStatusCode, attempts: 1 }, ...details });
};

const performOperation = async (perform: Perform, operation: string, request: object): Promise<object> => {
  try {
    return await perform(operation, request);
  } catch (error) {
    throw error instanceof RequestRefused ? exceptionOf(error.body, 400) : error;
  }
};

/** Sends the request as text, for an engine in another process or a handler that does not offer `perform`. */
const sendText = async (handler: Handler, operation: string, request: object): Promise<object> => {
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const { response } = await handler.handle({ headers, body: JSON.stringify(request) });
  const answer = JSON.parse(Buffer.from(response.body).toString());
  if (response.statusCode !== 200) throw exceptionOf(answer, response.statusCode);
  return answer;
};

/** Hands a command to the engine without the SDK. `undefined` for a command that needs the SDK. */
export const handOverTo = ({ requestHandler }: EngineDoor) => {
  const handler = requestHandler as unknown as Handler;
  const handOver = async (operation: string, input: object): Promise<object> => {
    const request = wireRequest(input);
    const { perform } = handler.handle;
    const answer = perform
      ? await performOperation(perform, operation, request)
      : await sendText(handler, operation, request);
    return { ...plainAnswer(answer), $metadata: { httpStatusCode: 200, attempts: 1 } };
  };
  return (command: Command): Promise<object> | undefined => {
    const operation = operations.get(command.constructor);
    return operation === undefined ? undefined : handOver(operation, command.input);
  };
};

/**
 * The document client of an embedded engine. The commands of the stores are handed over directly: the SDK's steps
 * (endpoint, signature, retries, HTTP) take several times as long as the answer of the engine.
 */
export const embeddedClient = (engine: EngineDoor): DynamoDBDocumentClient => {
  const client = documentClient(embeddedClientConfig(engine));
  const handOver = handOverTo(engine);
  const send = client.send.bind(client) as (command: Command) => Promise<object>;
  const sendOrHandOver = (command: Command) => handOver(command) ?? send(command);
  return Object.assign(client, { send: sendOrHandOver as never });
};
