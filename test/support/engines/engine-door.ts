import { randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type Command,
  embeddedClient,
  exceptionOf,
  isSupported,
} from '../../../local/dynamodb/embedded-client.ts';
import {
  type EmbeddedDynamoDb,
  openEmbeddedDynamoDb,
  type Perform,
} from '../../../local/dynamodb/embedded-dynamodb.ts';
import { RequestRefused } from '../../../local/dynamodb/errors.ts';
import { documentClient } from '../../../shared/platform/table/database.ts';
import { assertListed } from '../faults/conditions.ts';
import { assertTimesToLive } from './time-to-live.ts';

type RequestHandler = NonNullable<DynamoDBClientConfig['requestHandler']>;
/** For `new DynamoDBClient({ requestHandler, region, credentials })`. No socket is opened. */
export type EngineDoor = { requestHandler: RequestHandler };
export type Engine = EmbeddedDynamoDb & EngineDoor;

type SerializedRequest = { headers: Record<string, string>; body: string | Uint8Array };
type Response = { statusCode: number; body: Uint8Array };
type Handle = ((request: object) => Promise<{ response: Response }>) & { perform?: Perform };

/**
 * The bytes of the SDK also act as a string, but warn if they are used as one. So they are read as
 * plain bytes.
 */
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();

const answer = (statusCode: number, body: object) => ({
  response: {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
    body: Buffer.from(JSON.stringify(body)),
  },
});

/**
 * The engine behind the SDK's interface of HTTP handlers, so that tests can watch, delay and break
 * its calls.
 */
export const openEngine = async (options: Parameters<typeof openEmbeddedDynamoDb>[0]): Promise<Engine> => {
  const engine = await openEmbeddedDynamoDb(options);
  const { perform } = engine;
  const handle = async ({ headers, body }: SerializedRequest) => {
    const target = headers['x-amz-target'] ?? '';
    try {
      return answer(200, await perform(target.slice(target.indexOf('.') + 1), JSON.parse(textOf(body))));
    } catch (error) {
      if (error instanceof RequestRefused) return answer(400, error.body);
      throw error;
    }
  };
  return { ...engine, requestHandler: { handle: Object.assign(handle, { perform }) } as RequestHandler };
};

/**
 * The settings of a client for the engine, without signatures (a quarter of a request's time) and
 * user agent.
 */
export const embeddedClientConfig = ({ requestHandler }: EngineDoor): DynamoDBClientConfig => ({
  requestHandler,
  region: 'local',
  credentials: { accessKeyId: 'embedded', secretAccessKey: 'embedded' },
  signer: { sign: async (request) => request },
  defaultUserAgentProvider: async () => [],
});

/**
 * Sends the request as text, for an engine in another process or a handler that a test has wrapped.
 */
const sendText = async (handle: Handle, operation: string, request: object): Promise<object> => {
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const { response } = await handle({ headers, body: JSON.stringify(request) });
  const answered = JSON.parse(Buffer.from(response.body).toString());
  if (response.statusCode !== 200) throw exceptionOf(answered, response.statusCode);
  return answered;
};

/** Hands a command to the engine without the SDK. `undefined` for a command that needs the SDK. */
export const handOverTo = ({ requestHandler }: EngineDoor) => {
  const handler = requestHandler as unknown as { handle: Handle };
  const perform: Perform = (operation, request) => {
    const { handle } = handler;
    return handle.perform ? handle.perform(operation, request) : sendText(handle, operation, request);
  };
  const { send } = embeddedClient({ perform }) as { send: (command: Command) => Promise<object> };
  return (command: Command): Promise<object> | undefined => {
    assertListed(command);
    assertTimesToLive(command);
    return isSupported(command) ? send(command) : undefined;
  };
};

/** A document client whose usual commands take the short way; the others go through the SDK. */
export const shortClient = (door: EngineDoor): DynamoDBDocumentClient => {
  const client = documentClient(embeddedClientConfig(door));
  const handOver = handOverTo(door);
  const send = client.send.bind(client) as (command: Command) => Promise<object>;
  return Object.assign(client, { send: ((command: Command) => handOver(command) ?? send(command)) as never });
};
