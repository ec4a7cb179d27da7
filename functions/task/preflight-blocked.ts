import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { fileEndpoint } from '../../shared/http/file-endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const preflightBlocked = ({ tasks, exporter }: FileRuntime) =>
  fileEndpoint(routes.preflightBlocked, checks.preflightBlocked, async ({ params: { id }, query }, signal) =>
    exporter.blockedOf(await tasks.find(id), query, signal),
  );

export const handler = onFileLambda(routes.preflightBlocked, preflightBlocked);
