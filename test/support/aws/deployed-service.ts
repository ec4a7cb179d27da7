import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Bundles, bundleAll } from '../../../lib/bundling/bundling.ts';
import { deployedFunctions } from '../../../lib/deployed-functions.ts';
import { functionName } from '../../../lib/service-function.ts';
import { embeddedClient } from '../../../local/dynamodb/embedded-client.ts';
import { ensureTable } from '../../../local/dynamodb/ensure-table.ts';
import type { Route } from '../../../shared/platform/api/route.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { openEngine } from '../engines/engine-door.ts';
import { embeddedS3, type ObjectCreated } from '../s3/embedded-s3.ts';
import { BareLambda, type LambdaAnswer } from './bare-lambda.ts';
import { flowId, instanceId, openConnect, sourceNumber } from './connect-stand-in.ts';
import { dynamoDbFront } from './dynamodb-front.ts';
import { eventBusFront, type PutEvent } from './event-bus-front.ts';
import { RolePolicy, rolePolicies } from './iam.ts';
import { type Call, proxyEvent } from './proxy-event.ts';
import { queueFront } from './queue-front.ts';
import { s3Front } from './s3-front.ts';
import { functionOf } from './stack-parts.ts';
import { resourcesOf, type StackTemplate } from './synthesized-stack.ts';

const stage = 'prod';
const region = 'eu-west-1';
const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'test-secret' };
export const corsOrigin = 'https://console.example.com';
const tableName = 'outbound';
const bucket = 'contact-files';

/** What each function of the stack may do, by its id. */
export const rolesOf = (template: StackTemplate): Map<string, RolePolicy> => {
  const policies = rolePolicies(template);
  const named = resourcesOf(template, 'AWS::Lambda::Function');
  return new Map(
    deployedFunctions.flatMap(({ id }) => {
      const found = named.find(([, { Properties }]) => Properties.FunctionName === functionName(stage, id));
      return found === undefined ? [] : [[id, new RolePolicy(policies.get(found[0]) ?? [])] as const];
    }),
  );
};

const onlyId = (template: StackTemplate, type: string) => resourcesOf(template, type)[0]?.[0] ?? '';

/** The queue that has a queue for its dead letters. */
const deliveryQueueOf = (template: StackTemplate) =>
  resourcesOf(template, 'AWS::SQS::Queue').find(([, { Properties }]) => Properties.RedrivePolicy)?.[0] ?? '';

/**
 * The bundles as AWS would run them: each in a bare process with its deployed files only, calling
 * an engine that lets it do what its role in the template allows.
 */
export class DeployedService {
  readonly bundles: Bundles;
  readonly roles: ReadonlyMap<string, RolePolicy>;
  /** Objects that have arrived below imports/, as EventBridge would tell. */
  readonly arrived: ObjectCreated[] = [];
  /** What the event bus was given. */
  readonly published: PutEvent[] = [];
  /** Messages that ask for deliveries to webhooks. */
  readonly wakes: Parameters<typeof queueFront>[2] = [];
  readonly connect: Awaited<ReturnType<typeof openConnect>>;
  #table: Database | undefined;
  readonly #lambdas = new Map<string, BareLambda>();
  readonly #closing: (() => Promise<unknown>)[] = [];
  /**
   * What Lambda and the test give every function, and a value for each variable that the stack
   * sets.
   */
  #host: Record<string, string> = {};
  #variables: Record<string, string> = {};
  readonly #template: StackTemplate;

  private constructor(bundles: Bundles, template: StackTemplate, connect: DeployedService['connect']) {
    this.bundles = bundles;
    this.#template = template;
    this.roles = rolesOf(template);
    this.connect = connect;
  }

