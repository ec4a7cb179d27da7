import { createHash } from 'node:crypto';
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AuthorizationType,
  AwsIntegration,
  EndpointType,
  ResponseTransferMode,
  RestApi,
  SecurityPolicy,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { consolePage } from '../../shared/api/console-function.ts';
import { scopesOfGroups } from '../../shared/api/people.ts';
import type { Route } from '../../shared/api/route.ts';
import { acceptFindings } from '../accepted-findings.ts';
import { isStreamed } from '../deployed-functions.ts';
import type { StackSettings } from '../settings/settings.ts';
import { addMethodNotAllowed, addNotFound } from './constant-answers.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { accessLogOf, keepErrorLog, loggingOptions, throttleOptions } from './stage-options.ts';

export type ApiProps = {
  settings: StackSettings;
  /** Each route's function, by the route's id. */
  functionOf: (id: string) => IFunction;
  authorizer: IFunction;
};

/** Of the requests. */
const tracedShare = 0.05;

const jwtPart = '[A-Za-z0-9_-]+';

/** API Gateway itself refuses a token that does not look like a JWT. The authorizer is not called for it. */
export const bearerPattern = `^[Bb][Ee][Aa][Rr][Ee][Rr] +${jwtPart}\\.${jwtPart}\\.${jwtPart} *$`;

/**
 * API Gateway keeps the authorizer's answers, which list the permitted routes, for five minutes. When the routes or their
 * scopes change, the authorizer is another one, so that tokens in use reach new routes at once.
 */
export const permissionsHash = (
  routes: readonly Pick<Route, 'method' | 'path' | 'scope'>[],
  groups: object,
): string => {
  const permissions = routes.map(({ method, path, scope }) => `${method} ${path} ${scope}`).sort();
  return createHash('sha256')
    .update(JSON.stringify([permissions, groups]))
    .digest('hex')
    .slice(0, 8);
};

/** The REST API, made from the route table. */
export class Api extends Construct {
  readonly restApi: RestApi;
  readonly url: string;
  /** The origin of the API and of the console. */
  readonly origin: string;
  /** Undefined if API Gateway writes none. */
  readonly accessLog: LogGroup | undefined;
  readonly #settings: StackSettings;
  readonly #invoker: Role;

  constructor(scope: Construct, id: string, { settings, functionOf, authorizer }: ApiProps) {
    super(scope, id);
    this.#settings = settings;
    this.accessLog = accessLogOf(this, settings);
    this.restApi = this.#restApi();
    this.#invoker = this.#invokerOf([...allRoutes, consolePage].map(({ id }) => functionOf(id)));
    this.#addRoutes(functionOf, authorizer);
    this.#addConsole(functionOf(consolePage.id));
    this.#addConstantAnswers();
    addGatewayResponses(this.restApi, settings.corsOrigin);
    const ownDomain = this.#ownDomain();
    this.origin = ownDomain ?? `https://${this.#gatewayHost()}`;
    this.url = ownDomain ?? `${this.origin}/${settings.stage}`;
  }

