import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const deleteDataSource = ({ dataSources, importRecords, now }: Runtime) =>
  endpoint(routes.deleteDataSource, checks.deleteDataSource, async ({ body: { id }, requestKey }) => {
    await dataSources.remove(id, now(), requestKey);
    await importRecords.endAllOf(id, now());
    return null;
  });

export const handler = onLambda(routes.deleteDataSource, deleteDataSource);
