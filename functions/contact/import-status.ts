import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type ImportRuntime, onImportLambda } from '../../shared/runtime/imports.ts';

export const importStatus = ({ importer, formatTime }: ImportRuntime) =>
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

export const handler = onImportLambda(importStatus);
