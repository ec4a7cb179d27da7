import * as checks from '../../shared/api/generated/preflightBlocked.js';
import { preflightBlocked as route } from '../../shared/api/routes/task-preflight.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const preflightBlocked = ({ tasks, exporter }: FileRuntime) =>
  fileEndpoint(route, checks, async ({ params: { id }, query }, signal) =>
    exporter.blockedOf(await tasks.find(id), query, signal),
  );

export const handler = onFileLambda(route, preflightBlocked);