  static async start(template: StackTemplate): Promise<DeployedService> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'outbound-bundles-'));
    const service = new DeployedService(await bundleAll(folder), template, await openConnect());
    service.#closing.push(() => rm(folder, { recursive: true, force: true }));
    await service.#open(template);
    return service;
  }

  async #open(template: StackTemplate): Promise<void> {
    const roleOf = (name: string) => this.roles.get(name);
    const engine = await openEngine({ path: ':memory:' });
    const client = embeddedClient(engine);
    await ensureTable(client, tableName);
    this.#table = new Database(client, tableName);
    const s3 = embeddedS3(bucket, (event) => void this.arrived.push(event));
    const table = await dynamoDbFront(engine, roleOf, onlyId(template, 'AWS::DynamoDB::Table'));
    const files = await s3Front(s3, roleOf, onlyId(template, 'AWS::S3::Bucket'));
    const bus = await eventBusFront(roleOf, onlyId(template, 'AWS::Events::EventBus'), this.published);
    const queue = await queueFront(roleOf, deliveryQueueOf(template), this.wakes);
    this.#closing.unshift(this.connect.close, queue.close, bus.close, table.close, files.close, engine.close);
    this.#host = {
      AWS_REGION: region,
      AWS_LAMBDA_FUNCTION_NAME: 'a-function',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: table.url,
      AWS_ENDPOINT_URL_S3: files.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
      AWS_ENDPOINT_URL_SQS: queue.url,
      AWS_ENDPOINT_URL_CONNECT: this.connect.client.endpoint,
    };
    this.#variables = {
      STAGE: stage,
      CORS_ORIGIN: corsOrigin,
      CONNECT_INSTANCE_ID: instanceId,
      CONNECT_FLOW_ID: flowId,
      CONNECT_SOURCE_NUMBER: sourceNumber,
      EVENT_BUS_NAME: 'outbound-prod',
      DELIVERY_QUEUE_URL: `${queue.url}/deliveries`,
      TABLE_NAME: tableName,
      BUCKET_NAME: bucket,
      SERVICE_TIME_ZONE: 'UTC',
      // More than are made here: that calls are counted is what needs a role.
      MAX_CALLS_PER_NUMBER_PER_DAY: '100',
      KEEP_CALLS_DAYS: '400',
      MAX_CONCURRENT_CALLS: '1000',
    };
  }

  #lambda(id: string): BareLambda {
    const running = this.#lambdas.get(id);
    if (running !== undefined) return running;
    const folder = this.bundles.get(id)?.folder ?? '';
    // The fronts know a caller by its session token, as AWS knows it by its role's session.
    const environment = { ...this.#host, ...this.#environmentOf(id), AWS_SESSION_TOKEN: id };
    const started = new BareLambda(folder, environment);
    this.#lambdas.set(id, started);
    return started;
  }

  /** Only the variables that the template gives the function. */
  #environmentOf(id: string): Record<string, string> {
    const { Variables } = functionOf(this.#template, id)![1].Properties.Environment as {
      Variables: Record<string, unknown>;
    };
    return Object.fromEntries(Object.entries(this.#variables).filter(([name]) => name in Variables));
  }

  /** The table itself, past every role. */
  get table(): Database {
    return this.#table as Database;
  }

  /** The ids of the functions that ran. */
  get called(): string[] {
    return [...this.#lambdas.keys()];
  }

  invoke(id: string, event: unknown): Promise<LambdaAnswer> {
    return this.#lambda(id).invoke(event);
  }

  /** What the function wrote to its log, a line each. */
  logOf(id: string): string[] {
    return this.#lambda(id).log.join('').split('\n');
  }

  async answerTo(route: Route, call: Call = {}): Promise<LambdaAnswer> {
    return this.invoke(route.id, proxyEvent(route, call));
  }

  /** The data of a successful answer; anything else fails with what the function had to say. */
  async call<T = Record<string, unknown>>(route: Route, call: Call = {}): Promise<T> {
    const { statusCode, body } = await this.answerTo(route, call);
    if (statusCode !== 200) {
      const refused = JSON.stringify(this.roles.get(route.id)?.refused);
      throw new Error(
        `${route.id} answered ${statusCode} ${body}; refused: ${refused}; ${this.logOf(route.id).slice(-3).join(' ')}`,
      );
    }
    return (JSON.parse(body) as { data: T }).data;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lambdas.values()].map((lambda) => lambda.close()));
    for (const close of this.#closing) await close();
  }
}
