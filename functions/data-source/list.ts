import * as checks from '../../shared/app/generated/listDataSources.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { listDataSources as route } from '../../shared/contacts/routes/data-sources.ts';
import { type ContactsSummary, dataSourceView } from '../../shared/contacts/rules/data-source.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { offsetOf } from '../../shared/platform/http/request.ts';

export const listDataSources = ({ dataSources, contacts, formatTime }: ContactRuntime) =>
  endpoint(route, checks, async ({ query }) => {
    const { total, rows } = await dataSources.page(offsetOf(query), query.pageSize, query.dataSourceName);
    const summaries = await contacts.summaries(rows.map(({ id }) => id));
    return {
      total,
      rows: rows.map((row, i) => dataSourceView(row, summaries[i] as ContactsSummary, formatTime)),
    };
  });

export const handler = onLambda(route, openContacts, listDataSources);
