import * as checks from '../../shared/app/generated/exportTask.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { exportTask as route } from '../../shared/insight/routes/exports.ts';
import { fileEndpoint } from '../../shared/platform/http/file-endpoint.ts';

export const exportTask = ({ tasks, exporter }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) =>
    exporter.taskContactsOf(await tasks.find(id), query, signal),
  );

export const handler = onFileLambda(route, exportTask);
