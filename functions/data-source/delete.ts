import * as checks from '../../shared/api/generated/deleteDataSource.js';
import { deleteDataSource as route } from '../../shared/api/routes/data-sources.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const deleteDataSource = ({ dataSources, importRecords, now }: Runtime) =>
  endpoint(route, checks, async ({ body: { id }, requestKey }) => {
    await dataSources.remove(id, now(), requestKey);
    await importRecords.endAllOf(id, now());
    return null;
  });

export const handler = onLambda(route, deleteDataSource);
