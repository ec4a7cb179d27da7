import { importIdHeader } from '../../shared/api/answer-headers.ts';
import * as checks from '../../shared/api/generated/batchImport.js';
import { batchImport as route } from '../../shared/api/routes/contact-files.ts';
import { maxFileBytes, readImportForm } from '../../shared/domain/imports/import-options.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { WithHeaders } from '../../shared/http/envelope.ts';
import { uploadedForm } from '../../shared/http/multipart.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';
import { checkContactFile } from '../../shared/transfer/checked-rows.ts';

export const batchImport = ({ dataSources, importer, spellPhone }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id }, requestKey }, event) => {
    await dataSources.find(id);
    const { file, fields } = await uploadedForm(event, 'file', maxFileBytes);
    const options = readImportForm(fields);
    const rows = await checkContactFile(file.bytes, options, await spellPhone());
    if (options.dryRun) return importer.dryRun(id, rows, options);
    const importId = await importer.newId(requestKey);
    const { fileName, bytes } = file;
    const sent = { dataSourceId: id, importId, fileName, options };
    const report = await importer.importNow(sent, bytes, rows, requestKey);
    return new WithHeaders(report, { [importIdHeader]: importId });
  });

export const handler = onFileLambda(route, batchImport);
