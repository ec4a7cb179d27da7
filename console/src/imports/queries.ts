import { keepPreviousData, queryOptions } from '@tanstack/preact-query';
import { doNotCall } from '../../../shared/domain/contacts/data-source.ts';
import { api, dataOf } from '../api/client.ts';
import { askedOnce } from '../api/query-client.ts';
import { goesStraight, type ImportOptions, preview } from './requests.ts';

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

export type Place = Pick<ImportOptions, 'sheet' | 'headerRow'>;

/** A preview stores nothing: for a list that does not exist yet the do-not-call list is asked. */
export const previewQuery = (id: string | undefined, file: File, place: Place) =>
  queryOptions({
    queryKey: ['preview', id, file.name, file.lastModified, file.size, place],
    queryFn: () => preview(id ?? doNotCall.id, file, place),
    enabled: !goesStraight(file),
    retry: false,
    placeholderData: keepPreviousData,
    ...askedOnce,
  });

export const rejectedPath = (sourceId: string, importId: string): string =>
  `/api/dataSource/${encodeURIComponent(sourceId)}/contact/import/${encodeURIComponent(importId)}/rejected?format=excel`;
