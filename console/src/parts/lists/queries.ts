import { keepPreviousData, queryOptions, useQueries } from '@tanstack/preact-query';
import type { ImportEntry, TaskOverview } from '../../../../client/client.ts';
import { ask, askedOnce, exportPath, given, liveMs, read } from '../../api/client.ts';

/** Everything that shows contact lists. */
export const sourceKeys = ['sources', 'source', 'contacts', 'imports'];
/** Everything that shows imports: Today too. */
export const importKeys = [...sourceKeys, 'tasks'];

export const isUnfinished = ({ status }: Pick<ImportEntry, 'status'>): boolean =>
  status === 'WAITING' || status === 'RUNNING';

export const sourcesQuery = (name: string, page: number, pageSize = 20) =>
  queryOptions({
    queryKey: ['sources', { name, page, pageSize }],
    queryFn: ({ signal }) => {
      const query = given({ pageNum: page, pageSize, dataSourceName: name });
      return read('/api/dataSource/list', { query }, signal);
    },
    placeholderData: keepPreviousData,
  });

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['source', id],
    queryFn: ({ signal }) => read('/api/dataSource/detail/{id}', { path: { id } }, signal),
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
    queryFn: ({ signal }): Promise<{ total: number; rows: Contact[] }> => {
      const query = given({ pageNum: page, pageSize, phoneNumber });
      return read('/api/dataSource/{id}/contacts', { path: { id }, query }, signal);
    },
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
    queryFn: ({ signal }) => {
      const query = { pageNum: page, pageSize };
      return read('/api/dataSource/{id}/contact/imports', { path: { id }, query }, signal);
    },
    placeholderData: keepPreviousData,
  });

/** So many of the latest imports of a list are looked at for those that have not ended. */
const latestImports = 5;

/**
 * Imports of a list that have not ended. `isEmpty`: the list has no contacts, so it is looked at often whether an import has
 * begun: the file would be imported twice.
 */
export const unfinishedImportsQuery = (id: string, isEmpty = false) =>
  queryOptions({
    queryKey: ['imports', id, 'unfinished'],
    queryFn: async ({ signal, client, queryKey }) => {
      const params = { path: { id }, query: { pageSize: latestImports } };
      const { rows } = await read('/api/dataSource/{id}/contact/imports', params, signal);
      const unfinished = rows.filter(isUnfinished).map((each) => ({ ...each, dataSourceId: id }));
      const before = client.getQueryData<ImportEntry[]>(queryKey)?.length ?? 0;
      // An import has ended: until its contacts are read, the list must not seem to be empty.
      if (unfinished.length < before) await client.refetchQueries({ queryKey: ['contacts', id] });
      return unfinished;
    },
    refetchInterval: isEmpty ? liveMs : 30_000,
  });

/** The progress of an import, and its report once it has ended. */
export const importQuery = (id = '', importId = '', everyMs = liveMs) =>
  queryOptions({
    queryKey: ['import', id, importId],
    queryFn: () => read('/api/dataSource/{id}/contact/import/{importId}', { path: { id, importId } }),
    enabled: id !== '' && importId !== '',
    refetchInterval: ({ state }) => (state.data && !isUnfinished(state.data) ? false : everyMs),
  });

/** Imports of all lists: those that have failed or are stuck, and the others that have not ended. */
export const currentImportsQuery = queryOptions({
  queryKey: ['imports', 'current'],
  queryFn: ({ signal }) => read('/api/task/board', { query: { pageSize: 1, imports: true } }, signal),
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

/** Whom a task with these inputs would call. Of a stored task the service keeps how many contacts are selected. */
export const preflightQuery = (inputs: PreflightBody, id?: string) =>
  queryOptions({
    ...askedOnce,
    queryKey: ['preflight', inputs, id],
    queryFn: ({ signal }) => ask('/api/task/preflight', id === undefined ? inputs : { id }, signal),
    staleTime: preflightFreshMs,
  });
