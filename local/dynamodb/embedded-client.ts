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
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../../shared/store/document-client.ts';
import { type EngineDoor, embeddedClientConfig } from './embedded-dynamodb.ts';
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
  [TransactGetCommand, 'TransactGetItems'],
]);

type Command = { constructor: unknown; input: object };
type Response = { statusCode: number; body: Uint8Array };
type Handler = { handle(request: object): Promise<{ response: Response }> };
type Refusal = { __type: string; message?: string };
type ErrorClass = new (options: object) => Error;

/** The SDK's own class of the error, so that `instanceof` holds. */
const exceptionOf = ({ __type, ...details }: Refusal, httpStatusCode: number): Error => {
  const name = __type.slice(__type.indexOf('#') + 1);
  const Exception = (sdk as unknown as Record<string, ErrorClass>)[name] ?? sdk.DynamoDBServiceException;
  return new Exception({ name, $fault: 'client', $metadata: { httpStatusCode, attempts: 1 }, ...details });
};

/**
 * The document client of an embedded engine. What stores send all day is handed over as it is: the SDK's way to
 * a server (endpoint, signature, retries, HTTP) takes several times as long as the engine's answer.
 */
export const embeddedClient = (engine: EngineDoor): DynamoDBDocumentClient => {
  const client = documentClient(embeddedClientConfig(engine));
  const { requestHandler } = client.config as unknown as { requestHandler: Handler };

  const handOver = async (operation: string, input: object): Promise<object> => {
    const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const { response } = await requestHandler.handle({ headers, body: JSON.stringify(wireRequest(input)) });
    const answer = JSON.parse(Buffer.from(response.body).toString());
    if (response.statusCode !== 200) throw exceptionOf(answer, response.statusCode);
    return { ...plainAnswer(answer), $metadata: { httpStatusCode: 200, attempts: 1 } };
  };

  const send = client.send.bind(client) as (command: Command) => Promise<object>;
  const sendOrHandOver = (command: Command) => {
    const operation = operations.get(command.constructor);
    return operation === undefined ? send(command) : handOver(operation, command.input);
  };
  return Object.assign(client, { send: sendOrHandOver as never });
};
