import { importIdHeader } from '../../shared/api/answer-headers.ts';
import * as checks from '../../shared/api/generated/batchAdd.js';
import { batchAdd as route } from '../../shared/api/routes/contact-batches.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { WithHeaders } from '../../shared/http/envelope.ts';
import { bodyBytes } from '../../shared/http/json-body.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';
import { checkContactBatch } from '../../shared/transfer/contact-batch.ts';

/** The list of imports shows where the contacts came from. */
const fileName = 'batchAdd';

export const batchAdd = ({ dataSources, importer, spellPhone }: FileRuntime) =>
  endpoint(route, checks, async ({ params: { id }, body, requestKey }, event) => {
    await dataSources.find(id);
    const rows = checkContactBatch(body, await spellPhone());
    const importId = await importer.newId(requestKey);
    const options = body.onDuplicate === undefined ? {} : { onDuplicate: body.onDuplicate };
    const sent = { dataSourceId: id, importId, fileName, options, isBatch: true };
    const report = await importer.importNow(sent, bodyBytes(event), rows, requestKey);
    return new WithHeaders(report, { [importIdHeader]: importId });
  });

export const handler = onFileLambda(route, batchAdd);
