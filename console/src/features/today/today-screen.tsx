import { useQuery } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../../client/client.ts';
import { serviceDay } from '../../../../shared/calls/rules/timeline.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { settings } from '../../base/page-settings.ts';
import { useChange } from '../../base/store.ts';
import { type Dictionary, dayText, instantOf, momentText, numberText, useWords } from '../../i18n/i18n.ts';
import { boardForecasts, boardQuery, dayQuery, overviewsQuery } from '../../parts/tasks/queries.ts';
import { NoTasks, SampleBanner } from '../../parts/tasks/sample.tsx';
import { connectRateText, endWords, stageOf, stages, whyWords } from '../../parts/tasks/task-words.ts';
import { type Figure, NamedLink, Sub, Tiles } from '../../ui/figures/figures.tsx';
import { useAddress } from '../../ui/lists/list.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { AgedNote, Awaited, agedWords, Card, Page } from '../../ui/page/page.tsx';
import { Attention } from './attention.tsx';
import { Day, DayPicker, dayFigures, today } from './day.tsx';

/** The most running tasks that are shown. */
const tasksAtMost = 50;

// Not needed for the first screen, unless imports run.
const CurrentImports = lazy(() => import('./current-imports.tsx'), 'CurrentImports', {});

type Forecasts = ReturnType<typeof boardForecasts>;

const Stages = ({ tasks, forecasts }: { tasks: readonly TaskOverview[]; forecasts: Forecasts }) => {
  const t = useWords();
  const note = (task: TaskOverview) =>
    whyWords(task, t) ??
    `${t.today.inCalls(task.contacts.inCall)} · ${t.task.connectRate} ${connectRateText(task.calls, t)}`;
  const end = (task: TaskOverview) => {
    const forecast = forecasts.get(task.id)?.forecast;
    const { value, note } = endWords(task, forecast, t);
    return forecast?.end && t.today.ends(value, note);
  };
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
                  <Sub text={end(task)} />
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

/** What happens now. */
const nowFigures = (tasks: readonly TaskOverview[], total: number, t: Dictionary): Figure[] => {
  const asked = tasks.flatMap(({ dialing }) => dialing.lastLeaseTime ?? []).map(instantOf);
  return [
    { label: t.today.running, value: numberText(total) },
    {
      label: t.standing.inCall,
      value: numberText(tasks.reduce((all, { contacts }) => all + contacts.inCall, 0)),
    },
    // Tasks that have ended are not read: a dialer may have asked for their calls.
    ...(asked.length === 0 ? [] : [{ label: t.today.lastDialer, value: momentText(Math.max(...asked)) }]),
  ];
};

/**
 * What needs attention, all calls of today or of a day before, and which of the running tasks call now, which wait and why.
 */
export const TodayScreen = () => {
  const t = useWords();
  const address = useAddress();
  const chosen = address.text('date');
  const date = serviceDay(chosen, settings.timeZone) === undefined ? today() : chosen;
  const isToday = date === today();
  const filter = { name: '', status: status.running, page: 1, pageSize: tasksAtMost };
  const running = useQuery(boardQuery(filter, true));
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
  const shown = { date, day: day.data, age: agedWords({ ...day, isError: isOld }, t) };
  const hasNoTasks = isIdle && !hasAny && day.data?.calls.total === 0;
  const now = isToday && (overviews.data || isIdle) ? nowFigures(tasks, running.data?.total ?? 0, t) : [];
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
      {isToday && running.data && (
        <>
          <Attention tasks={[...tasks, ...running.data.attention]} imports={running.data.imports} />
          {running.data.runningImports.length > 0 && <CurrentImports found={running.data.runningImports} />}
        </>
      )}
      {isToday && <Awaited query={running} />}
      {isToday && hasNoTasks && <NoTasks />}
      {(!isToday || (running.data && !hasNoTasks)) && (
        <>
          {isToday && <AgedNote query={overviews.isError ? overviews : running} />}
          <Tiles figures={[...dayFigures(shown, t), ...now]} />
          <Day {...shown} stages={new Map(tasks.map((task) => [task.id, stageOf(task)]))} />
        </>
      )}
      {isToday &&
        running.data &&
        !isIdle &&
        (overviews.data ? (
          <Stages tasks={tasks} forecasts={boardForecasts(running, tasks)} />
        ) : (
          <Awaited query={overviews} />
        ))}
    </Page>
  );
};
