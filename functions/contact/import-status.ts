import * as checks from '../../shared/api/generated/importStatus.js';
import { importStatus as route } from '../../shared/api/routes/contact-files.ts';
import { importView, visibilityOf } from '../../shared/domain/imports/contact-import.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

export const importStatus = ({ importer, formatTime }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id, importId } }) => {
    const found = await importer.find(id, importId);
    const { fileName: _, ...view } = importView(found, formatTime);
    const { details, rejected } = found;
    return { ...view, details, rejected, visibility: visibilityOf(found) };
  });

export const handler = onFileLambda(route, importStatus);
