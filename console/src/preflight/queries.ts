import { queryOptions } from '@tanstack/preact-query';
import { api, dataOf } from '../api/client.ts';
import { askedOnce } from '../api/query-client.ts';

/** What decides whom a task calls. */
export type Plan = { dataSourceId: string; excludedDataSourceIds: readonly string[] };

/** An answer is used again for so long, since it may take read units by the hundred. */
const freshMs = 10_000;

/** Asks nothing without a contact list. */
export const preflightQuery = ({ dataSourceId, excludedDataSourceIds }: Plan) => {
  const body = { dataSourceId, excludedDataSourceIds: [...excludedDataSourceIds] };
  return queryOptions({
    ...askedOnce,
    queryKey: ['preflight', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/task/preflight', { body, signal })),
    staleTime: freshMs,
    enabled: dataSourceId !== '',
  });
};
