import { keepPreviousData, queryOptions, useQueries } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../../client/answers.ts';
import { api, dataOf, given } from '../../api/client.ts';
import { exportPath } from '../../api/download.ts';
import { askedOnce } from '../../api/query-client.ts';

/** Everything that shows contact lists. */
export const sourceKeys = ['sources', 'source', 'contacts', 'imports'];

export const sourcesQuery = (name: string, page: number, pageSize = 20) =>
  queryOptions({
    queryKey: ['sources', { name, page, pageSize }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/dataSource/list', {
          params: { query: given({ pageNum: page, pageSize, dataSourceName: name }) },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['source', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/dataSource/detail/{id}', { params: { path: { id } }, signal })),
    enabled: id !== '',
  });

/** The names of lists, by id. A name that is not known is looked up; meanwhile an ellipsis stands for it. */
export const useSourceNames = (
  lists: readonly { id: string; name?: string | undefined }[],
): ReadonlyMap<string, string> => {
  const found = useQueries({
    queries: lists.map(({ id, name }) => ({
      ...sourceQuery(id),
      ...askedOnce,
      enabled: name === undefined,
    })),
  });
  return new Map(lists.map(({ id, name }, i) => [id, name ?? found[i]?.data?.dataSourceName ?? '…']));
};

/** A contact with the fields of its file. */
export type Contact = { id: string; phoneNumber: string; [field: string]: unknown };

export const contactsQuery = (id: string, phoneNumber: string, page: number, pageSize: number) =>
  queryOptions({
    queryKey: ['contacts', id, { phoneNumber, page, pageSize }],
    queryFn: ({ signal }): Promise<{ total: number; rows: Contact[] }> =>
      dataOf(
        api.GET('/api/dataSource/{id}/contacts', {
          params: { path: { id }, query: given({ pageNum: page, pageSize, phoneNumber }) },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // A search may read every number of the list.
    ...(phoneNumber === '' ? {} : { refetchInterval: false as const }),
  });

/** The path of what is done to the contacts of a list. */
export const contactPath = (id: string): string => `/api/dataSource/${encodeURIComponent(id)}/contact`;

export const contactsExport = (id: string, format: 'excel' | 'csv') =>
  exportPath(`${contactPath(id)}/batchExport`, { format });

/** Newest first. */
export const importsQuery = (id: string, page: number, pageSize: number) =>
  queryOptions({
    queryKey: ['imports', id, page, pageSize],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/dataSource/{id}/contact/imports', {
          params: { path: { id }, query: { pageNum: page, pageSize } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Failed and stuck imports of all lists. */
export const troubledImportsQuery = queryOptions({
  queryKey: ['imports', 'troubled'],
  queryFn: async ({ signal }) => {
    const query = { pageSize: 1, imports: true };
    return (await dataOf(api.GET('/api/task/board', { params: { query }, signal }))).imports;
  },
  refetchInterval: 30_000,
});

export const rejectedPath = (sourceId: string, importId: string): string =>
  `${contactPath(sourceId)}/import/${encodeURIComponent(importId)}/rejected?format=excel`;

/** An answer is used again for so long, since it may take read units by the hundred. */
const preflightFreshMs = 10_000;

type PreflightBody = {
  dataSourceId: string;
  excludedDataSourceIds?: string[];
  contactFilter?: TaskOverview['contactFilter'];
};

/** Whom a task with these inputs would call. */
export const preflightQuery = (body: PreflightBody) =>
  queryOptions({
    ...askedOnce,
    queryKey: ['preflight', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/task/preflight', { body, signal })),
    staleTime: preflightFreshMs,
  });
