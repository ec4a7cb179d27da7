import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { onRejectionsLambda, type RejectionsRuntime } from '../../shared/runtime/rejections.ts';

export const rejectedRows = ({ rejections }: RejectionsRuntime) =>
  fileEndpoint(
    routes.rejectedRows,
    checks.rejectedRows,
    ({ params: { id, importId }, query: { format } }, signal) =>
      rejections.fileOf(id, importId, format, signal),
  );

export const handler = onRejectionsLambda(rejectedRows);
