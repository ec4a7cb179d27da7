import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const cancelImport = ({ importer }: FileRuntime) =>
  endpoint(routes.cancelImport, checks.cancelImport, async ({ params: { id, importId }, requestKey }) => {
    const { status, message } = await importer.cancel(id, importId, requestKey);
    return { importId, status, message };
  });

export const handler = onFileLambda(routes.cancelImport, cancelImport);
