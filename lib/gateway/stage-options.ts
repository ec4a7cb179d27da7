import {
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type SpecRestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { allRoutes } from '../../shared/app/all-routes.ts';
import { classOf } from '../deployed-functions.ts';
import { logKeeping } from '../log-groups.ts';
import type { StackSettings, Throttle } from '../settings/settings.ts';

const limits = ({ rate, burst }: Throttle) => ({ throttlingRateLimit: rate, throttlingBurstLimit: burst });

/** API Gateway throttles each method separately. Its own options replace those of the stage. */
export const throttleOptions = ({ throttles, gatewayLogRole }: StackSettings): StageOptions => {
  const logging = gatewayLogRole === 'none' ? {} : { loggingLevel: MethodLoggingLevel.ERROR };
  const withOwnLimits = allRoutes.filter((route) => classOf(route) !== 'general');
  const optionsOf = (route: (typeof allRoutes)[number]): [string, MethodDeploymentOptions] => [
    `${route.path}/${route.method}`,
    { ...limits(throttles[classOf(route)]), ...logging },
  ];
  return { ...limits(throttles.general), methodOptions: Object.fromEntries(withOwnLimits.map(optionsOf)) };
};

/** `client` is the program that got the token. `caller` is the signed-in user, or the client. */
const accessLine = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  client: '$context.authorizer.principalId',
  caller: '$context.authorizer.caller',
  source: '$context.identity.sourceIp',
  domain: '$context.domainName',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
};

export const accessLogOf = (
  scope: Construct,
  settings: StackSettings,
  key: IKey | undefined,
): LogGroup | undefined =>
  settings.gatewayLogRole === 'none'
    ? undefined
    : new LogGroup(scope, 'AccessLog', logKeeping(settings, key));

export const loggingOptions = (accessLog: LogGroup | undefined): StageOptions =>
  accessLog === undefined
    ? {}
    : {
        loggingLevel: MethodLoggingLevel.ERROR,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLine)),
      };

/**
 * API Gateway writes errors to this log group. If it made the group itself, the errors would be
 * kept for ever.
 */
export const keepErrorLog = (
  scope: Construct,
  api: SpecRestApi,
  settings: StackSettings,
  key: IKey | undefined,
): void => {
  const errorLog = new LogGroup(scope, 'ErrorLog', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${settings.stage}`,
    ...logKeeping(settings, key),
  });
  api.deploymentStage.node.addDependency(errorLog);
};
