import * as checks from '../../shared/app/generated/exportCalls.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { exportCalls as route } from '../../shared/insight/routes/exports.ts';
import { fileEndpoint } from '../../shared/platform/http/file-endpoint.ts';
import { timeIn } from '../../shared/platform/http/request.ts';

export const exportCalls = ({ tasks, callExporter, parseTime }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) => {
    const range = {
      from: timeIn('from', query.from, parseTime),
      to: timeIn('to', query.to, parseTime),
    };
    return callExporter.callsOf(await tasks.find(id), { ...query, ...range }, signal);
  });

export const handler = onFileLambda(route, exportCalls);
