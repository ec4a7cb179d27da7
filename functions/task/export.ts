import * as checks from '../../shared/api/generated/exportTask.js';
import { exportTask as route } from '../../shared/api/routes/task-calls.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const exportTask = ({ tasks, exporter }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) =>
    exporter.taskContactsOf(await tasks.find(id), query, signal),
  );

export const handler = onFileLambda(route, exportTask);
