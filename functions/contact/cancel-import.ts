import * as checks from '../../shared/app/generated/cancelImport.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { cancelImport as route } from '../../shared/imports/routes/contact-files.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const cancelImport = ({ importer }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id, importId }, requestKey }) => {
    const { status, message } = await importer.cancel(id, importId, requestKey);
    return { importId, status, message };
  });

export const handler = onFileLambda(route, cancelImport);
