import * as checks from '../../shared/api/generated/exportCalls.js';
import { exportCalls as route } from '../../shared/api/routes/calls.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { timeIn } from '../../shared/http/times.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const exportCalls = ({ tasks, callExporter, parseTime }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) => {
    const range = {
      from: timeIn('from', query.from, parseTime),
      to: timeIn('to', query.to, parseTime),
    };
    return callExporter.callsOf(await tasks.find(id), { ...query, ...range }, signal);
  });

export const handler = onFileLambda(route, exportCalls);
