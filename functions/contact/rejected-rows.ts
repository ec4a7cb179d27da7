import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const rejectedRows = ({ exporter }: FileRuntime) =>
  fileEndpoint(
    routes.rejectedRows,
    checks.rejectedRows,
    ({ params: { id, importId }, query: { format } }, signal) =>
      exporter.rejectedRowsOf(id, importId, format, signal),
  );

export const handler = onFileLambda(routes.rejectedRows, rejectedRows);
