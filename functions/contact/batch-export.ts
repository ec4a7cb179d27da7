import * as checks from '../../shared/app/generated/batchExport.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { batchExport as route } from '../../shared/insight/routes/exports.ts';
import { fileEndpoint } from '../../shared/platform/http/file-endpoint.ts';

export const batchExport = ({ dataSources, exporter }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) => {
    return exporter.contactsOf(await dataSources.find(id), query, signal);
  });

export const handler = onFileLambda(route, batchExport);
