import * as checks from '../../shared/api/generated/rejectedRows.js';
import { rejectedRows as route } from '../../shared/api/routes/contact-files.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const rejectedRows = ({ exporter }: FileRuntime) =>
  fileEndpoint(route, checks, ({ params: { id, importId }, query: { format } }, signal) =>
    exporter.rejectedRowsOf(id, importId, format, signal),
  );

export const handler = onFileLambda(route, rejectedRows);
