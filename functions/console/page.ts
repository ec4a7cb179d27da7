import { Readable } from 'node:stream';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as declared from '../../shared/app/gateway-functions.ts';
import { type ConsoleRuntime, lambdaConsole } from '../../shared/app/runtime/console.ts';
import { onFirstStreamedEvent } from '../../shared/app/runtime/first-event.ts';
import { answerTo } from '../../shared/platform/http/endpoint.ts';
import { headerOf } from '../../shared/platform/http/request.ts';
import { siteAnswer } from '../../shared/platform/http/site.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';

type Answer = { statusCode: number; headers: Record<string, string>; body: Readable | string };

/** The path begins with the stage, unless the API has a domain of its own. */
const baseOf = (path: string) => path.replace(/\/console(\/.*)?$/s, '/console/');

/** The page for every address below /console, and its files. */
export const consolePage = ({ site, settings }: ConsoleRuntime) =>
  middy<APIGatewayProxyEvent, Answer, Error, Context>({ streamifyResponse: true }).handler((async (
    event: APIGatewayProxyEvent,
  ): Promise<Answer> => {
    const { requestId, path } = event.requestContext;
    const answer = await siteAnswer(await site(), {
      path: event.pathParameters?.proxy ?? '',
      base: baseOf(path),
      acceptEncoding: headerOf(event, 'accept-encoding'),
      settings,
    });
    if (answer === undefined) {
      return answerTo(new ServiceError('PATH_NOT_FOUND', 'the path does not exist'), requestId);
    }
    const headers = { ...answer.headers, 'x-request-id': requestId };
    return { ...answer, headers, body: Readable.from([answer.body]) };
  }) as never);

/** Streamed, because then API Gateway does not change the bytes of a zipped file. */
export const handler = onFirstStreamedEvent(() => consolePage(lambdaConsole(declared.consolePage)));
