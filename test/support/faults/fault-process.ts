import { PassThrough } from 'node:stream';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { appendEvents } from '../../../functions/events/append-events.ts';
import { connectResults } from '../../../functions/events/connect-results.ts';
import { deliverEvents } from '../../../functions/events/deliver-events.ts';
import { doDueFileWork } from '../../../functions/events/do-due-file-work.ts';
import { doDueWork } from '../../../functions/events/do-due-work.ts';
import { importFile } from '../../../functions/events/import-file.ts';
import { publishEvents } from '../../../functions/events/publish-events.ts';
import { pumpCalls } from '../../../functions/events/pump-calls.ts';
import type { Command } from '../../../local/dynamodb/embedded-client.ts';
import { offerResponseStreaming } from '../../../local/gateway/functions.ts';
import { match } from '../../../local/gateway/request.ts';
import { createAdapter } from '../../../shared/app/runtime/connect.ts';
import { withFiles } from '../../../shared/app/runtime/files.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../../../shared/app/runtime/webhooks.ts';
import { ConnectInstance } from '../../../shared/connect/connect-instance.ts';
import { Deliverer } from '../../../shared/events/deliverer.ts';
import { EventBus } from '../../../shared/events/event-bus.ts';
import type { Route } from '../../../shared/platform/api/route.ts';
import { S3Objects, s3Client } from '../../../shared/platform/objects/s3-objects.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { Database, documentClient } from '../../../shared/platform/table/database.ts';
import { flowId, instanceId, sourceNumber } from '../aws/connect-stand-in.ts';
import { embeddedClientConfig, handOverTo } from '../engines/engine-door.ts';
import type { Answer, Envelope } from '../service/answers.ts';
import { Api } from '../service/api.ts';
import {
  bucket,
  credentials,
  endpoint,
  filesAnsweredBy,
  region,
  tableAnsweredBy,
  tableName,
} from './clients.ts';
import * as dialects from './dialects.ts';
import { FaultLine } from './fault-line.ts';
import { retriesAtOnce } from './retries-at-once.ts';
import type { World } from './world.ts';

const connectSettings = {
  instanceId,
  flowId,
  sourceNumber,
  concurrency: 2,
  numberPrefix: '',
  machineDetection: false,
};
/** What the pump takes for too little to look for free lines a second time. */
const remainingMs = 15_000;

type Send = Parameters<Api['send']>[0];
type Invoke = (event?: unknown) => Promise<unknown>;
export type EventId =
  | 'importFile'
  | 'doDueFileWork'
  | 'doDueWork'
  | 'appendEvents'
  | 'publishEvents'
  | 'deliverEvents'
  | 'pumpCalls'
  | 'connectResults';

/** Sees each command on its way to the table, and answers which is sent instead. */
export type Watch = (command: Command) => Command | Promise<Command>;

/** What stands between a process and AWS. `as` says which function calls. */
export type Line = Pick<FaultLine, 'wrap'> & { as?: <T>(functionId: string, run: () => T) => T };

/**
 * The table's client. The call that is to go wrong goes through the SDK, whose retries and errors
 * are tried; the others are handed to the engine past it, which is most of a cell's time.
 */
const tableClient = (world: World, line: FaultLine, watch?: Watch): DynamoDBDocumentClient => {
  const requestHandler = line.wrap(world.dynamoDb.requestHandler as never, dialects.dynamoDb);
  const handOver = handOverTo({ requestHandler });
  const client = tableAnsweredBy(requestHandler);
  const sendBySdk = client.send as (command: Command) => Promise<object>;
  const send = (command: Command) => {
    if (!line.isNextToFail) return handOver(command) ?? sendBySdk(command);
    line.holdNumber();
    return sendBySdk(command);
  };
  const watched = watch && (async (command: Command) => send(await watch(command)));
  return Object.assign(client, { send: (watched ?? send) as never });
};

/** Every call of it goes through the SDK, with its own retries and their pauses. */
const sdkClient = (world: World, line: Line): DynamoDBDocumentClient => {
  const requestHandler = line.wrap(world.dynamoDb.requestHandler as never, dialects.dynamoDb);
  return documentClient(embeddedClientConfig({ requestHandler }));
};

const runtimeOf = (world: World, line: Line, client: DynamoDBDocumentClient, isPausing: boolean) => {
  const database = new Database(client, tableName);
  const objects = async () => {
    const requestHandler = line.wrap((await world.s3).requestHandler as never, dialects.s3);
    const files = isPausing
      ? s3Client({ region, endpoint, credentials, forcePathStyle: true, requestHandler })
      : filesAnsweredBy(requestHandler);
    return new S3Objects(files, bucket);
  };
  const { now } = world.clock;
  // A process that starts knows that the process before has ended: what it claimed is free.
  const settings = { ...serviceSettings(world.limits), now, isSole: true };
  const runtime = withWebhooks(withFiles(createRuntime(settings, database), { database, objects }));
  return { database, runtime: { ...runtime, wakes: { wake: async () => {} } } };
};

type Parts = ReturnType<typeof runtimeOf>;
const common = { region, credentials, retryStrategy: retriesAtOnce };

const adapterOf = (world: World, line: Line, { runtime }: Parts) => {
  const requestHandler = line.wrap(world.connect.requestHandler, dialects.connect) as never;
  const connect = new ConnectInstance(connectSettings, { ...common, requestHandler });
  return createAdapter(runtime, connect, connectSettings, 1);
};

const eventBusOf = (world: World, line: Line) => {
  const requestHandler = line.wrap(busOf(world), dialects.eventBridge) as never;
  return new EventBus(new EventBridgeClient({ ...common, requestHandler }), 'outbound');
};

