import {
  AccessLogFormat,
  LogGroupLogDestination,
  MethodLoggingLevel,
  type RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { logKeeping } from './log-groups.ts';
import type { StackSettings } from './settings/settings.ts';

/** `client` is the program that got the token. `caller` is the user who signed in, else the client again. */
const accessLine = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  client: '$context.authorizer.principalId',
  caller: '$context.authorizer.caller',
  source: '$context.identity.sourceIp',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
};

export const accessLogOf = (scope: Construct, settings: StackSettings): LogGroup | undefined =>
  settings.gatewayLogRole === 'none' ? undefined : new LogGroup(scope, 'AccessLog', logKeeping(settings));

export const loggingOptions = (accessLog: LogGroup | undefined): StageOptions =>
  accessLog === undefined
    ? {}
    : {
        loggingLevel: MethodLoggingLevel.ERROR,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLine)),
      };

/** The name API Gateway writes errors to: made by itself, the group would keep them for ever. */
export const keepErrorLog = (scope: Construct, api: RestApi, settings: StackSettings): void => {
  const errorLog = new LogGroup(scope, 'ErrorLog', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${settings.stage}`,
    ...logKeeping(settings),
  });
  api.deploymentStage.node.addDependency(errorLog);
};
