import { type UseQueryResult, useQueries } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TaskBoard, TaskOverview } from '../../../../client/answers.ts';
import { type Bucket, bucketMs } from '../../../../shared/domain/tasks/timeline.ts';
import { callingHours } from '../../base/page-settings.ts';
import { instantOf } from '../../i18n/format.ts';
import { type Forecast, forecastOf } from './forecast.ts';
import { type Timeline, timelineQuery } from './queries.ts';

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

const untilNextMinute = () => bucketMs.minute - (Date.now() % bucketMs.minute);

/** `timeline`: what the forecast was computed from. It may be old, or may have failed. */
export type KnownForecast = { forecast: Forecast | undefined; timeline: Timeline };

const knownForecast = (task: TaskOverview, timeline: Timeline): KnownForecast => {
  const started = task.startTime === null ? 0 : instantOf(task.startTime);
  const forecast =
    timeline.data && forecastOf(task, timeline.data, timeline.dataUpdatedAt, { started, callingHours });
  return { forecast, timeline };
};

/** Of the tasks of a board that call now. */
export const boardForecasts = (
  board: UseQueryResult<TaskBoard>,
  tasks: readonly TaskOverview[],
): ReadonlyMap<string, KnownForecast> =>
  new Map(
    tasks.flatMap((task) => {
      const rows = board.data?.minutes[task.id];
      if (rows === undefined || !task.dialing.active) return [];
      const data = rows.map((row) => ({ ...row, time: instantOf(row.time) }));
      return [[task.id, knownForecast(task, { ...board, data })]];
    }),
  );

/** Of the tasks that call now. Asked for when a minute has ended. */
export const useForecasts = (tasks: readonly TaskOverview[]): ReadonlyMap<string, KnownForecast> => {
  const isSettled = useIsSettled(tasks.length > 0);
  const active = isSettled ? tasks.filter(({ dialing }) => dialing.active) : [];
  const timelines: Timeline[] = useQueries({
    queries: active.map(({ id }) => ({
      ...timelineQuery(id, 'minute', 'forecast'),
      refetchInterval: untilNextMinute,
    })),
  });
  return new Map(
    timelines.map((timeline, i) => {
      const task = active[i] as TaskOverview;
      return [task.id, knownForecast(task, timeline)];
    }),
  );
};
