import * as checks from '../../shared/app/generated/listImports.js';
import { type ImportRuntime, openImports } from '../../shared/app/runtime/imports.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { listImports as route } from '../../shared/imports/routes/contact-files.ts';
import { importView } from '../../shared/imports/rules/contact-import.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { offsetOf } from '../../shared/platform/http/request.ts';

export const listImports = ({ dataSources, importRecords, formatTime }: ImportRuntime) =>
  endpoint(route, checks, async ({ params: { id }, query }) => {
    await dataSources.find(id);
    const { total, rows } = await importRecords.page(id, offsetOf(query), query.pageSize);
    return { total, rows: rows.map((row) => importView(row, formatTime)) };
  });

export const handler = onLambda(route, openImports, listImports);
