import { keepPreviousData, queryOptions } from '@tanstack/preact-query';
import { api, dataOf } from '../api/client.ts';
import { askedOnce } from '../api/query-client.ts';
import { checkImport, goesStraight, type ImportOptions, preview, type Reading } from './requests.ts';

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

const pollMs = 500;

/** The progress of an import, and its report once it has ended. */
export const importQuery = (id: string | undefined, importId: string | undefined) =>
  queryOptions({
    queryKey: ['import', id, importId],
    queryFn: () =>
      dataOf(
        api.GET('/api/dataSource/{id}/contact/import/{importId}', {
          params: { path: { id: String(id), importId: String(importId) } },
        }),
      ),
    enabled: id !== undefined && importId !== undefined,
    refetchInterval: ({ state }) => (/DONE|FAILED/.test(state.data?.status ?? '') ? false : pollMs),
  });

const keyOf = ({ name, lastModified, size }: File) => [name, lastModified, size];

export const previewQuery = (file: File, reading: Reading, enabled: boolean) =>
  queryOptions({
    queryKey: ['preview', ...keyOf(file), reading],
    queryFn: ({ signal }) => preview(file, reading, signal),
    enabled: enabled && !goesStraight(file),
    retry: false,
    placeholderData: keepPreviousData,
    ...askedOnce,
  });

/** What an import into this list would come to. */
export const checkQuery = (id: string, file: File, options: ImportOptions, enabled: boolean) =>
  queryOptions({
    queryKey: ['imports', id, 'check', ...keyOf(file), options],
    queryFn: ({ signal }) => checkImport(id, file, options, signal),
    enabled,
    retry: false,
    ...askedOnce,
  });

export const rejectedPath = (sourceId: string, importId: string): string =>
  `/api/dataSource/${encodeURIComponent(sourceId)}/contact/import/${encodeURIComponent(importId)}/rejected?format=excel`;
