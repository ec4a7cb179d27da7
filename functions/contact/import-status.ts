import * as checks from '../../shared/app/generated/importStatus.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { importStatus as route } from '../../shared/imports/routes/contact-files.ts';
import { importView, visibilityOf } from '../../shared/imports/rules/contact-import.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const importStatus = ({ importer, formatTime }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id, importId } }) => {
    const found = await importer.find(id, importId);
    const { fileName: _, ...view } = importView(found, formatTime);
    const { details, rejected } = found;
    return { ...view, details, rejected, visibility: visibilityOf(found) };
  });

export const handler = onFileLambda(route, importStatus);
