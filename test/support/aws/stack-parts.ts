import { expect } from 'vitest';
import { functionName } from '../../../lib/service-function.ts';
import { type Resource, resourcesOf, type StackTemplate } from './synthesized-stack.ts';

/** A stage that keeps its data, with nothing set that it does not need. */
export const production = {
  stage: 'prod',
  account: '123456789012',
  region: 'eu-west-1',
  alarmEmail: 'operators@example.com',
  country: 'none',
};

/**
 * The settings of a stage that has all there is. Another issuer of tokens would take the place of
 * the user pool, and a web ACL of the stack's own that of the given one.
 */
export const everything = {
  ...production,
  alarmEmail: 'operators@example.com,duty@example.com',
  corsOrigin: 'https://console.example.com',
  connectInstanceId: 'c0ffee00-1111-2222-3333-444455556666',
  connectFlowId: 'f10wf10w-1111-2222-3333-444455556666',
  connectSourceNumber: '+15550100',
  connectConcurrency: '25',
  connectNumberPrefix: '+86',
  connectMachineDetection: 'true',
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666',
  backupCopyTo: 'arn:aws:backup:eu-central-1:210987654321:backup-vault:copies',
  keepCopiesDays: '14',
  webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/outbound/a1b2',
  keepGatewayAddress: 'false',
  accountConcurrency: '3000',
  dialConcurrency: '60',
  domainName: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/c1',
  country: 'CN',
  maxCallsPerNumberPerDay: '3',
  callLimits: '3/1440,7/10080',
  restAfterSuccess: '24',
  callingHours: '06:30-22:00',
  maxConcurrentCalls: '500',
  importMaxRows: '250000',
  keepCallsDays: '400',
  exportConcurrency: '20',
  importConcurrency: '30',
  timeZone: 'UTC',
  tokenAudiences: 'bridge-1',
  clients: {
    dialer: ['outbound/dial'],
    integration: ['outbound/read', 'outbound/write'],
    crm: ['outbound/read'],
  },
  sharedClient: 'keep',
  dialerTokenHours: '12',
  clientGeneration: '1',
  gatewayLogRole: 'create',
  requestsPerSecond: '200',
  requestBurst: '400',
  dialRequestsPerSecond: '1000',
  dialRequestBurst: '2000',
  importsPerSecond: '5',
  importBurst: '10',
  exportsPerSecond: '2',
  exportBurst: '5',
};

/** The one resource of a type. */
export const only = (from: StackTemplate, type: string): Resource => {
  const found = resourcesOf(from, type);
  expect(found.map(([id]) => id)).toHaveLength(1);
  return found[0]![1];
};

export const functionOf = (from: StackTemplate, id: string, stage = 'prod') =>
  resourcesOf(from, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === functionName(stage, id),
  );

type Operation = {
  parameters?: { name: string; in: string; required: boolean }[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
  security?: Record<string, unknown[]>[];
  'x-amazon-apigateway-integration': Record<string, unknown>;
};
type GatewayResponse = {
  statusCode: string;
  responseTemplates: Record<string, string>;
  responseParameters: Record<string, string>;
};

/** The definition of the API. */
export type ApiBody = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, Record<string, unknown>> };
  'x-amazon-apigateway-binary-media-types': string[];
  'x-amazon-apigateway-minimum-compression-size': number;
  'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: boolean };
  'x-amazon-apigateway-gateway-responses': Record<string, GatewayResponse>;
};

export const apiBodyOf = (from: StackTemplate): ApiBody =>
  only(from, 'AWS::ApiGateway::RestApi').Properties.Body as ApiBody;
