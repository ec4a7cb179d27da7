import { Aws, type CfnElement, CfnOutput, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { allRoutes } from '../shared/app/all-routes.ts';
import { eventFunctions, type Trigger } from '../shared/app/event-functions.ts';
import { authorizeRequest, consolePage, refuseMethod } from '../shared/app/gateway-functions.ts';
import type { Access } from '../shared/platform/api/route.ts';
import { type Variable, variablesFor } from '../shared/platform/settings/settings.ts';
import { concurrencyOf, reservedConcurrency } from './concurrency.ts';
import { addCopies } from './copies.ts';
import { checkingFormat, type DeployedFunction } from './deployed-functions.ts';
import { Api } from './gateway/api.ts';
import { keyStatements, statementsFor } from './grants.ts';
import { Identity } from './identity.ts';
import { functionLogOf } from './log-groups.ts';
import { Operations } from './monitoring/operations.ts';
import { ServiceFunction } from './service-function.ts';
import type { StackSettings } from './settings/settings.ts';
import { Storage } from './storage.ts';
import { Triggers } from './triggers.ts';

export type OutboundStackProps = StackProps & {
  settings: StackSettings;
  /** The folder that holds a function's bundle, by the function's id. */
  codeOf: (id: string) => string;
};

/** For a stage without a domain of its own. */
const addressMayChange =
  'The update from 0.4 changes this address, and so does going back. Only a domain of its own (domainName) keeps it';

const allowed = (actions: string[], resource: string) =>
  new PolicyStatement({ actions, resources: [resource] });

/** The whole service in one stack. It is deployed, and in a dev stage deleted, in one step. */
export class OutboundStack extends Stack {
  readonly #props: OutboundStackProps;
  readonly #storage: Storage;
  readonly #bus: EventBus;
  readonly #log: LogGroup;
  readonly #triggers: Triggers;
  readonly #functions = new Map<string, LambdaFunction>();
  readonly #reserved: ReturnType<typeof reservedConcurrency>;
  /** A value for every variable that a function may read. `undefined`: its default is used. */
  readonly #variables: Readonly<Record<Variable, string | undefined>>;

  constructor(scope: Construct, id: string, props: OutboundStackProps) {
    const { environment, disposable } = props.settings;
    super(scope, id, {
      ...props,
      // Indentation would be a third of the template. CloudFormation takes 1 MB.
      suppressTemplateIndentation: true,
      ...(environment === undefined ? {} : { env: environment }),
      terminationProtection: !disposable,
    });
    this.#props = props;
    const { settings } = props;
    this.#reserved = reservedConcurrency(settings);
    // The bucket and the user pool need the API's address, but are created before the API.
    const origin = Lazy.string({ produce: () => api.origin });
    const consoleUrl = Lazy.string({ produce: () => api.consoleUrl });
    this.#storage = new Storage(this, 'Storage', settings, origin);
    this.#bus = new EventBus(this, 'Events', { eventBusName: `outbound-${settings.stage}` });
    this.#log = functionLogOf(this, settings, this.#storage.key);
    addCopies(this, settings, this.#storage);
    this.#triggers = this.#newTriggers();
    const identity =
      settings.tokens === undefined ? new Identity(this, 'Identity', settings, consoleUrl) : undefined;
    this.#variables = this.#variablesOf(identity);
    this.#addEventFunctions();
    for (const route of allRoutes) this.#addFunction(route);
    this.#addFunction(authorizeRequest);
    this.#addFunction(consolePage);
    this.#addFunction(refuseMethod);
    const api = new Api(this, 'Api', {
      settings,
      key: this.#storage.key,
      functions: [...this.#functions.values()],
    });
    const operations = new Operations(this, 'Operations', {
      settings,
      api: api.restApi,
      functions: this.#functions,
      table: this.#storage.table,
      deadLetters: this.#triggers.deadLetters,
      log: this.#log,
      accessLog: api.accessLog,
    });
    this.#output('ApiUrl', api.url, settings.domain === undefined ? addressMayChange : undefined);
    this.#output('ConsoleUrl', api.consoleUrl);
    this.#output('BucketName', this.#storage.bucket.bucketName);
    this.#output('TableName', this.#storage.table.tableName);
    this.#output('EventBusName', this.#bus.eventBusName);
    this.#output('DashboardUrl', operations.dashboardUrl);
    this.#output('AlarmTopicArn', operations.alarmTopicArn);
    this.#output('TomorrowTopicArn', operations.tomorrowTopicArn);
    this.#output('DeadLetterQueueUrl', this.#triggers.deadLetters.queueUrl);
    this.#output('LogGroupName', this.#log.logGroupName);
    if (identity === undefined) return;
    this.#output('TokenUrl', identity.tokenUrl);
    this.#output('UserPoolId', identity.userPool.userPoolId);
    for (const [name, { userPoolClientId }] of identity.clients) this.#output(`${name}Id`, userPoolClientId);
  }

  #newTriggers(): Triggers {
    const { connect } = this.#props.settings;
    return new Triggers(this, 'Triggers', {
      bucketName: this.#storage.bucket.bucketName,
      streamArn: this.#storage.table.tableStreamArn as string,
      key: this.#storage.key,
      connectInstanceArn: connect && this.#connectArn(connect.instanceId),
    });
  }

  #addEventFunctions(): void {
    const { connect } = this.#props.settings;
    for (const deployed of eventFunctions) {
      if (deployed.needsConnect && connect === undefined) continue;
      this.#triggers.connect(deployed.id, deployed.trigger, this.#addFunction(deployed, deployed.trigger));
    }
  }

  /** @param trigger undefined for an endpoint */
  #addFunction(declared: DeployedFunction, trigger?: Trigger): LambdaFunction {
    const { settings, codeOf } = this.#props;
    const deployed = checkingFormat(declared);
    const { function: added } = new ServiceFunction(this, {
      deployed,
      settings,
      code: codeOf(deployed.id),
      environment: this.#environment(deployed.access),
      log: this.#log,
      isTraced: trigger === undefined,
      statements: [
        ...this.#statements(deployed.access),
        ...(trigger === undefined ? [] : this.#triggers.statementsFor(trigger)),
        ...keyStatements(deployed.access, trigger, this.#storage.key),
      ],
      wildcards: this.#wildcards(deployed.access),
      concurrency: concurrencyOf(deployed, this.#reserved),
    });
    this.#functions.set(deployed.id, added);
    return added;
  }

  #statements(access: Access): PolicyStatement[] {
    const { table, indexArn, bucket } = this.#storage;
    const { connect } = this.#props.settings;
    const shared = { tableArn: table.tableArn, indexArn, bucketArn: bucket.bucketArn };
    const statements = statementsFor(access, shared);
    if (access.eventBus) statements.push(allowed(['events:PutEvents'], this.#bus.eventBusArn));
    if (access.deliveryQueue)
      statements.push(allowed(['sqs:SendMessage'], this.#triggers.deliveries.queueArn));
    if (access.connect && connect) {
      const actions = access.connect.map((action) => `connect:${action}`);
      statements.push(allowed(actions, `${this.#connectArn(connect.instanceId)}/contact/*`));
    }
    return statements;
  }

  #wildcards(access: Access): Record<string, string> {
    const bucket = this.getLogicalId(this.#storage.bucket.node.defaultChild as CfnElement);
    const instance = this.#props.settings.connect?.instanceId;
    const prefixes = (access.bucket ?? []).map(({ prefix }) => [`<${bucket}.Arn>/${prefix}*`, 'Its objects']);
    const calls = `arn:<AWS::Partition>:connect:<AWS::Region>:<AWS::AccountId>:instance/${instance}/contact/*`;
    return {
      ...Object.fromEntries(prefixes),
      ...(access.connect ? { [calls]: 'Calls, whose ids Connect gives out' } : {}),
    };
  }

  /** The variables that a function reads, by what it declares to use. */
  #environment(access: Access): Partial<Record<Variable, string>> {
    const given = variablesFor(access).filter((name) => this.#variables[name] !== undefined);
    return Object.fromEntries(given.map((name) => [name, this.#variables[name]]));
  }

  #variablesOf(identity: Identity | undefined): Record<Variable, string | undefined> {
    const { settings } = this.#props;
    const { tokens, connect } = settings;
    const clients = identity && [...identity.clients.values()].map((each) => each.userPoolClientId);
    const audiences = clients === undefined ? tokens?.audiences : [...clients, ...settings.otherClients];
    return {
      SERVICE_TIME_ZONE: settings.timeZone,
      SERVICE_COUNTRY: settings.country,
      MAX_CALLS_PER_NUMBER_PER_DAY: String(settings.maxCallsPerNumberPerDay),
      CALL_LIMITS: settings.callLimits,
      REST_AFTER_SUCCESS: String(settings.restAfterSuccess),
      CALLING_HOURS: settings.callingHours,
      MAX_CONCURRENT_CALLS: String(settings.maxConcurrentCalls),
      KEEP_CALLS_DAYS: String(settings.keepCallsDays),
      IMPORT_MAX_ROWS: String(settings.importMaxRows),
      CORS_ORIGIN: settings.corsOrigin,
      STAGE: settings.stage,
      TABLE_NAME: this.#storage.table.tableName,
      BUCKET_NAME: this.#storage.bucket.bucketName,
      EVENT_BUS_NAME: this.#bus.eventBusName,
      DELIVERY_QUEUE_URL: this.#triggers.deliveries.queueUrl,
      TOKEN_ISSUER: identity?.issuer ?? tokens?.issuer,
      TOKEN_AUDIENCES: audiences?.join(','),
      TOKEN_JWKS_URI: tokens?.jwksUri,
      SIGN_IN_URL: identity?.signInUrl,
      SIGN_IN_CLIENT_ID: identity?.consoleClient.userPoolClientId,
      UPLOAD_ORIGIN: `https://${this.#storage.bucket.bucketRegionalDomainName}`,
      CONNECT_INSTANCE_ID: connect?.instanceId,
      CONNECT_FLOW_ID: connect?.flowId,
      CONNECT_SOURCE_NUMBER: connect?.sourceNumber,
      CONNECT_CONCURRENCY: connect && String(connect.concurrency),
      CONNECT_NUMBER_PREFIX: connect?.numberPrefix,
      CONNECT_MACHINE_DETECTION: connect?.machineDetection ? 'on' : undefined,
    };
  }

  #connectArn(instanceId: string): string {
    return `arn:${Aws.PARTITION}:connect:${Aws.REGION}:${Aws.ACCOUNT_ID}:instance/${instanceId}`;
  }

  #output(name: string, value: string, description?: string): void {
    new CfnOutput(this, name, { value, ...(description === undefined ? {} : { description }) });
  }
}
