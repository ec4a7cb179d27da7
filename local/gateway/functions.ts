import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { allRoutes } from '../../shared/app/all-routes.ts';
import type { FileRuntime } from '../../shared/app/runtime/files.ts';
import type { WakingRuntime } from '../../shared/app/runtime/webhooks.ts';
import { withStoredAnswers } from '../../shared/platform/http/repeatable.ts';

type Prelude = { statusCode: number; headers: Record<string, string> };
type StreamingHandler = (event: unknown, stream: Writable, context: unknown) => Promise<void>;

/**
 * Lambda's Node.js runtime offers response streaming as a global. Here the stream is the HTTP
 * response itself.
 */
export const offerResponseStreaming = (): void => {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: StreamingHandler) => handler,
      HttpResponseStream: {
        from: (response: ServerResponse, { statusCode, headers }: Prelude) =>
          response.writeHead(statusCode, headers),
      },
    },
  });
};

type JsonFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
type FileFunction = (
  event: APIGatewayProxyEvent,
  response: ServerResponse,
  context: Context & { signal: AbortSignal },
) => Promise<void>;

export type LocalFunctions = {
  json: ReadonlyMap<string, JsonFunction>;
  file: ReadonlyMap<string, FileFunction>;
};

/** Loads the function of every route and creates it with the local runtime. */
export const loadFunctions = async (runtime: WakingRuntime & FileRuntime): Promise<LocalFunctions> => {
  offerResponseStreaming();
  const json = new Map<string, JsonFunction>();
  const file = new Map<string, FileFunction>();
  for (const { id, file: path, response } of allRoutes) {
    const module = (await import(/* @vite-ignore */ `../../functions/${path}.ts`)) as Record<
      string,
      (runtime: WakingRuntime & FileRuntime) => never
    >;
    const create = module[id];
    if (create === undefined) throw new Error(`functions/${path}.ts does not export ${id}`);
    if ('file' in response) file.set(id, create(runtime));
    else json.set(id, withStoredAnswers(create(runtime), runtime.storedAnswers));
  }
  return { json, file };
};
