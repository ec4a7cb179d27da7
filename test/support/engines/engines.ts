import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { CreateTableCommand, DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import type { Command } from '../../../local/dynamodb/embedded-client.ts';
import { Database, documentClient } from '../../../shared/platform/table/database.ts';
import { createTableInput } from '../../../shared/platform/table/table.ts';
import { dropped, withoutCondition } from '../faults/conditions.ts';
import { type EngineDoor, embeddedClientConfig, openEngine, shortClient } from './engine-door.ts';

export type OpenTable = {
  database: Database;
  /**
   * What the database sends its commands with; the same commands by a shorter way than the SDK's.
   */
  client: DynamoDBDocumentClient;
  /** The SDK's own client of the same table. */
  sdk: DynamoDBDocumentClient;
  tableName: string;
  close(): Promise<void>;
};
export type Engine = {
  name: string;
  /** A fresh, empty table. */
  open(): Promise<OpenTable>;
  /**
   * `usual`, or `few` where each call takes ten times the CPU: for what fewer contacts show as
   * well.
   */
  sized(usual: number, few: number): number;
};

/**
 * Without the condition that is dropped at present, to see that a test notices. See
 * `condition-proofs.ts`.
 */
const unguarded = (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  const send = client.send.bind(client) as (command: Command) => Promise<object>;
  return Object.assign(client, {
    send: (command: Command) => send(withoutCondition(command, dropped.condition)),
  } as never);
};

const newTable = async (sent: DynamoDBDocumentClient, sdk: DynamoDBDocumentClient) => {
  const tableName = `test-${randomUUID()}`;
  await sdk.send(new CreateTableCommand(createTableInput(tableName)));
  const client = unguarded(sent);
  return { client, sdk, tableName, database: new Database(client, tableName) };
};

const embedded: Engine = {
  name: 'the embedded engine',
  sized: (usual) => usual,
  async open() {
    const engine = await openEngine({ path: ':memory:' });
    const table = await newTable(shortClient(engine), documentClient(embeddedClientConfig(engine)));
    return { ...table, close: () => engine.close() };
  },
};

const region = 'local';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
/** DynamoDB Local reads whose data it is from a signature, and does not check it. */
const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`;

type Request = { headers: Record<string, string>; body: string };

/**
 * A third of the suite's calls go to DynamoDB Local: the SDK's way there takes more CPU time than
 * its answers.
 */
const overHttp = (endpoint: string): EngineDoor & { close(): Promise<void> } => {
  const agent = new Agent({ keepAlive: true });
  const handle = ({ headers, body }: Request) =>
    new Promise((resolve, reject) => {
      const sent = { ...headers, authorization, 'content-type': 'application/x-amz-json-1.0' };
      request(endpoint, { method: 'POST', agent, headers: sent }, async (answer) => {
        const { statusCode = 0, headers: answered } = answer;
        resolve({ response: { statusCode, headers: answered, body: await buffer(answer) } });
      })
        .on('error', reject)
        .end(body);
    });
  return { requestHandler: { handle } as never, close: async () => agent.destroy() };
};

const dynamoDbLocal = (endpoint: string): Engine => ({
  name: 'DynamoDB Local',
  sized: (_, few) => few,
  async open() {
    const short = overHttp(endpoint);
    const sdk = documentClient({ endpoint, region, credentials });
    const table = await newTable(shortClient(short), sdk);
    const close = async () => {
      await sdk.send(new DeleteTableCommand({ TableName: table.tableName }));
      sdk.destroy();
      await short.close();
    };
    return { ...table, close };
  },
});

const endpoint = inject('dynamoDbLocal');

/**
 * `describe.each(engines)('… on $name', ({ open }) => …)`: the same outcomes on every engine. `npm
 * test` has the embedded one alone.
 */
export const engines: Engine[] = [embedded, ...(endpoint === null ? [] : [dynamoDbLocal(endpoint)])];
