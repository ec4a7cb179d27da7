import { keepPreviousData, queryOptions, type UseQueryResult } from '@tanstack/preact-query';
import type { TaskContact, TaskOverview } from '../../../../client/client.ts';
import type { Bucket, TimelineRow } from '../../../../shared/calls/rules.ts';
import { overviewsAtMost } from '../../../../shared/insight/rules.ts';
import { askedOnce, given, read } from '../../api/client.ts';
import { loadZonesOf } from '../../base/zone-table.ts';
import { instantOf } from '../../i18n/format.ts';

/** Everything that shows tasks. */
export const taskKeys = [
  ...['tasks', 'overviews', 'overview', 'timeline', 'day', 'history', 'task-contacts'],
  ...['calls', 'call'],
];

type TaskFilter = { name: string; status: number | undefined; page: number; pageSize: number };

export const taskListQuery = ({ name, status, page, pageSize }: TaskFilter) =>
  queryOptions({
    queryKey: ['tasks', { name, status, page, pageSize }],
    queryFn: ({ signal }) =>
      read('/api/task/list', { query: given({ pageNum: page, pageSize, taskName: name, status }) }, signal),
    placeholderData: keepPreviousData,
    // A list tells which tasks there are; what each of them does, its overview tells every 5 seconds.
    refetchInterval: 30_000,
  });

/**
 * A page of tasks with all that is shown of them, so that a screen opens with one request. From then on the overviews of
 * these tasks are asked for every 5 seconds; which tasks there are, twice a minute.
 */
export const boardQuery = ({ name, status, page, pageSize }: TaskFilter, attention = false) =>
  queryOptions({
    queryKey: ['tasks', 'board', { name, status, page, pageSize, attention }],
    queryFn: async ({ signal, client }) => {
      const query = {
        ...given({ taskName: name, pageNum: page, pageSize, status }),
        attention,
        imports: attention,
      };
      const board = await read('/api/task/board', { query }, signal);
      await loadZonesOf(board.rows);
      const known = new Map(board.rows.map((overview) => [overview.id, overview]));
      client.setQueryData(overviewsQuery([...known.keys()]).queryKey, known);
      return board;
    },
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export type Overviews = ReadonlyMap<string, TaskOverview>;

/**
 * Tasks at a glance, by id; ids that are unknown are not in it. `date`: the calls of that day come with the answer if calls of
 * these tasks have ended since the answer before, so that a screen refreshes with one request.
 */
export const overviewsQuery = (ids: readonly string[], date?: string) =>
  queryOptions({
    queryKey: ['overviews', [...ids].sort()],
    queryFn: async ({ signal, client, queryKey }): Promise<Overviews> => {
      const known = [...(client.getQueryData<Overviews>(queryKey)?.values() ?? [])];
      const calls = known.reduce((sum, task) => sum + task.calls.total, 0);
      const more = date === undefined ? {} : { day: date, calls };
      const parts = Array.from({ length: Math.ceil(ids.length / overviewsAtMost) }, (_, i) =>
        ids.slice(i * overviewsAtMost, (i + 1) * overviewsAtMost),
      );
      const answers = await Promise.all(
        parts.map((part) => read('/api/task/overviews', { query: { ids: part.join(','), ...more } }, signal)),
      );
      for (const { day } of answers) if (day) client.setQueryData(['day', day.date], day);
      const overviews = answers.flatMap(({ rows }) => rows);
      await loadZonesOf(overviews);
      return new Map(overviews.map((overview) => [overview.id, overview]));
    },
    enabled: ids.length > 0,
    // Maps are compared by identity alone.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });

/** All calls of a day of the service. Days before today do not change any more. */
export const dayQuery = (date: string, isToday: boolean) =>
  queryOptions({
    queryKey: ['day', date],
    queryFn: ({ signal }) => read('/api/service/day', { query: { date } }, signal),
    ...(isToday ? { refetchInterval: 30_000 } : askedOnce),
  });

export const overviewQuery = (id: string) =>
  queryOptions({
    queryKey: ['overview', id],
    queryFn: async ({ signal }) => {
      const overview = await read('/api/task/{id}/overview', { path: { id } }, signal);
      await loadZonesOf([overview]);
      return overview;
    },
    enabled: id !== '',
  });

/** `use`: those of another use are asked for at other times. */
export const timelineQuery = (id: string, bucket: Bucket, use = 'chart') =>
  queryOptions({
    queryKey: ['timeline', id, bucket, use],
    queryFn: ({ signal }) => read('/api/task/{id}/timeline', { path: { id }, query: { bucket } }, signal),
    select: ({ rows }) => rows.map((row) => ({ ...row, time: instantOf(row.time) })),
    refetchInterval: 300_000,
    gcTime: 60_000,
  });

/** The rows as far as they are known, when they were read, and whether the last request failed. */
export type Timeline = Pick<
  UseQueryResult<TimelineRow[]>,
  'data' | 'dataUpdatedAt' | 'isError' | 'isPending'
> & {
  refetch: () => unknown;
};

/** Asked for again when the task shows that it was changed. */
export const historyQuery = ({ id, status, updateTime, endTime }: TaskOverview) =>
  queryOptions({
    queryKey: ['history', id, status, updateTime, endTime],
    queryFn: ({ signal }) => read('/api/task/{id}/history', { path: { id } }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });

export type StandingFilter = 'all' | TaskContact['outcome'];

type ContactFilter = { outcome: StandingFilter; phoneNumber: string; pageSize: number; pageToken: string };

export const taskContactsQuery = (id: string, filter: ContactFilter) =>
  queryOptions({
    queryKey: ['task-contacts', id, filter],
    queryFn: ({ signal }) => read('/api/task/{id}/contacts', { path: { id }, query: given(filter) }, signal),
    placeholderData: keepPreviousData,
    // A search may read every number of the list.
    ...(filter.phoneNumber === '' ? {} : { refetchInterval: false as const }),
  });
