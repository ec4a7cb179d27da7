import * as checks from '../../shared/app/generated/rejectedRows.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { rejectedRows as route } from '../../shared/imports/routes/contact-files.ts';
import { fileEndpoint } from '../../shared/platform/http/file-endpoint.ts';

export const rejectedRows = ({ exporter }: FileRuntime) =>
  fileEndpoint(route, checks, ({ params: { id, importId }, query: { format } }, signal) =>
    exporter.rejectedRowsOf(id, importId, format, signal),
  );

export const handler = onFileLambda(route, rejectedRows);
