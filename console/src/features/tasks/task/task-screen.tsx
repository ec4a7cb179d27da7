import { useQuery } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../../../client/client.ts';
import { hasEnded, status, type TaskStatus } from '../../../../../shared/tasks/rules/task-states.ts';
import { connection } from '../../../api/client.ts';
import { useStore } from '../../../base/store.ts';
import {
  durationText,
  instantOf,
  momentText,
  percentText,
  secondsText,
  useWords,
} from '../../../i18n/i18n.ts';
import { CallsChart } from '../../../parts/tasks/calls-chart.tsx';
import { overviewQuery, useForecasts } from '../../../parts/tasks/queries.ts';
import { SampleBanner } from '../../../parts/tasks/sample.tsx';
import { StateLine } from '../../../parts/tasks/state-line.tsx';
import { type TaskTab, TaskTabs } from '../../../parts/tasks/task-tabs.tsx';
import {
  allows,
  connectRateText,
  coverageOf,
  endWords,
  firstDueWords,
  orDash,
  perMinuteText,
  progressText,
  remainingOf,
  selectedCounts,
  selectedText,
  settledOf,
  stageOf,
  talkTimeOf,
} from '../../../parts/tasks/task-words.ts';
import { StandingBar, StandingLegend, Tiles } from '../../../ui/figures/figures.tsx';
import { useAddress } from '../../../ui/lists/list.tsx';
import { AgedNote, Awaited, agedWords, Page } from '../../../ui/page/page.tsx';
import css from './task.module.css';
import { TaskActions } from './task-actions.tsx';
import { Dispositions, History, Pace, Reasons, TaskSettings } from './task-cards.tsx';

/** The figure that the task is about: who is left to call, or who was reached once it has ended. */
const Hero = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { forecast, timeline } = useForecasts([task]).get(task.id) ?? {};
  const age = timeline && agedWords(timeline, t);
  const isEnded = hasEnded(task.status as TaskStatus);
  const end = endWords(task, forecast, t);
  const line = [
    task.contacts.waiting > 0 && firstDueWords(task, t),
    task.contacts.callbacks > 0 && t.task.callbacks(task.contacts.callbacks),
  ].filter(Boolean);
  const unknown = stageOf(task) !== 'calling' || age ? '–' : '…';
  return (
    <div class={css.top}>
      <div>
        <p>
          <span class="hero">
            {isEnded ? orDash(coverageOf(task), percentText) : selectedText(task, remainingOf(task), t)}
          </span>{' '}
          <span class="faint">{isEnded ? t.task.reachedShare : t.task.left}</span>
        </p>
        <p class="faint">
          {isEnded
            ? t.task.ran(
                momentText(instantOf(task.startTime ?? '')),
                momentText(instantOf(task.endTime ?? '')),
              )
            : [end.value !== '–' && t.task.expectedEnd(end.value), end.note, ...line]
                .filter(Boolean)
                .join(' · ')}
        </p>
      </div>
      <Tiles
        figures={[
          ...(isEnded
            ? []
            : [
                {
                  label: t.task.perMinute,
                  value: forecast ? perMinuteText(forecast.perMinute) : unknown,
                  note: age,
                },
              ]),
          { label: t.task.connectRate, value: connectRateText(task.calls, t) },
          { label: t.task.average, value: orDash(talkTimeOf(task), durationText) },
        ]}
      />
    </div>
  );
};

/** One bar for all selected contacts: done, in a call, still to call. */
const Progress = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { total, selected } = task.contacts;
  const contacts = `/tasks/${task.id}/contacts`;
  const left = total - selected.count;
  const notSelected = task.contactFilter.length > 0 && left > 0 && selectedText(task, left, t);
  return (
    <>
      <div class={`${css.ends} row wrap sub`}>
        <span>
          <b>{t.task.done(settledOf(task))}</b> · {progressText(task)}
        </span>
        <span>
          {t.task.ofSelected(selectedText(task, selected.count, t))}
          {notSelected && ` · ${t.task.notSelected(notSelected)}`}
        </span>
      </div>
      <StandingBar counts={selectedCounts(task)} high />
      <StandingLegend
        counts={selectedCounts(task)}
        hrefOf={(outcome) => `${contacts}?outcome=${outcome === 'reached' ? 'success' : outcome}`}
      />
    </>
  );
};

/** What is live comes first, then what has come of it. */
const Overview = ({ task }: { task: TaskOverview }) => (
  <>
    <Hero task={task} />
    <Progress task={task} />
    {allows(task, 'adjust') && <Pace task={task} />}
    <CallsChart key={task.id} task={task} />
    <div class={css.even}>
      <Reasons task={task} />
      <Dispositions task={task} />
    </div>
  </>
);

const AsOf = ({ at }: { at: number }) => {
  const t = useWords();
  const { lost } = useStore(connection);
  return lost ? <span class="sub alarm">{t.common.asOf(secondsText(at))}</span> : null;
};

export const TaskScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const asked = useAddress().text('tab');
  const overview = useQuery(overviewQuery(id));
  const task = overview.data;
  const back = { href: '/tasks', label: t.tasks.title };
  if (task === undefined) {
    return (
      <Page title={t.task.one} back={back}>
        <Awaited query={overview} />
      </Page>
    );
  }
  const first: TaskTab = task.status === status.draft ? 'settings' : 'overview';
  const tab = (['settings', 'history'] as const).find((name) => name === asked) ?? first;
  return (
    <Page
      title={task.taskName}
      back={back}
      badge={<AsOf at={overview.dataUpdatedAt} />}
      below={
        <>
          <StateLine task={task} isWhole />
          {task.taskDesc && (
            <p>
              <bdi>{task.taskDesc}</bdi>
            </p>
          )}
        </>
      }
      actions={<TaskActions task={task} />}
    >
      <TaskTabs id={id} task={task} current={tab} />
      <SampleBanner />
      <AgedNote query={overview} />
      {tab === 'overview' && <Overview task={task} />}
      {tab === 'settings' && <TaskSettings task={task} />}
      {tab === 'history' && <History task={task} />}
    </Page>
  );
};
