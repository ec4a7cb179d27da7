import { keepPreviousData, queryOptions, type UseQueryResult, useQueries } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TaskBoard, TaskContact, TaskOverview } from '../../../../client/client.ts';
import { type Bucket, perMinuteOf, type TimelineRow } from '../../../../shared/calls/rules/timeline.ts';
import { overviewsAtMost } from '../../../../shared/insight/rules/task-overview.ts';
import { askedOnce, given, read } from '../../api/client.ts';
import { loadZonesOf } from '../../base/zone-table.ts';
import { instantOf } from '../../i18n/i18n.ts';

/** Everything that shows tasks. */
export const taskKeys = [
  ...['tasks', 'overviews', 'overview', 'outlook', 'timeline', 'day', 'history', 'task-contacts'],
  ...['calls', 'call'],
];

type TaskFilter = { name: string; status: number | undefined; page: number; pageSize: number };

/** To choose a task by its name. */
export const taskListQuery = (name: string, pageSize: number) =>
  queryOptions({
    queryKey: ['tasks', name, pageSize],
    queryFn: ({ signal }) =>
      read('/api/task/list', { query: given({ pageNum: 1, pageSize, taskName: name }) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/**
 * A page of tasks with all that is shown of them, so that a screen opens with one request. From
 * then on the overviews of these tasks are fetched every 5 seconds, and the list of tasks twice a
 * minute. `today`: also what needs attention, and the calls of that day.
 */
export const boardQuery = ({ name, status, page, pageSize }: TaskFilter, today?: string) =>
  queryOptions({
    queryKey: ['tasks', 'board', { name, status, page, pageSize, today }],
    queryFn: async ({ signal, client }) => {
      const isToday = today !== undefined;
      const query = {
        ...given({ taskName: name, pageNum: page, pageSize, status, day: today }),
        attention: isToday,
        imports: isToday,
      };
      const board = await read('/api/task/board', { query }, signal);
      if (board.day) client.setQueryData(['day', today], board.day);
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
    // The board and the overviews bring those of today.
    ...(isToday ? { enabled: false } : askedOnce),
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

const afterMs = 1000;

/** Whether what is most needed has been on the screen for a second: the rest is asked for then. */
export const useIsSettled = (isShown: boolean): boolean => {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setSettled(true), afterMs);
    return () => clearTimeout(timer);
  }, [isShown]);
  return isSettled;
};

/** Asked for again when calls of a task have ended, otherwise every five minutes. A timeline that fails keeps its rows. */
export const useTimelines = (tasks: readonly TaskOverview[], bucket: Bucket, enabled = true): Timeline[] => {
  const timelines = useQueries({
    queries: tasks.map(({ id }) => ({ ...timelineQuery(id, bucket), enabled })),
  });
  const known = useRef(new Map<string, number>());
  useEffect(() => {
    for (const [i, { id, calls }] of tasks.entries()) {
      const before = known.current.get(`${id} ${bucket}`) ?? calls.total;
      known.current.set(`${id} ${bucket}`, calls.total);
      if (enabled && before !== calls.total) void timelines[i]?.refetch();
    }
  }, [enabled, bucket, tasks.map(({ id, calls }) => `${id} ${calls.total}`).join()]);
  return timelines;
};

/** The calls of the last minutes by task, when they were read. */
export type Recent = Pick<TaskBoard, 'minutes'> & { at: number };

/** Calls a minute, by the rule of the service. */
export const recentPace = (rows: TaskBoard['minutes'][string], at: number): number =>
  perMinuteOf(
    rows.map((row) => ({ ...row, time: instantOf(row.time) })),
    at,
  );

/** How many contacts become callable, hour by hour, and the pace of now. */
export const outlookQuery = (id: string) =>
  queryOptions({
    queryKey: ['outlook', id],
    queryFn: ({ signal }) => read('/api/task/{id}/outlook', { path: { id } }, signal),
    refetchInterval: 30_000,
  });
