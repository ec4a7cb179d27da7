import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import type { TaskOverview } from '../../../../../client/client.ts';
import { status } from '../../../../../shared/tasks/rules/task-states.ts';
import { instantOf } from '../../../i18n/i18n.ts';
import { boardQuery, overviewsQuery, taskListQuery, useIsSettled } from '../../../parts/tasks/queries.ts';
import { connectRateOf, progressOf, stageOf, stages } from '../../../parts/tasks/task-words.ts';
import type { Stage } from '../../../ui/figures/figures.tsx';
import type { Address } from '../../../ui/lists/list.tsx';

/** The most tasks of a state that are sorted and filtered here; beyond that the service's order stays. */
const sortedAtMost = 200;
/** All of them are read for their order only. */
const orderMs = 60_000;

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

/** What a list of tasks has of each. */
const rowOf = ({ id, taskName, taskDesc, status: state, contacts }: TaskOverview) => ({
  ...{ id, taskName, taskDesc, status: state },
  contactCount: contacts.total,
});

/** Running and paused tasks are few enough to be ordered. */
export const isSortable = (state: number | undefined) => state === status.running || state === status.paused;

/** How many running tasks call, wait and are stuck; unknown where there are more than are read here. */
export const useStageCounts = (name: string, isShown: boolean): Record<Stage, number> | undefined => {
  const enabled = useIsSettled(isShown) && isShown;
  const filter = { name, status: status.running, page: 1, pageSize: sortedAtMost };
  const running = useQuery({ ...taskListQuery(filter), enabled });
  const ids = enabled ? (running.data?.rows ?? []).map(({ id }) => id) : [];
  const known = useQuery({ ...overviewsQuery(ids), refetchInterval: orderMs });
  if (!running.data || running.data.total > sortedAtMost || (ids.length > 0 && !known.data)) return undefined;
  const found = ids
    .flatMap((id) => known.data?.get(id) ?? [])
    .filter((task) => task.status === status.running);
  const count = (stage: Stage) => found.filter((task) => stageOf(task) === stage).length;
  return { calling: count('calling'), waiting: count('waiting'), stuck: count('stuck') };
};

/** The page of tasks that the address asks for, and their overviews as far as they are known. */
export const useTaskList = ({ name, status: state, sort, stage }: Filter, page: number, pageSize: number) => {
  const isOrdered = isSortable(state) && (sort !== undefined || stage !== undefined);
  const board = useQuery(boardQuery({ name, status: state, page, pageSize }));
  const whole = { name, status: state, page: 1, pageSize: sortedAtMost };
  const listed = useQuery({ ...taskListQuery(whole), enabled: isOrdered });
  const all = isOrdered ? (listed.data?.rows ?? []) : (board.data?.rows ?? []).map(rowOf);
  const orderedIds = isOrdered ? all.map(({ id }) => id) : [];
  const known = useQuery({ ...overviewsQuery(orderedIds), refetchInterval: orderMs });
  const isWaiting = isOrdered && all.length > 0 && (known.data === undefined || known.isPlaceholderData);
  const ordered = all.flatMap((row) => {
    const task = known.data?.get(row.id);
    return task && (stage === undefined || stageOf(task) === stage) ? { row, task } : [];
  });
  if (sort !== undefined) ordered.sort((a, b) => orders[sort](a.task, b.task));
  const rows = isOrdered ? ordered.slice((page - 1) * pageSize, page * pageSize).map(({ row }) => row) : all;
  const shown = isOrdered ? listed : board;
  const total = isOrdered ? ordered.length : (board.data?.total ?? 0);
  const live = useQuery(overviewsQuery(rows.map(({ id }) => id)));
  // A task that has moved on no longer belongs under its state.
  const hasLeft = rows.some(
    ({ id }) => state !== undefined && (live.data?.get(id)?.status ?? state) !== state,
  );
  useEffect(() => {
    if (hasLeft) void Promise.all([board.refetch(), isOrdered && listed.refetch()]);
  }, [hasLeft]);
  return {
    query: {
      ...shown,
      data: shown.data && !isWaiting ? { total, rows } : undefined,
      isPending: shown.isPending || isWaiting,
    },
    board,
    isOrdered,
    overviews: live.data,
    live,
    /** There are more than can be ordered: the rest is left out, which the reader is told. */
    isCut: isOrdered && (listed.data?.total ?? 0) > sortedAtMost,
  };
};
