import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { MAX_FILE_BYTES } from '../../shared/files/limits.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { bodyBytes } from '../../shared/http/json-body.ts';
import { headerOf, uploadedFile } from '../../shared/http/multipart.ts';
import { type ImportRuntime, onImportLambda } from '../../shared/runtime/imports.ts';
import { checkContactFile } from '../../shared/transfer/contact-rows.ts';
import { uploadKey } from '../../shared/transfer/import-objects.ts';

export const batchImport = ({ dataSources, objects, importer, newId }: ImportRuntime) =>
  endpoint(routes.batchImport, checks.batchImport, async ({ params: { id } }, event) => {
    await dataSources.find(id);
    const contentType = headerOf(event, 'content-type');
    const { fileName, bytes } = await uploadedFile(bodyBytes(event), contentType, 'file', MAX_FILE_BYTES);
    const checked = await checkContactFile(bytes);
    const importId = newId();
    const objectKey = uploadKey(id, importId);
    // In the bucket first: an import cut off from here on is rolled forward by the sweep.
    const bucket = await objects();
    await bucket.put(objectKey, bytes, 'application/octet-stream');
    const file = { dataSourceId: id, importId, objectKey, fileName, fileSize: bytes.length };
    return importer.runChecked(file, checked);
  });

export const handler = onImportLambda(batchImport);
