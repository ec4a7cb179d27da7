import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const batchExport = ({ dataSources, exporter }: FileRuntime) =>
  fileEndpoint(routes.batchExport, checks.batchExport, async ({ params: { id }, query }, signal) => {
    return exporter.contactsOf(await dataSources.find(id), query, signal);
  });

export const handler = onFileLambda(routes.batchExport, batchExport);
