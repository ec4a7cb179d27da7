import * as checks from '../../shared/api/generated/listImports.js';
import { listImports as route } from '../../shared/api/routes/contact-files.ts';
import { importView } from '../../shared/domain/imports/contact-import.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offsetOf } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const listImports = ({ dataSources, importRecords, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params: { id }, query }) => {
    await dataSources.find(id);
    const { total, rows } = await importRecords.page(id, offsetOf(query), query.pageSize);
    return { total, rows: rows.map((row) => importView(row, formatTime)) };
  });

export const handler = onLambda(route, listImports);
