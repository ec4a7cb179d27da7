import * as checks from '../../shared/app/generated/importUpload.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { presignedKey } from '../../shared/imports/import-objects.ts';
import { importUpload as route } from '../../shared/imports/routes/contact-files.ts';
import { readImportOptions } from '../../shared/imports/rules/import-options.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import { megabytesFor } from '../../shared/platform/rules/files.ts';

const expiresInSeconds = 15 * 60;

export const importUpload = ({
  dataSources,
  objects,
  importer,
  importMaxRows,
  now,
  formatTime,
}: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id }, body, requestKey }) => {
    const { fileName, fileSize } = body;
    const options = readImportOptions(body);
    const megabytes = megabytesFor(importMaxRows);
    if (fileSize > megabytes * 1024 * 1024)
      throw new ServiceError(
        'FILE_TOO_LARGE',
        `fileSize: at most ${megabytes} MB, which IMPORT_MAX_ROWS ${importMaxRows} allows`,
      );
    await dataSources.find(id);
    const importId = await importer.newId(requestKey);
    const objectKey = presignedKey({ dataSourceId: id, importId }, fileName);
    await importer.register({ dataSourceId: id, importId, objectKey, fileName, fileSize, options });
    const { url, method, headers } = await (await objects()).presignUpload({
      key: objectKey,
      size: fileSize,
      expiresInSeconds,
    });
    const expireTime = formatTime(now() + expiresInSeconds * 1000);
    return { importId, uploadUrl: url, method, headers, expireTime };
  });

export const handler = onFileLambda(route, importUpload);
