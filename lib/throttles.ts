import {
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { allRoutes } from '../shared/api/all-routes.ts';
import { classOf } from './route-class.ts';
import type { StackSettings, Throttle } from './settings/settings.ts';

const limits = ({ rate, burst }: Throttle) => ({ throttlingRateLimit: rate, throttlingBurstLimit: burst });

/**
 * API Gateway throttles each method by itself. A method with settings of its own takes none from the
 * stage, its logging neither.
 */
export const throttleOptions = ({ throttles, gatewayLogRole }: StackSettings): StageOptions => {
  const logging = gatewayLogRole === 'none' ? {} : { loggingLevel: MethodLoggingLevel.ERROR };
  const apart = allRoutes.filter((route) => classOf(route) !== 'general');
  const optionsOf = (route: (typeof allRoutes)[number]): [string, MethodDeploymentOptions] => [
    `${route.path}/${route.method}`,
    { ...limits(throttles[classOf(route)]), ...logging },
  ];
  return { ...limits(throttles.general), methodOptions: Object.fromEntries(apart.map(optionsOf)) };
};
