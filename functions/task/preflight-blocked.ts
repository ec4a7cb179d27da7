import * as checks from '../../shared/app/generated/preflightBlocked.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { preflightBlocked as route } from '../../shared/insight/routes/task-preflight.ts';
import { fileEndpoint } from '../../shared/platform/http/file-endpoint.ts';

export const preflightBlocked = ({ tasks, exporter }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) =>
    exporter.blockedOf(await tasks.find(id), query, signal),
  );

export const handler = onFileLambda(route, preflightBlocked);
