import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { allRoutes } from '../../shared/app/all-routes.ts';
import type { FileRuntime } from '../../shared/app/runtime/files.ts';
import type { WakingRuntime } from '../../shared/app/runtime/webhooks.ts';
import { withStoredAnswers } from '../../shared/platform/http/index.ts';
import { offerResponseStreaming } from './response-streaming.ts';

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
