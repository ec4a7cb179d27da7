import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/preact-query';
import type { TaskContact, TaskOverview } from '../../../client/answers.ts';
import { api, dataOf } from '../api/client.ts';
import { everyMs, liveMs, units } from './reading.ts';

const slowMs = 300_000;
const closed = 6;

export type TaskFilter = { name: string; status: number | undefined; page: number; pageSize: number };

const listed = ({ name, status, page, pageSize }: TaskFilter, signal: AbortSignal) =>
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
  );

type TaskList = Awaited<ReturnType<typeof listed>>;

/** A filter is looked for in all tasks, which costs more. */
const newsMs = ({ name, status }: TaskFilter) => (name === '' && status === undefined ? 60_000 : slowMs);

/** As little as tells whether there are other tasks now than those of the list. */
const hasNews = async (before: TaskList, filter: TaskFilter, signal: AbortSignal): Promise<boolean> => {
  const { total, rows } = await listed({ ...filter, page: 1, pageSize: 1 }, signal);
  return total !== before.total || (filter.page === 1 && rows[0]?.id !== before.rows[0]?.id);
};

/** The whole list at first and after a change; then only when something is new in it. */
export const useTasks = (filter: TaskFilter) => {
  const queries = useQueryClient();
  const queryKey = ['tasks', filter];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<TaskList>(queryKey);
      const isAsked = queries.getQueryState(queryKey)?.isInvalidated === true;
      if (before !== undefined && !isAsked && !(await hasNews(before, filter, signal))) return before;
      return listed(filter, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: newsMs(filter),
  });
};

/** One that is closed will not change any more. */
export const useOverview = (id: string) =>
  useQuery({
    queryKey: ['overview', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/task/{id}/overview', { params: { path: { id } }, signal })),
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data?.status === closed ? false : liveMs),
  });

export const useTimeline = (id: string, bucket: 'hour' | 'minute') =>
  useQuery({
    queryKey: ['timeline', id, bucket],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/task/{id}/timeline', { params: { path: { id }, query: { bucket } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Asked for again when the task shows that something was done to it. */
export const useHistory = ({ id, status, updateTime, endTime }: TaskOverview) =>
  useQuery({
    queryKey: ['history', id, status, updateTime, endTime],
    queryFn: ({ signal }) => dataOf(api.GET('/api/task/{id}/history', { params: { path: { id } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: slowMs,
  });

export type OutcomeFilter = 'all' | TaskContact['outcome'];

export const useTaskContacts = (
  id: string,
  outcome: OutcomeFilter,
  pageToken: string | undefined,
  task: TaskOverview | undefined,
) =>
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
    refetchInterval: everyMs(units.contacts, task),
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

const sourceQuery = (id: string | undefined) => ({
  queryKey: ['source', id],
  queryFn: () => dataOf(api.GET('/api/dataSource/detail/{id}', { params: { path: { id: id ?? '' } } })),
});

export const useSource = (id: string | undefined) =>
  useQuery({ ...sourceQuery(id), enabled: id !== undefined && id !== '' });

/** The names of lists, those that are not known looked up; meanwhile an ellipsis. */
export const useSourceNames = (lists: readonly { id: string; name: string | undefined }[]): string[] => {
  const found = useQueries({
    queries: lists.map(({ id, name }) => ({
      ...sourceQuery(id),
      enabled: name === undefined,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  return lists.map(({ name }, i) => name ?? found[i]?.data?.dataSourceName ?? '…');
};

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

const importsMs = 30_000;

export const useImports = (id: string, page: number) =>
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
    refetchInterval: importsMs,
  });
