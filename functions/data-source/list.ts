import * as checks from '../../shared/api/generated/listDataSources.js';
import { listDataSources as route } from '../../shared/api/routes/data-sources.ts';
import { type ContactsSummary, dataSourceView } from '../../shared/domain/contacts/data-source.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offsetOf } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const listDataSources = ({ dataSources, contacts, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ query }) => {
    const { total, rows } = await dataSources.page(offsetOf(query), query.pageSize, query.dataSourceName);
    const summaries = await contacts.summaries(rows.map(({ id }) => id));
    return {
      total,
      rows: rows.map((row, i) => dataSourceView(row, summaries[i] as ContactsSummary, formatTime)),
    };
  });

export const handler = onLambda(route, listDataSources);
