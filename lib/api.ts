import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
  SecurityPolicy,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { allRoutes } from '../shared/api/all-routes.ts';
import type { Route } from '../shared/api/route.ts';
import { explain } from './explain.ts';
import { addMethodNotAllowed, addNotFound, addPreflight } from './fallbacks.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { StackSettings } from './settings.ts';

export type ApiProps = {
  settings: StackSettings;
  /** Each route's function, by the route's id. */
  functionOf: (id: string) => IFunction;
  authorizer: IFunction;
};

/** As the authorizer reads the header; anything else is refused before it is called. */
export const bearerForm = '^[Bb][Ee][Aa][Rr][Ee][Rr] +[^ ]+ *$';

const accessLine = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  client: '$context.authorizer.principalId',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
};

const isStreamed = (route: Route) => 'file' in route.response;

/** The REST API, made from the route table. */
export class Api extends Construct {
  readonly restApi: RestApi;
  readonly url: string;
  readonly #settings: StackSettings;

  constructor(scope: Construct, id: string, { settings, functionOf, authorizer }: ApiProps) {
    super(scope, id);
    this.#settings = settings;
    this.restApi = this.#restApi();
    this.#addRoutes(functionOf, authorizer);
    this.#addFallbacks();
    addGatewayResponses(this.restApi, settings.corsOrigin);
    this.url = this.#ownDomain() ?? this.#stageUrl();
  }

  #restApi(): RestApi {
    const { stage, disposable, throttling, gatewayLogRole } = this.#settings;
    const removalPolicy = disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
    const retention = disposable ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS;
    const accessLog = new LogGroup(this, 'AccessLog', { retention, removalPolicy });
    const api = new RestApi(this, 'RestApi', {
      restApiName: `outbound-${stage}`,
      description: 'Outbound-call tasks and their contacts',
      endpointTypes: [EndpointType.REGIONAL],
      // Uploads must arrive byte for byte; everything else is text.
      binaryMediaTypes: ['multipart/form-data'],
      cloudWatchRole: gatewayLogRole === 'create',
      cloudWatchRoleRemovalPolicy: removalPolicy,
      deployOptions: {
        stageName: stage,
        tracingEnabled: true,
        throttlingRateLimit: throttling.rate,
        throttlingBurstLimit: throttling.burst,
        loggingLevel: MethodLoggingLevel.ERROR,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLine)),
      },
    });
    // The name API Gateway writes errors to: made by itself, the group would keep them for ever.
    const errorLog = new LogGroup(this, 'ErrorLog', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stage}`,
      retention,
      removalPolicy,
    });
    api.deploymentStage.node.addDependency(errorLog);
    explain(api, {
      'AwsSolutions-APIG2': 'The functions check requests against the same schemas, with answers of our own',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The policy AWS provides for just this role: writing API Gateway’s logs',
    });
    explain(api.deploymentStage, {
      'AwsSolutions-APIG3': 'Requests need a token and are throttled; a web ACL is the operator’s choice',
    });
    return api;
  }

  #addRoutes(functionOf: ApiProps['functionOf'], handler: IFunction): void {
    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler,
      validationRegex: bearerForm,
      resultsCacheTtl: Duration.minutes(5),
    });
    for (const route of allRoutes) {
      const method = this.restApi.root
        .resourceForPath(route.path)
        .addMethod(route.method, this.#integration(route, functionOf(route.id)), { authorizer });
      explain(method, {
        'AwsSolutions-COG4': 'The authorizer function checks tokens of any issuer, Cognito’s included',
      });
    }
  }

  #integration(route: Route, handler: IFunction): LambdaIntegration {
    return new LambdaIntegration(handler, {
      allowTestInvoke: false,
      timeout: Duration.seconds(route.timeout),
      ...(isStreamed(route) ? { responseTransferMode: ResponseTransferMode.STREAM } : {}),
    });
  }

  /** Known paths refuse other methods, all other paths are not found; none of this needs a token. */
  #addFallbacks(): void {
    const { corsOrigin } = this.#settings;
    const visit = (resource: IResource) => {
      const methods = allRoutes.filter(({ path }) => path === resource.path).map(({ method }) => method);
      if (methods.length === 0) addNotFound(resource, corsOrigin);
      else addMethodNotAllowed(resource, methods, corsOrigin);
      if (methods.length > 0 && corsOrigin !== undefined) addPreflight(resource, methods, corsOrigin);
    };
    const paths = new Set(allRoutes.flatMap(({ path }) => prefixesOf(path)));
    for (const path of [...paths].sort()) visit(this.restApi.root.resourceForPath(path));
    visit(this.restApi.root);
    visit(this.restApi.root.addResource('{proxy+}'));
  }

  #stageUrl(): string {
    const host = `${this.restApi.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    return `https://${host}/${this.#settings.stage}`;
  }

  #ownDomain(): string | undefined {
    const { domain } = this.#settings;
    if (domain === undefined) return undefined;
    this.restApi.addDomainName('Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    return `https://${domain.name}`;
  }
}

/** `/a/b/c` as `/a`, `/a/b`, `/a/b/c`. */
const prefixesOf = (path: string): string[] => {
  const segments = path.split('/').slice(1);
  return segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}`);
};
