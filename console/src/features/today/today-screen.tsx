import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/answers.ts';
import { status } from '../../../../shared/domain/tasks/task-states.ts';
import type { TimelineRow } from '../../../../shared/domain/tasks/timeline.ts';
import { instantOf, momentText, numberText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';
import { CallsCard, callsByBucket } from '../../parts/tasks/calls-chart.tsx';
import { callsOf } from '../../parts/tasks/pace.ts';
import { overviewsQuery, taskListQuery } from '../../parts/tasks/queries.ts';
import { NoTasks, SampleBanner } from '../../parts/tasks/sample.tsx';
import {
  connectRateOf,
  shareOf,
  shareText,
  stageOf,
  stages,
  whyWords,
} from '../../parts/tasks/task-words.ts';
import { useIsSettled, useTimelines } from '../../parts/tasks/use-pace.ts';
import { NamedLink, Tiles } from '../../ui/figures/facts.tsx';
import { AgedNote, agedWords } from '../../ui/page/aged.tsx';
import { Awaited, Card, Empty, Page } from '../../ui/page/page.tsx';
import { Attention } from './attention.tsx';

/** The most running tasks that are shown, and the most whose calls are added up for the chart. */
const tasksAtMost = 50;
const chartedAtMost = 20;

/** The calls of several tasks together, from midnight on. */
const addedUp = (rows: readonly TimelineRow[]): TimelineRow[] => {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const sums = new Map<number, TimelineRow>();
  for (const { time, success, failed, noAnswer } of rows.filter(({ time }) => time >= midnight)) {
    const sum = sums.get(time) ?? { time, success: 0, failed: 0, noAnswer: 0 };
    sum.success += success;
    sum.failed += failed;
    sum.noAnswer += noAnswer;
    sums.set(time, sum);
  }
  return [...sums.values()].sort((a, b) => a.time - b.time);
};

/** Calls of today by hour, of the running tasks with the most calls. */
const useCallsToday = (tasks: readonly TaskOverview[]) => {
  const isSettled = useIsSettled(tasks.length > 0);
  const charted = [...tasks].sort((a, b) => b.calls.total - a.calls.total).slice(0, chartedAtMost);
  const timelines = useTimelines(
    charted.filter(({ calls }) => calls.total > 0),
    'hour',
    isSettled,
  );
  const failed = timelines.filter(({ isError }) => isError);
  return {
    rows: addedUp(timelines.flatMap(({ data }) => data ?? [])),
    charted: charted.length,
    isPending: timelines.some(({ data, isError }) => data === undefined && !isError),
    /** The oldest of the timelines that could not be read. */
    oldest: failed.toSorted((a, b) => a.dataUpdatedAt - b.dataUpdatedAt)[0],
  };
};

const Stages = ({ tasks }: { tasks: readonly TaskOverview[] }) => {
  const t = useWords();
  const note = (task: TaskOverview) =>
    whyWords(task, t) ??
    `${t.today.inCalls(task.contacts.inCall)} · ${t.task.connectRate} ${shareText(connectRateOf(task))}`;
  return (
    <div class="columns">
      {stages.map((stage) => {
        const those = tasks.filter((task) => stageOf(task) === stage);
        return (
          <Card key={stage} title={`${t.tasks.stages[stage]} · ${numberText(those.length)}`}>
            <ul class="stack">
              {those.map((task) => (
                <li key={task.id}>
                  <NamedLink href={`/tasks/${task.id}`} name={task.taskName} />
                  <div class={stage === 'calling' ? 'sub' : 'sub why'}>{note(task)}</div>
                </li>
              ))}
            </ul>
            {those.length === 0 && <p class="faint">{t.common.none}</p>}
          </Card>
        );
      })}
    </div>
  );
};

const Day = ({ tasks, total }: { tasks: readonly TaskOverview[]; total: number }) => {
  const t = useWords();
  const { rows, charted, isPending, oldest } = useCallsToday(tasks);
  const age = oldest && agedWords(oldest, t);
  const sum = (of: (row: TimelineRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  const calls = sum(callsOf);
  const connected = sum(({ success }) => success);
  const inCall = tasks.reduce((all, { contacts }) => all + contacts.inCall, 0);
  const asked = tasks.flatMap(({ dialing }) => dialing.lastLeaseTime ?? []).map(instantOf);
  const known = (text: string) => (isPending ? '…' : text);
  return (
    <>
      <Tiles
        figures={[
          { label: t.today.running, value: numberText(total) },
          { label: t.outcome.inCall, value: numberText(inCall) },
          { label: t.today.calls, value: known(numberText(calls)), note: age },
          { label: t.task.connectRate, value: known(shareText(shareOf(connected, calls))), note: age },
          {
            label: t.today.lastDialer,
            value: asked.length === 0 ? t.today.never : momentText(Math.max(...asked)),
          },
        ]}
      />
      <CallsCard
        title={t.today.chart}
        rows={callsByBucket(rows, 'hour', Date.now())}
        bucket="hour"
        none={known(t.today.noCalls)}
        note={charted < total && t.today.part(charted, total)}
        age={age}
      />
      <Stages tasks={tasks} />
    </>
  );
};

/** All running tasks: their calls of today, which of them call now, and what is stuck and why. */
export const TodayScreen = () => {
  const t = useWords();
  const filter = { name: '', page: 1, pageSize: tasksAtMost };
  const running = useQuery(taskListQuery({ ...filter, status: status.running }));
  const isIdle = running.data?.total === 0;
  const any = useQuery({ ...taskListQuery({ ...filter, status: undefined, pageSize: 1 }), enabled: isIdle });
  const overviews = useQuery(overviewsQuery((running.data?.rows ?? []).map(({ id }) => id)));
  // A task that has been paused or has ended since the list was read runs no longer.
  const tasks = (running.data?.rows ?? [])
    .flatMap(({ id }) => overviews.data?.get(id) ?? [])
    .filter((task) => task.status === status.running);
  return (
    <Page title={t.today.title}>
      {running.data && <SampleBanner />}
      {running.data && <Attention running={tasks} />}
      <Awaited query={running} />
      {isIdle && any.data?.total === 0 && <NoTasks />}
      {isIdle && (any.data?.total ?? 0) > 0 && (
        <Empty icon="tasks" words={t.today.noTasks}>
          <Link href="/tasks">{t.notFound.home}</Link>
        </Empty>
      )}
      {!isIdle &&
        running.data &&
        (overviews.data ? (
          <>
            <AgedNote query={overviews} />
            <Day tasks={tasks} total={running.data.total} />
          </>
        ) : (
          <Awaited query={overviews} />
        ))}
    </Page>
  );
};
