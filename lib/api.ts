import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AuthorizationType,
  EndpointType,
  type IResource,
  LambdaIntegration,
  ResponseTransferMode,
  RestApi,
  SecurityPolicy,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { allRoutes } from '../shared/api/all-routes.ts';
import { consolePage } from '../shared/api/console-function.ts';
import type { Route } from '../shared/api/route.ts';
import { acceptFindings } from './accepted-findings.ts';
import { addMethodNotAllowed, addNotFound, addPreflight } from './constant-answers.ts';
import { accessLogOf, keepErrorLog, loggingOptions } from './gateway-logs.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { isStreamed } from './route-class.ts';
import type { StackSettings } from './settings/settings.ts';
import { throttleOptions } from './throttles.ts';

export type ApiProps = {
  settings: StackSettings;
  /** Each route's function, by the route's id. */
  functionOf: (id: string) => IFunction;
  authorizer: IFunction;
};

const jwtPart = '[A-Za-z0-9_-]+';

/** What has not the form of a JWT is refused by API Gateway itself: the authorizer is never called for it. */
export const bearerForm = `^[Bb][Ee][Aa][Rr][Ee][Rr] +${jwtPart}\\.${jwtPart}\\.${jwtPart} *$`;

/** The REST API, made from the route table. */
export class Api extends Construct {
  readonly restApi: RestApi;
  readonly url: string;
  /** Of the API and of the console. */
  readonly origin: string;
  /** Undefined where API Gateway writes none. */
  readonly accessLog: LogGroup | undefined;
  readonly #settings: StackSettings;

  constructor(scope: Construct, id: string, { settings, functionOf, authorizer }: ApiProps) {
    super(scope, id);
    this.#settings = settings;
    this.accessLog = accessLogOf(this, settings);
    this.restApi = this.#restApi();
    this.#addRoutes(functionOf, authorizer);
    this.#addConsole(functionOf(consolePage.id));
    this.#addConstantAnswers();
    addGatewayResponses(this.restApi, settings.corsOrigin);
    const ownDomain = this.#ownDomain();
    this.origin = ownDomain ?? `https://${this.#gatewayHost()}`;
    this.url = ownDomain ?? `${this.origin}/${settings.stage}`;
  }

  #restApi(): RestApi {
    const { stage, domain, gatewayLogRole } = this.#settings;
    const api = new RestApi(this, 'RestApi', {
      restApiName: `outbound-${stage}`,
      description: 'Outbound-call tasks and their contacts',
      endpointTypes: [EndpointType.REGIONAL],
      // A domain of our own is the only door then: what guards it cannot be walked round.
      disableExecuteApiEndpoint: domain !== undefined,
      // Uploads must arrive byte for byte; everything else is text.
      binaryMediaTypes: ['multipart/form-data'],
      // One for all APIs of the account and region: it stays for the others when this stack goes.
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
    this.#guard(api);
    return api;
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
    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler,
      validationRegex: bearerForm,
      resultsCacheTtl: Duration.minutes(5),
    });
    for (const route of allRoutes) {
      const method = this.restApi.root
        .resourceForPath(route.path)
        .addMethod(route.method, this.#integration(route, functionOf(route.id)), { authorizer });
      acceptFindings(method, {
        'AwsSolutions-COG4': 'The authorizer function checks tokens of any issuer, Cognito’s included',
      });
    }
  }

  /** The page is for everybody to load; only its requests to the routes need a token. */
  #addConsole(handler: IFunction): void {
    const integration = new LambdaIntegration(handler, {
      allowTestInvoke: false,
      timeout: Duration.seconds(consolePage.timeout),
      responseTransferMode: ResponseTransferMode.STREAM,
    });
    const reason = 'A page that holds no data; what it asks the API for needs a token';
    for (const path of consolePage.paths) {
      const resource = this.restApi.root.resourceForPath(path);
      const method = resource.addMethod('GET', integration, { authorizationType: AuthorizationType.NONE });
      acceptFindings(method, { 'AwsSolutions-APIG4': reason, 'AwsSolutions-COG4': reason });
      addMethodNotAllowed(resource, ['GET'], this.#settings.corsOrigin);
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
  #addConstantAnswers(): void {
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

/** `/a/b/c` as `/a`, `/a/b`, `/a/b/c`. */
const prefixesOf = (path: string): string[] => {
  const segments = path.split('/').slice(1);
  return segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}`);
};
