import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { embeddedClient } from '../../../local/dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from '../../../local/dynamodb/embedded-dynamodb.ts';
import { ensureTable } from '../../../local/dynamodb/ensure-table.ts';
import { loadFunctions } from '../../../local/gateway/functions.ts';
import { match } from '../../../local/gateway/router.ts';
import { createFileRuntime } from '../../../shared/runtime/files.ts';
import { serviceSettings } from '../../../shared/settings/environment.ts';
import { s3Client } from '../../../shared/store/objects/s3-client.ts';
import { S3Objects } from '../../../shared/store/objects/s3-objects.ts';
import { Database } from '../../../shared/store/table/database.ts';
import { openEmbeddedS3 } from '../s3/embedded-s3.ts';
import type { Answer, Envelope } from './answers.ts';
import { Api } from './api.ts';

const tableName = 'outbound';
const bucket = 'outbound';
const region = 'us-east-1';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };

type Stored = Record<'pk' | 'sk', { S: string }>;
const keyOf = ({ pk, sk }: Stored) => `${pk.S} ${sk.S}`;
const writtenAtOnce = 25;

/** What outlives a process: a table and a bucket, and the time of day, which stands still. */
export const openWorld = async (
  environment: Record<string, string> = {},
  contents: readonly Stored[] = [],
) => {
  const items = new Map<string, Stored>();
  const engine = await openEmbeddedDynamoDb({
    path: ':memory:',
    onWritten: (changes) => {
      for (const { before, after } of changes) {
        if (after === undefined) items.delete(keyOf(before as Stored));
        else items.set(keyOf(after as Stored), after as Stored);
      }
    },
  });
  const s3 = await openEmbeddedS3({ bucket, region, credentials });
  const client = embeddedClient(engine);
  await ensureTable(client, tableName);
  for (let at = 0; at < contents.length; at += writtenAtOnce) {
    const puts = contents.slice(at, at + writtenAtOnce).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: puts } }));
  }
  const close = () => Promise.all([engine.close(), s3.close()]);
  const now = () => Date.parse('2026-05-01T12:00:00Z');
  return { engine, s3, items, close, now, settings: serviceSettings(environment) };
};
type World = Awaited<ReturnType<typeof openWorld>>;

type Request = { method: string; headers: Record<string, string> };
type Handler = { handle: (request: Request, ...rest: never[]) => Promise<unknown> };
const never = () => new Promise<never>(() => {});

/** Reads change nothing: a process that ends at one leaves what the write before it has left. */
const isWrite = ({ method, headers }: Request) => {
  const operation = headers['x-amz-target']?.split('.')[1];
  return operation === undefined ? method !== 'GET' && method !== 'HEAD' : !/Get|Query/.test(operation);
};

/** The lines of one process to its table and its bucket; after write `last` nothing is answered any more. */
class Lines {
  writes = 0;
  last = Number.POSITIVE_INFINITY;
  end: () => void = () => {};
  readonly ended = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  wrap<H>(handler: H): H {
    const handle = async (request: Request, ...rest: never[]) => {
      if (this.writes <= this.last && isWrite(request)) this.writes++;
      if (this.writes <= this.last) return (handler as Handler).handle(request, ...rest);
      this.end();
      return never();
    };
    return Object.assign(Object.create(handler as object), { handle }) as H;
  }
}

type Send = Parameters<Api['send']>[0];

/** The service in a process of its own, as far as its table and bucket can tell; called without a socket. */
export class MortalService extends Api {
  readonly #lines: Lines;
  readonly #database: Database;
  readonly #functions: Awaited<ReturnType<typeof loadFunctions>>;

  private constructor(lines: Lines, database: Database, functions: never) {
    super();
    this.#lines = lines;
    this.#database = database;
    this.#functions = functions;
  }

  static async start({ engine, s3, now, settings }: World): Promise<MortalService> {
    const lines = new Lines();
    const requestHandler = lines.wrap(engine.requestHandler);
    const database = new Database(embeddedClient({ ...engine, requestHandler }), tableName);
    const endpoint = 'http://bucket.local';
    const files = s3Client({
      ...{ region, endpoint, credentials, forcePathStyle: true },
      requestHandler: lines.wrap(s3.requestHandler),
    });
    const objects = async () => new S3Objects(files, bucket);
    // Whoever starts knows that the one before has ended.
    const runtime = createFileRuntime({ ...settings, now, isSole: true }, { database, objects });
    return new MortalService(lines, database, (await loadFunctions(runtime)) as never);
  }

  override get database(): Database {
    return this.#database;
  }

  /** Ends the process when it is about to write once more than that, unless the job is done by then. */
  async dyingAfter(writes: number, job: () => Promise<unknown>): Promise<void> {
    this.#lines.last = this.#lines.writes + writes;
    await Promise.race([job(), this.#lines.ended]);
  }

  async writesOf(job: () => Promise<unknown>): Promise<number> {
    const before = this.#lines.writes;
    await job();
    return this.#lines.writes - before;
  }

  override async send({ method = 'GET', path, headers = {}, body = '' }: Send): Promise<Answer> {
    const url = new URL(path, 'http://service.local');
    const { route, params } = match(method, url.pathname);
    const bytes = Buffer.from(body as string);
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
    const answer = await this.#functions.json.get(route.id)!(event as never, {} as never);
    return {
      status: answer.statusCode,
      headers: new Headers(answer.headers as Record<string, string>),
      body: JSON.parse(answer.body) as Envelope,
    };
  }
}
