import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { TaskContact } from '../../../client/answers.ts';
import { api, dataOf } from './api.ts';
import { liveMs } from './query-client.ts';

const slowMs = 30_000;

export type TaskFilter = { name: string; status: number | undefined; page: number; pageSize: number };

export const useTasks = ({ name, status, page, pageSize }: TaskFilter) =>
  useQuery({
    queryKey: ['tasks', { name, status, page, pageSize }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/task/list', {
          params: {
            query: {
              pageNum: page,
              pageSize,
              ...(name === '' ? {} : { taskName: name }),
              ...(status === undefined ? {} : { status }),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: slowMs,
  });

export const useOverviews = (ids: readonly string[], live: boolean) =>
  useQuery({
    queryKey: ['overviews', ids],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/task/overviews', { params: { query: { ids: ids.join(',') } }, signal })),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: live ? liveMs : slowMs,
  });

export const useOverview = (id: string) =>
  useQuery({
    queryKey: ['overview', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/task/{id}/overview', { params: { path: { id } }, signal })),
    enabled: id !== '',
    refetchInterval: liveMs,
  });

export const useTimeline = (id: string, bucket: 'hour' | 'minute') =>
  useQuery({
    queryKey: ['timeline', id, bucket],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/task/{id}/timeline', { params: { path: { id }, query: { bucket } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: 2 * slowMs,
  });

export const useHistory = (id: string) =>
  useQuery({
    queryKey: ['history', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/task/{id}/history', { params: { path: { id } }, signal })),
  });

export type OutcomeFilter = 'all' | TaskContact['outcome'];

export const useTaskContacts = (id: string, outcome: OutcomeFilter, pageToken: string | undefined) =>
  useQuery({
    queryKey: ['task-contacts', id, outcome, pageToken],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/task/{id}/contacts', {
          params: {
            path: { id },
            query: { outcome, pageSize: 25, ...(pageToken === undefined ? {} : { pageToken }) },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: slowMs,
  });

export const useSources = (name: string, page: number, pageSize = 20, enabled = true) =>
  useQuery({
    queryKey: ['sources', { name, page, pageSize }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/dataSource/list', {
          params: { query: { pageNum: page, pageSize, ...(name === '' ? {} : { dataSourceName: name }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    enabled,
  });

export const useSource = (id: string | undefined) =>
  useQuery({
    queryKey: ['source', id],
    queryFn: () => dataOf(api.GET('/api/dataSource/detail/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined && id !== '',
  });

export const useContacts = (id: string, phoneNumber: string, page: number, pageSize = 25) =>
  useQuery({
    queryKey: ['contacts', id, { phoneNumber, page, pageSize }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/dataSource/{id}/contacts', {
          params: {
            path: { id },
            query: { pageNum: page, pageSize, ...(phoneNumber === '' ? {} : { phoneNumber }) },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const useImports = (id: string, page: number, fast = false) =>
  useQuery({
    queryKey: ['imports', id, page],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/dataSource/{id}/contact/imports', {
          params: { path: { id }, query: { pageNum: page, pageSize: 20 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: fast ? liveMs : slowMs,
  });
