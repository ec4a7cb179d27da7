import { type QueryClient, useQuery, useQueryClient } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../client/answers.ts';
import { api, dataOf } from '../api/client.ts';
import { dueNow, liveMs, type Seen } from './reading.ts';

type Rows = ReadonlyMap<string, Seen>;

const asked = async (ids: readonly string[], signal: AbortSignal): Promise<TaskOverview[]> => {
  if (ids.length === 0) return [];
  const query = { ids: ids.join(',') };
  return (await dataOf(api.GET('/api/task/overviews', { params: { query }, signal }))).rows;
};

/** What was seen of these tasks on this list or another, so that a page that comes back is there at once. */
const seenBefore = (queries: QueryClient): Map<string, Seen> => {
  const known = queries.getQueriesData<Rows>({ queryKey: ['overviews'] });
  return new Map(known.flatMap(([, rows]) => [...(rows ?? [])]));
};

/** Where a list shows a task. */
export const rowId = (taskId: string) => `task-${taskId}`;

const isInView = (taskId: string): boolean => {
  const row = document.getElementById(rowId(taskId))?.getBoundingClientRect();
  return row !== undefined && row.bottom > 0 && row.top < window.innerHeight;
};

/**
 * Tasks at a glance, each as fresh as the limit on reading allows: at first all of them, then those that move.
 * A change asks for all of them again.
 */
export const useLiveOverviews = (ids: readonly string[]) => {
  const queries = useQueryClient();
  const queryKey = ['overviews', ids];
  return useQuery<Rows>({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<Rows>(queryKey);
      const isAsked = before === undefined || queries.getQueryState(queryKey)?.isInvalidated === true;
      const due = isAsked ? ids : dueNow([...before.values()], Date.now(), isInView);
      const rows = await asked(due, signal);
      const at = Date.now();
      const fresh = rows.map((overview): [string, Seen] => [overview.id, { overview, at }]);
      return new Map([...(before ?? []), ...fresh]);
    },
    enabled: ids.length > 0,
    placeholderData: () => seenBefore(queries),
    // Maps are compared by identity alone.
    structuralSharing: false,
    refetchInterval: liveMs,
  });
};
