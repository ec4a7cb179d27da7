import { Aws, type CfnResource, Fn, RemovalPolicy } from 'aws-cdk-lib';
import {
  ApiDefinition,
  DomainName,
  EndpointType,
  RestApiMode,
  SecurityPolicy,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import { allRoutes } from '../../shared/app/all-routes.ts';
import { authorizeRequest, consolePage, refuseMethod } from '../../shared/app/gateway-functions.ts';
import { tags } from '../../shared/platform/api/route.ts';
import { acceptFindings } from '../accepted-findings.ts';
import { functionArn } from '../service-function.ts';
import type { StackSettings } from '../settings/settings.ts';
import { apiDescription, apiName, type DefinitionParts, definitionOf } from './definition.ts';
import { firewallOf } from './firewall.ts';
import { accessLogOf, keepErrorLog, loggingOptions, throttleOptions } from './stage-options.ts';

export type ApiProps = {
  settings: StackSettings;
  /** The key of the logs. Undefined: keys of AWS. */
  key: IKey | undefined;
  /** All functions that the definition names. */
  functions: readonly IFunction[];
};

/** The share of requests that are traced. */
const tracedShare = 0.05;

/** The ids of the functions that API Gateway calls. The routes of each chapter are a group. */
const calledGroups = (): Record<string, readonly string[]> => ({
  ...Object.fromEntries(
    Object.keys(tags).map((tag) => [tag, allRoutes.filter((route) => route.tag === tag).map(({ id }) => id)]),
  ),
  Doors: [authorizeRequest.id, consolePage.id, refuseMethod.id],
});

/**
 * The REST API: one resource, with a definition that is made from the route table
 * (docs/adr/0013-room-in-the-stack.md).
 *
 * The definition names functions by their fixed names. Without a domain of its own, the API exists
 * before the functions: they need to know where people sign in, and the sign-in needs the API's
 * address. Only the deployment waits for the functions.
 */
export class Api extends Construct {
  readonly restApi: SpecRestApi;
  readonly url: string;
  /** The origin of the API and of the console. */
  readonly origin: string;
  /** Undefined if API Gateway writes no access log. */
  readonly accessLog: LogGroup | undefined;
  readonly #settings: StackSettings;
  readonly #webAcl: CfnWebACLAssociation | undefined;

  constructor(scope: Construct, id: string, { settings, key, functions }: ApiProps) {
    super(scope, id);
    this.#settings = settings;
    this.accessLog = accessLogOf(this, settings, key);
    this.restApi = this.#restApi(key);
    this.restApi.latestDeployment?.node.addDependency(...functions);
    this.#sampleTraces();
    this.#webAcl = this.#addWebAcl();
    this.#acceptFindings();
    const ownDomain = this.#ownDomain();
    this.origin = ownDomain ?? `https://${this.#gatewayHost()}`;
    this.url = ownDomain ?? `${this.origin}/${settings.stage}`;
  }

  /**
   * API Gateway calls the functions with a role for each group, instead of a permission at each of
   * them. One role for all has no room for a hundred more functions: its policies may have 10,240
   * characters.
   */
  #invokers(): DefinitionParts['invokerOf'] {
    const roles = Object.entries(calledGroups()).map(
      ([name, ids]) => [ids, this.#invoker(name, ids)] as const,
    );
    const arns = new Map(roles.flatMap(([ids, { roleArn }]) => ids.map((id) => [id, roleArn])));
    return (id) => arns.get(id) as string;
  }

  #invoker(name: string, ids: readonly string[]): Role {
    const invoke = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: ids.map((id) => Fn.sub(functionArn(this.#settings.stage, id))),
    });
    return new Role(this, `Invoke ${name}`, {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements: [invoke] }) },
    });
  }

  /**
   * Up to 0.4 the API had the logical id that CDK makes of this path. The definition must not go
   * into that API, and a stage has its name as its id, so both have other logical ids. Role,
   * account and domain keep theirs by their paths.
   */
  #restApi(key: IKey | undefined): SpecRestApi {
    const settings = this.#settings;
    const api = new SpecRestApi(this, 'RestApi', {
      restApiName: apiName(settings),
      description: apiDescription,
      apiDefinition: ApiDefinition.fromInline(definitionOf({ settings, invokerOf: this.#invokers() })),
      // A route that is no longer in the definition is removed.
      mode: RestApiMode.OVERWRITE,
      endpointTypes: [EndpointType.REGIONAL],
      // An import would make an edge-optimized API.
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
      // The role serves all APIs of the account and region, so it stays when this stack is deleted.
      ...(settings.gatewayLogRole === 'create'
        ? { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }
        : { cloudWatchRole: false }),
      deployOptions: {
        stageName: settings.stage,
        tracingEnabled: true,
        ...throttleOptions(settings),
        ...loggingOptions(this.accessLog),
      },
    });
    (api.node.defaultChild as CfnResource).overrideLogicalId('ApiDefinition');
    (api.deploymentStage.node.defaultChild as CfnResource).overrideLogicalId('ApiDefinitionStage');
    if (this.accessLog !== undefined) keepErrorLog(this, api, settings, key);
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
        serviceName: `${apiName(this.#settings)}/${stage}`,
        serviceType: 'AWS::ApiGateway::Stage',
        host: '*',
        httpMethod: '*',
        urlPath: '*',
        resourceArn: '*',
      },
    });
  }

  #addWebAcl(): CfnWebACLAssociation | undefined {
    const { waf } = this.#settings;
    const webAclArn = waf ? firewallOf(this, this.#settings.stage, waf) : this.#settings.webAclArn;
    if (webAclArn === undefined) return undefined;
    return new CfnWebACLAssociation(this, 'WebAcl', {
      webAclArn,
      resourceArn: this.restApi.deploymentStage.stageArn,
    });
  }

  /** The rules check the stage, but not the definition. The tests check that. */
  #acceptFindings(): void {
    acceptFindings(this.restApi, {
      'AwsSolutions-APIG2': 'The functions check requests against the same schemas, with answers of our own',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The policy AWS provides for just this role: writing API Gateway’s logs',
    });
    const withoutLogs = 'A dev stage must not depend on the account’s role for API Gateway’s logs';
    acceptFindings(this.restApi.deploymentStage, {
      ...(this.#webAcl === undefined
        ? {
            'AwsSolutions-APIG3':
              'Requests need a token and are throttled; a web ACL is the operator’s choice',
          }
        : {}),
      ...(this.accessLog === undefined
        ? { 'AwsSolutions-APIG1': withoutLogs, 'AwsSolutions-APIG6': withoutLogs }
        : {}),
    });
  }

  #gatewayHost(): string {
    return `${this.restApi.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  get consoleUrl(): string {
    return `${this.url}/console`;
  }

  /** The domain leads to the API only when the web ACL protects it. */
  #ownDomain(): string | undefined {
    const { domain } = this.#settings;
    if (domain === undefined) return undefined;
    const known = new DomainName(this.restApi, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    const mapping = known.addBasePathMapping(this.restApi);
    if (this.#webAcl !== undefined) mapping.node.addDependency(this.#webAcl);
    return `https://${domain.name}`;
  }
}
