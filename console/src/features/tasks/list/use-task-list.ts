import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import type { TaskOverview } from '../../../../../client/client.ts';
import { boardAtMost } from '../../../../../shared/insight/rules/task-overview.ts';
import { status } from '../../../../../shared/tasks/rules/task-states.ts';
import { instantOf } from '../../../i18n/i18n.ts';
import { boardQuery, overviewsQuery } from '../../../parts/tasks/queries.ts';
import { connectRateOf, progressOf, stageOf, stages } from '../../../parts/tasks/task-words.ts';
import type { Address } from '../../../ui/lists/list.tsx';

const startOf = ({ startTime }: TaskOverview) => (startTime === null ? 0 : instantOf(startTime));
const orders = {
  name: (a, b) => a.taskName.localeCompare(b.taskName),
  start: (a, b) => startOf(b) - startOf(a),
  progress: (a, b) => (progressOf(b) ?? -1) - (progressOf(a) ?? -1),
  connectRate: (a, b) => (connectRateOf(b) ?? -1) - (connectRateOf(a) ?? -1),
} satisfies Record<string, (a: TaskOverview, b: TaskOverview) => number>;
export const sorts = Object.keys(orders) as (keyof typeof orders)[];

/** What the list of tasks shows, as its address says. */
export const filterIn = (address: Address) => {
  const state = address.text('status');
  return {
    name: address.text('q'),
    status: /^[0-6]$/.test(state) ? Number(state) : undefined,
    sort: sorts.find((sort) => sort === address.text('sort')),
    stage: stages.find((stage) => stage === address.text('stage')),
  };
};

type Filter = ReturnType<typeof filterIn>;

/** Running and paused tasks are few enough to be ordered here. */
export const isSortable = (state: number | undefined) => state === status.running || state === status.paused;

/** The page of tasks that the address asks for, with their overviews. */
export const useTaskList = ({ name, status: state, sort, stage }: Filter, page: number, pageSize: number) => {
  const isWhole = isSortable(state);
  const asked = isWhole ? { page: 1, pageSize: boardAtMost } : { page, pageSize };
  const board = useQuery(boardQuery({ name, status: state, ...asked }));
  const all = board.data?.rows ?? [];
  const found = isWhole ? all.filter((task) => stage === undefined || stageOf(task) === stage) : all;
  if (isWhole && sort !== undefined) found.sort(orders[sort]);
  const rows = isWhole ? found.slice((page - 1) * pageSize, page * pageSize) : found;
  const live = useQuery(overviewsQuery(rows.map(({ id }) => id)));
  const tasks = rows.map((task) => live.data?.get(task.id) ?? task);
  // A task that has moved on no longer belongs under its state.
  const hasLeft = tasks.some((task) => state !== undefined && task.status !== state);
  useEffect(() => {
    if (hasLeft) void board.refetch();
  }, [hasLeft]);
  const isCut = isWhole && (board.data?.total ?? 0) > boardAtMost;
  return {
    query: {
      ...board,
      data: board.data && { total: isWhole ? found.length : board.data.total, rows: tasks },
    },
    board,
    live,
    counts: Object.fromEntries(
      stages.map((each) => [each, all.filter((task) => stageOf(task) === each).length]),
    ),
    /** There are more than can be ordered: the rest is left out, which the reader is told. */
    isCut,
  };
};
