import * as checks from '../../shared/api/generated/cancelImport.js';
import { cancelImport as route } from '../../shared/api/routes/contact-files.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const cancelImport = ({ importer }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id, importId }, requestKey }) => {
    const { status, message } = await importer.cancel(id, importId, requestKey);
    return { importId, status, message };
  });

export const handler = onFileLambda(route, cancelImport);
