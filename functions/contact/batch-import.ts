import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { readImportForm } from '../../shared/domain/imports/import-options.ts';
import { MAX_FILE_BYTES } from '../../shared/files/limits.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { uploadedForm } from '../../shared/http/multipart.ts';
import { type ImportRuntime, onImportLambda } from '../../shared/runtime/imports.ts';
import { checkContactFile } from '../../shared/transfer/contact-rows.ts';
import { uploadKey } from '../../shared/transfer/import-objects.ts';

export const batchImport = ({ dataSources, objects, importer, phoneForm }: ImportRuntime) =>
  endpoint(routes.batchImport, checks.batchImport, async ({ params: { id }, requestKey }, event) => {
    await dataSources.find(id);
    const { file, fields } = await uploadedForm(event, 'file', MAX_FILE_BYTES);
    const options = readImportForm(fields);
    const checked = await checkContactFile(file.bytes, options, await phoneForm());
    if (options.dryRun) return importer.tryOut(id, checked, options);
    const importId = await importer.newId(requestKey);
    const objectKey = uploadKey(id, importId);
    // In the bucket first: an import cut off from here on is rolled forward by the sweep.
    const bucket = await objects();
    await bucket.put(objectKey, file.bytes, 'application/octet-stream');
    const { fileName, bytes } = file;
    return importer.runChecked(
      { dataSourceId: id, importId, objectKey, fileName, fileSize: bytes.length, options },
      checked,
      requestKey,
    );
  });

export const handler = onImportLambda(batchImport);