/** Clients are made when a function asks for them, which most cells never do. */
const eventsOf = (world: World, line: Line, parts: Parts): Record<EventId, Invoke> => {
  let made: ReturnType<typeof adapterOf> | undefined;
  const adapter = () => {
    made ??= adapterOf(world, line, parts);
    return made;
  };
  const context = { getRemainingTimeInMillis: () => remainingMs };
  return {
    importFile: (event) => importFile(parts.runtime)(event as never),
    doDueFileWork: () => doDueFileWork(parts.runtime)(undefined, context),
    doDueWork: () => doDueWork(parts.runtime, () => {})(undefined, context),
    appendEvents: (event) => appendEvents(parts.runtime)(event as never),
    publishEvents: (event) =>
      publishEvents({ ...parts.runtime, bus: eventBusOf(world, line) })(event as never),
    deliverEvents: (event) =>
      deliverEvents({ deliverer: new Deliverer({ ...parts.runtime, receivers: world.receivers }) })(
        event as never,
        { getRemainingTimeInMillis: () => Number.POSITIVE_INFINITY },
        true,
      ),
    pumpCalls: () => pumpCalls({ adapter: adapter() })(undefined, context),
    connectResults: (event) => connectResults({ adapter: adapter() })(event as never),
  };
};

type Create = (runtime: Parts['runtime']) => never;
type JsonFunction = (event: unknown, context: object) => Promise<Reply>;
type FileFunction = (event: unknown, stream: PassThrough, context: object) => Promise<void>;

const functionOf = async ({ id, file }: Route, runtime: Parts['runtime']) => {
  const module = (await import(/* @vite-ignore */ `../../../functions/${file}.ts`)) as Record<string, Create>;
  return module[id]!(runtime);
};

/**
 * A process of the service in that world, called without a socket; its calls to AWS may go wrong.
 */
export class FaultProcess extends Api {
  readonly line: FaultLine;
  readonly #parts: Parts;
  readonly #as: NonNullable<Line['as']>;
  /** The functions that are no endpoints, by their ids. */
  readonly events: Record<EventId, Invoke>;

  /** @param own the SDK's own retries with their pauses, over another line */
  constructor(world: World, own?: Line, watch?: Watch) {
    super();
    offerResponseStreaming();
    this.line = new FaultLine();
    this.#parts =
      own === undefined
        ? runtimeOf(world, this.line, tableClient(world, this.line, watch), false)
        : runtimeOf(world, own, sdkClient(world, own), true);
    this.#as = own?.as?.bind(own) ?? ((_, run) => run());
    const events = eventsOf(world, own ?? this.line, this.#parts);
    this.events = Object.fromEntries(
      Object.entries(events).map(([id, invoke]) => [id, (event) => this.#as(id, () => invoke(event))]),
    ) as Record<EventId, Invoke>;
  }

  override get database(): Database {
    return this.#parts.database;
  }

  /** The answer as it comes: also a 500, which every other client of the tests refuses. */
  override async send({ method = 'GET', path, headers = {}, body = '' }: Send): Promise<Answer> {
    const url = new URL(path, 'http://service.local');
    const { route, params } = match(method, url.pathname);
    const bytes = Buffer.from(body);
    const isForm = (headers['content-type'] ?? '').startsWith('multipart/');
    const event = {
      resource: route.path,
      path: url.pathname,
      httpMethod: method,
      headers,
      queryStringParameters: Object.fromEntries(url.searchParams),
      pathParameters: params,
      body: bytes.length === 0 ? null : bytes.toString(isForm ? 'base64' : 'utf8'),
      isBase64Encoded: isForm,
      requestContext: { requestId: 'request-of-a-test', authorizer: { principalId: 'a-client' } },
    };
    const { runtime } = this.#parts;
    if ('file' in route.response) {
      const toFile: FileFunction = await functionOf(route, runtime);
      return this.#as(route.id, () => fileAnswer((stream) => toFile(event, stream, {})));
    }
    const endpoint: JsonFunction = await functionOf(route, runtime);
    return answerOf(
      await this.#as(route.id, () => endpoint(event, { storedAnswers: runtime.storedAnswers })),
    );
  }
}

type Reply = { statusCode: number; headers?: Record<string, unknown> | undefined; body: string };

const answerOf = ({ statusCode, headers = {}, body }: Reply): Answer => ({
  status: statusCode,
  headers: new Headers(headers as Record<string, string>),
  body: JSON.parse(body) as Envelope,
});

/** A file's answer, with its text instead of an envelope's data. */
const fileAnswer = async (invoke: (stream: PassThrough) => Promise<void>): Promise<Answer> => {
  let prelude = { statusCode: 0, headers: {} as Record<string, string> };
  const stream = Object.assign(new PassThrough(), {
    writeHead: (statusCode: number, headers: Record<string, string>) => {
      prelude = { statusCode, headers };
      return stream;
    },
  });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await invoke(stream);
  const text = Buffer.concat(chunks).toString();
  if (prelude.statusCode !== 200) return answerOf({ ...prelude, body: text });
  const body = { code: 0, message: 'success', data: { text } as never };
  return { status: 200, headers: new Headers(prelude.headers), body };
};

const busOf = ({ published }: World) => ({
  handle: async ({ body }: { body: string | Uint8Array }) => {
    const { Entries } = JSON.parse(Buffer.from(body as string).toString()) as { Entries: World['published'] };
    published.push(...Entries);
    const answer = { FailedEntryCount: 0, Entries: Entries.map((_, i) => ({ EventId: String(i) })) };
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    return { response: { statusCode: 200, headers, body: Buffer.from(JSON.stringify(answer)) } };
  },
});
