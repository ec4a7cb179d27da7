import * as checks from '../../shared/app/generated/batchImport.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { checkContactFile } from '../../shared/imports/checked-rows.ts';
import { batchImport as route } from '../../shared/imports/routes/contact-files.ts';
import { readImportForm } from '../../shared/imports/rules/import-options.ts';
import { importIdHeader } from '../../shared/platform/api/answers.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { WithHeaders } from '../../shared/platform/http/envelope.ts';
import { uploadedForm } from '../../shared/platform/http/multipart.ts';
import { maxFileBytes } from '../../shared/platform/rules/files.ts';

export const batchImport = ({ dataSources, importer, spellPhone }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id }, requestKey }, event) => {
    await dataSources.find(id);
    const { file, fields } = await uploadedForm(event, route, maxFileBytes);
    const options = readImportForm(fields);
    const checked = await checkContactFile(file.bytes, options, await spellPhone());
    if (options.dryRun) return importer.dryRun(id, checked, options);
    const importId = await importer.newId(requestKey);
    const { fileName, bytes } = file;
    const sent = { dataSourceId: id, importId, fileName, fileSize: bytes.length, options };
    const report = await importer.importNow(sent, checked, requestKey);
    return new WithHeaders(report, { [importIdHeader]: importId });
  });

export const handler = onFileLambda(route, batchImport);
