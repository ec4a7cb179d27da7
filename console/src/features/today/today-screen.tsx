import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/client.ts';
import { serviceDay } from '../../../../shared/calls/rules/timeline.ts';
import { dayMs } from '../../../../shared/platform/time/time.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { settings } from '../../base/page-settings.ts';
import { useChange } from '../../base/store.ts';
import { dayText, instantOf, momentText, useWords } from '../../i18n/i18n.ts';
import {
  boardQuery,
  dayQuery,
  overviewsQuery,
  type Recent,
  useIsSettled,
} from '../../parts/tasks/queries.ts';
import { NoTasks, SampleBanner } from '../../parts/tasks/sample.tsx';
import { taskColumns } from '../../parts/tasks/task-columns.tsx';
import { stageOf, stages, waitingOf } from '../../parts/tasks/task-words.ts';
import type { Stage } from '../../ui/figures/figures.tsx';
import { useAddress } from '../../ui/lists/list.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { AgedNote, Awaited, agedWords, Card, Page } from '../../ui/page/page.tsx';
import { Attention } from './attention.tsx';
import { Callbacks } from './callbacks.tsx';
import { Day, DayPicker, today } from './day.tsx';
import { Strip } from './strip.tsx';

/** The most running tasks that are shown. */
const tasksAtMost = 50;

// Not needed for the first screen, unless imports run.
const CurrentImports = lazy(() => import('./current-imports.tsx'), 'CurrentImports', {});

type RunningProps = { tasks: readonly TaskOverview[]; total: number; recent: Recent };

/** The running tasks, as in the list of tasks. */
const Running = ({ tasks, total, recent }: RunningProps) => {
  const t = useWords();
  const count = (stage: Stage) => tasks.filter((task) => stageOf(task) === stage).length;
  const said = stages
    .filter((stage) => count(stage) > 0)
    .map((stage) => t.today.inStage(count(stage), stage));
  const asked = tasks.flatMap(({ dialing }) => dialing.lastLeaseTime ?? []).map(instantOf);
  const callable = tasks.reduce((sum, task) => sum + task.contacts.callable, 0);
  const later = tasks.reduce((sum, task) => sum + waitingOf(task), 0);
  const last = asked.length === 0 ? [] : [t.today.lastDialer(momentText(Math.max(...asked)))];
  return (
    <Card
      title={t.today.running(total)}
      note={[...said, t.waits.total(callable, later), ...last].join(' · ')}
      tools={<Link href="/tasks">{t.today.allTasks}</Link>}
    >
      <Table
        rows={tasks}
        idOf={({ id }) => id}
        columns={taskColumns(recent, undefined, t).slice(0, -1)}
        cards
      />
      <Callbacks tasks={tasks} />
    </Card>
  );
};

/**
 * What happens now, what is broken, which tasks run, and all calls of today or of a day before.
 */
export const TodayScreen = () => {
  const t = useWords();
  const address = useAddress();
  const chosen = address.text('date');
  const date = serviceDay(chosen, settings.timeZone) === undefined ? today() : chosen;
  const isToday = date === today();
  const filter = { name: '', status: status.running, page: 1, pageSize: tasksAtMost };
  const running = useQuery(boardQuery(filter, today()));
  const isIdle = running.data?.total === 0;
  const hasAny = Object.values(running.data?.byStatus ?? {}).some((count) => count > 0);
  const overviews = useQuery(
    overviewsQuery(
      (running.data?.rows ?? []).map(({ id }) => id),
      isToday ? date : undefined,
    ),
  );
  // A task that has been paused or has ended since the list was read runs no longer.
  const tasks = (running.data?.rows ?? [])
    .flatMap(({ id }) => overviews.data?.get(id) ?? [])
    .filter((task) => task.status === status.running);
  // A task that has left needs attention, or is over.
  useChange(overviews.data && tasks.length, () => void running.refetch());
  const day = useQuery(dayQuery(date, isToday));
  // Between two readings of the day its calls come with the overviews.
  const isOld = day.isError || (isToday && overviews.isError);
  // It does not change any more.
  const before = useQuery({
    ...dayQuery(new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10), false),
    enabled: useIsSettled(day.data !== undefined),
  });
  const shown = {
    date,
    day: day.data,
    dayBefore: before.data,
    age: agedWords({ ...day, isError: isOld }, t),
  };
  const recent = { minutes: running.data?.minutes ?? {}, at: running.dataUpdatedAt };
  const hasNoTasks = isIdle && !hasAny && day.data?.calls.total === 0;
  return (
    <Page
      title={isToday ? t.today.title : dayText(date)}
      actions={
        <DayPicker
          date={date}
          day={day.data}
          onDate={(next) => address.change({ date: next === today() ? undefined : next })}
        />
      }
    >
      {running.data && <SampleBanner />}
      {isToday && tasks.length > 0 && running.data && (
        <Strip tasks={tasks} recent={recent} day={day.data} dayBefore={before.data} />
      )}
      {isToday && running.data && (
        <>
          <Attention tasks={[...tasks, ...running.data.attention]} imports={running.data.imports} />
          {running.data.runningImports.length > 0 && <CurrentImports found={running.data.runningImports} />}
        </>
      )}
      {isToday && <Awaited query={running} />}
      {isToday && hasNoTasks && <NoTasks />}
      {isToday && running.data && !hasNoTasks && <AgedNote query={overviews.isError ? overviews : running} />}
      {isToday && running.data && !isIdle && !overviews.data && <Awaited query={overviews} />}
      {isToday && running.data && tasks.length > 0 && (
        <Running tasks={tasks} total={running.data.total} recent={recent} />
      )}
      {(!isToday || (running.data && !hasNoTasks)) && (
        <Day {...shown} stages={new Map(tasks.map((task) => [task.id, stageOf(task)]))} />
      )}
    </Page>
  );
};
