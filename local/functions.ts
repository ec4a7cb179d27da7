import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { allRoutes } from '../shared/api/all-routes.ts';
import type { Runtime } from '../shared/runtime.ts';

export type LocalFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

type Create = (runtime: Runtime) => LocalFunction;

/** Every route's function, found by the file its route names and made with the local runtime. */
export const loadFunctions = async (runtime: Runtime): Promise<ReadonlyMap<string, LocalFunction>> =>
  new Map(
    await Promise.all(
      allRoutes.map(async ({ id, file }): Promise<[string, LocalFunction]> => {
        const module = (await import(`../functions/${file}.ts`)) as Record<string, Create>;
        const create = module[id];
        if (create === undefined) throw new Error(`functions/${file}.ts does not export ${id}`);
        return [id, create(runtime)];
      }),
    ),
  );
