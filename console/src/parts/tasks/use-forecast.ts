import { type UseQueryResult, useQueries } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TaskBoard, TaskOverview } from '../../../../client/client.ts';
import { type Bucket, bucketMs } from '../../../../shared/calls/rules.ts';
import { status } from '../../../../shared/tasks/rules.ts';
import { callingHours, settings } from '../../base/page-settings.ts';
import { instantOf } from '../../i18n/format.ts';
import { type Forecast, forecastOf } from './forecast.ts';
import { type Timeline, timelineQuery } from './queries.ts';
import { stageOf } from './task-words.ts';

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

/** The timeline of a task that waits changes little. */
const waitingMs = 5 * bucketMs.minute;
const untilNextMinute = () => bucketMs.minute - (Date.now() % bucketMs.minute);

/** `timeline`: what the forecast was computed from. It may be old, or may have failed. */
export type KnownForecast = { forecast: Forecast | undefined; timeline: Timeline };

const rules = {
  zone: settings.timeZone,
  callingHours,
  callsPerNumber: settings.maxCallsPerNumberPerDay,
};

/** A forecast takes some milliseconds: it is computed once for what was read. */
const computed = new WeakMap<TaskOverview, { at: number; forecast: Forecast | undefined }>();

const knownForecast = (task: TaskOverview, timeline: Timeline): KnownForecast => {
  const { data, dataUpdatedAt: at } = timeline;
  const known = computed.get(task);
  if (data === undefined || known?.at === at) return { forecast: known?.forecast, timeline };
  const forecast = forecastOf(task, data, at, rules);
  computed.set(task, { at, forecast });
  return { forecast, timeline };
};

/** Whether calls have shown what is to be expected of a task that runs. */
const isForeseen = ({ status: state, calls }: TaskOverview) => state === status.running && calls.total > 0;

/** Of the tasks of a board that run and have called. */
export const boardForecasts = (
  board: UseQueryResult<TaskBoard>,
  tasks: readonly TaskOverview[],
): ReadonlyMap<string, KnownForecast> =>
  new Map(
    tasks.flatMap((task) => {
      const rows = board.data?.minutes[task.id];
      if (rows === undefined || !isForeseen(task)) return [];
      const data = rows.map((row) => ({ ...row, time: instantOf(row.time) }));
      return [[task.id, knownForecast(task, { ...board, data })]];
    }),
  );

/** Of the tasks that run and have called. Asked for when a minute has ended, less often while a task waits. */
export const useForecasts = (tasks: readonly TaskOverview[]): ReadonlyMap<string, KnownForecast> => {
  const isSettled = useIsSettled(tasks.length > 0);
  const active = isSettled ? tasks.filter(isForeseen) : [];
  const timelines: Timeline[] = useQueries({
    queries: active.map((task) => ({
      ...timelineQuery(task.id, 'minute', 'forecast'),
      refetchInterval: stageOf(task) === 'calling' ? untilNextMinute : waitingMs,
    })),
  });
  return new Map(
    timelines.map((timeline, i) => {
      const task = active[i] as TaskOverview;
      return [task.id, knownForecast(task, timeline)];
    }),
  );
};
