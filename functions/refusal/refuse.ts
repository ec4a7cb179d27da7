import type { APIGatewayProxyEvent } from 'aws-lambda';
import { allRoutes } from '../../shared/app/all-routes.ts';
import { onFirstEvent } from '../../shared/app/runtime/first-event.ts';
import { answerTo } from '../../shared/platform/http/endpoint.ts';
import { preflightHeaders } from '../../shared/platform/http/envelope.ts';
import { MethodNotAllowed } from '../../shared/platform/rules/errors.ts';

/** Every path that is not the path of a route belongs to the console. */
const methodsOf = (path: string): string[] => {
  const methods = allRoutes.filter((route) => route.path === path).map(({ method }) => method);
  return methods.length === 0 ? ['GET'] : methods;
};

/** OPTIONS is a preflight if pages of another origin may call the API, and otherwise refused. */
export const refuseMethod =
  () =>
  async ({ resource, httpMethod, requestContext }: APIGatewayProxyEvent) => {
    const methods = methodsOf(resource);
    const preflight = httpMethod === 'OPTIONS' ? preflightHeaders(methods) : undefined;
    if (preflight !== undefined) return { statusCode: 204, headers: preflight, body: '' };
    return answerTo(new MethodNotAllowed(httpMethod, methods.join(', ')), requestContext.requestId);
  };

export const handler = onFirstEvent(refuseMethod);
