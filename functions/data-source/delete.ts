import * as checks from '../../shared/app/generated/deleteDataSource.js';
import { type ImportRuntime, openImports } from '../../shared/app/runtime/imports.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { deleteDataSource as route } from '../../shared/contacts/routes/data-sources.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const deleteDataSource = ({ dataSources, importRecords, now }: ImportRuntime) =>
  endpoint(route, checks, async ({ body: { id }, requestKey }) => {
    await dataSources.remove(id, now(), requestKey);
    await importRecords.endAllOf(id, now());
    return null;
  });

export const handler = onLambda(route, openImports, deleteDataSource);
