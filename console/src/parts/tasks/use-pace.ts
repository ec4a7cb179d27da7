import { useQueries } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import type { TaskOverview } from '../../../../client/answers.ts';
import { bucketMs } from '../../../../shared/domain/tasks/timeline.ts';
import { type Pace, paceOf } from './pace.ts';
import { timelineQuery } from './queries.ts';

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

const untilNextMinute = () => bucketMs.minute - (Date.now() % bucketMs.minute);

/** Of the tasks that call now. Whole minutes are counted, so each is asked for when a minute has ended. */
export const usePaces = (tasks: readonly TaskOverview[]): ReadonlyMap<string, Pace | undefined> => {
  const isSettled = useIsSettled(tasks.length > 0);
  const active = isSettled ? tasks.filter(({ dialing }) => dialing.active) : [];
  const timelines = useQueries({
    queries: active.map(({ id }) => ({
      ...timelineQuery(id, 'minute', -1),
      refetchInterval: untilNextMinute,
    })),
  });
  const now = Date.now();
  return new Map(
    active.map((task, i) => {
      const { data } = timelines[i] ?? {};
      return [task.id, data && paceOf(task, data, now)];
    }),
  );
};
