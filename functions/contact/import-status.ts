import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { type FileRuntime, onFileLambda } from '../../shared/file-runtime.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const importStatus = ({ importer, formatTime }: FileRuntime) =>
  endpoint(routes.importStatus, checks.importStatus, async ({ params }) => {
    const found = await importer.find(params.id, params.importId);
    const { importId, status, importCount, successCount, failCount, details, message } = found;
    return {
      importId,
      status,
      importCount,
      successCount,
      failCount,
      details,
      message,
      createTime: formatTime(found.createTime),
      updateTime: formatTime(found.updateTime),
    };
  });

export const handler = onFileLambda(importStatus);