  /** One role with which API Gateway calls the functions, instead of a permission at each of them. */
  #invokerOf(functions: readonly IFunction[]): Role {
    const invoke = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: functions.map(({ functionArn }) => functionArn),
    });
    return new Role(this, 'Invoker', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements: [invoke] }) },
    });
  }

  #restApi(): RestApi {
    const { stage, domain, gatewayLogRole } = this.#settings;
    const api = new RestApi(this, 'RestApi', {
      restApiName: `outbound-${stage}`,
      description: 'Outbound-call tasks and their contacts',
      endpointTypes: [EndpointType.REGIONAL],
      // With a domain of our own, the default address is closed: it would bypass what protects the domain.
      disableExecuteApiEndpoint: domain !== undefined,
      // Uploads must arrive byte for byte; everything else is text.
      binaryMediaTypes: ['multipart/form-data'],
      // The role serves all APIs of the account and region: it stays when this stack is deleted.
      ...(gatewayLogRole === 'create'
        ? { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }
        : { cloudWatchRole: false }),
      deployOptions: {
        stageName: stage,
        tracingEnabled: true,
        ...throttleOptions(this.#settings),
        ...loggingOptions(this.accessLog),
      },
    });
    if (this.accessLog !== undefined) keepErrorLog(this, api, this.#settings);
    acceptFindings(api, {
      'AwsSolutions-APIG2': 'The functions check requests against the same schemas, with answers of our own',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The policy AWS provides for just this role: writing API Gateway’s logs',
    });
    this.#sampleTraces();
    this.#guard(api);
    return api;
  }

  /** By default X-Ray records a request in each second, which costs more than the functions. */
  #sampleTraces(): void {
    const { stage } = this.#settings;
    new CfnSamplingRule(this, 'Sampling', {
      samplingRule: {
        ruleName: `outbound-${stage}`,
        version: 1,
        priority: 1000,
        fixedRate: tracedShare,
        reservoirSize: 0,
        serviceName: `outbound-${stage}/${stage}`,
        serviceType: 'AWS::ApiGateway::Stage',
        host: '*',
        httpMethod: '*',
        urlPath: '*',
        resourceArn: '*',
      },
    });
  }

  #guard({ deploymentStage }: RestApi): void {
    const { webAclArn } = this.#settings;
    if (webAclArn !== undefined) {
      new CfnWebACLAssociation(this, 'WebAcl', { webAclArn, resourceArn: deploymentStage.stageArn });
    }
    acceptFindings(deploymentStage, {
      ...(webAclArn === undefined
        ? {
            'AwsSolutions-APIG3':
              'Requests need a token and are throttled; a web ACL is the operator’s choice',
          }
        : {}),
      ...(this.accessLog === undefined
        ? {
            'AwsSolutions-APIG1': 'A dev stage must not depend on the account’s role for API Gateway’s logs',
            'AwsSolutions-APIG6': 'A dev stage must not depend on the account’s role for API Gateway’s logs',
          }
        : {}),
    });
  }

  #addRoutes(functionOf: ApiProps['functionOf'], handler: IFunction): void {
    const authorizer = new TokenAuthorizer(this, `Authorizer${permissionsHash(allRoutes, scopesOfGroups)}`, {
      handler,
      validationRegex: bearerPattern,
      resultsCacheTtl: Duration.minutes(5),
    });
    for (const route of allRoutes) {
      const method = this.restApi.root
        .resourceForPath(route.path)
        .addMethod(route.method, this.#integration(functionOf(route.id), route.timeout, isStreamed(route)), {
          authorizer,
        });
      acceptFindings(method, {
        'AwsSolutions-COG4': 'The authorizer function checks tokens of any issuer, Cognito’s included',
      });
    }
  }

  /** The page loads without a token. Its requests to the routes need a token. */
  #addConsole(handler: IFunction): void {
    const integration = this.#integration(handler, consolePage.timeout, true);
    const reason = 'A page that holds no data; what it asks the API for needs a token';
    for (const path of consolePage.paths) {
      const resource = this.restApi.root.resourceForPath(path);
      const method = resource.addMethod('GET', integration, { authorizationType: AuthorizationType.NONE });
      acceptFindings(method, { 'AwsSolutions-APIG4': reason, 'AwsSolutions-COG4': reason });
      addMethodNotAllowed(resource, ['GET'], this.#settings.corsOrigin);
    }
  }

  /** Names the function by its address: CDK's own integration for functions adds a permission at each function. */
  #integration(handler: IFunction, timeout: number, streamed: boolean): AwsIntegration {
    const [version, call] = streamed
      ? ['2021-11-15', 'response-streaming-invocations']
      : ['2015-03-31', 'invocations'];
    return new AwsIntegration({
      proxy: true,
      service: 'lambda',
      path: `${version}/functions/${handler.functionArn}/${call}`,
      options: {
        credentialsRole: this.#invoker,
        timeout: Duration.seconds(timeout),
        ...(streamed ? { responseTransferMode: ResponseTransferMode.STREAM } : {}),
      },
    });
  }

  /**
   * Known paths refuse other methods, and other paths are not found. These answers need no token. A path that is only
   * part of longer paths (`/api/task`) has no method: API Gateway's own answer for it is a 404 as well.
   */
  #addConstantAnswers(): void {
    const { corsOrigin } = this.#settings;
    const { root } = this.restApi;
    for (const path of new Set(allRoutes.map((route) => route.path))) {
      const methods = allRoutes.filter((route) => route.path === path).map(({ method }) => method);
      addMethodNotAllowed(root.resourceForPath(path), methods, corsOrigin);
    }
    addNotFound(root, corsOrigin);
    addNotFound(root.addResource('{proxy+}'), corsOrigin);
  }

  #gatewayHost(): string {
    return `${this.restApi.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  get consoleUrl(): string {
    return `${this.url}/console`;
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
