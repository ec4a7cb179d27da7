import * as checks from '../../shared/app/generated/batchAdd.js';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { checkContactBatch, fieldNamesIn } from '../../shared/imports/checked-rows.ts';
import { batchAdd as route } from '../../shared/imports/routes/contact-batches.ts';
import { importIdHeader } from '../../shared/platform/api/answers.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { WithHeaders } from '../../shared/platform/http/envelope.ts';
import { bodyBytes } from '../../shared/platform/http/request.ts';

/** The file name that the list of imports shows. */
const fileName = 'batchAdd';

export const batchAdd = ({ dataSources, importer, spellPhone }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id }, body, requestKey }, event) => {
    await dataSources.find(id);
    await dataSources.assertSpelling(id, fieldNamesIn(body.contacts));
    const checked = checkContactBatch(body, await spellPhone());
    const importId = await importer.newId(requestKey);
    const options = body.onDuplicate === undefined ? {} : { onDuplicate: body.onDuplicate };
    const sent = { dataSourceId: id, importId, fileName, fileSize: bodyBytes(event).length, options };
    const report = await importer.importNow(sent, checked, requestKey);
    return new WithHeaders(report, { [importIdHeader]: importId });
  });

export const handler = onFileLambda(route, batchAdd);
