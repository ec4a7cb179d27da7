import * as checks from '../../shared/api/generated/batchExport.js';
import { batchExport as route } from '../../shared/api/routes/contact-files.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const batchExport = ({ dataSources, exporter }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) => {
    return exporter.contactsOf(await dataSources.find(id), query, signal);
  });

export const handler = onFileLambda(route, batchExport);
