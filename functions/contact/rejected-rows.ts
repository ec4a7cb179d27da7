import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type ExportRuntime, onStreamingLambda } from '../../shared/runtime/exports.ts';

export const rejectedRows = ({ exporter }: ExportRuntime) =>
  fileEndpoint(
    routes.rejectedRows,
    checks.rejectedRows,
    ({ params: { id, importId }, query: { format } }, signal) =>
      exporter.rejectedRowsOf(id, importId, format, signal),
  );

export const handler = onStreamingLambda(rejectedRows);
