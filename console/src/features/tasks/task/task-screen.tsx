import { useQuery } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../../../client/client.ts';
import { hasEnded, status, type TaskStatus } from '../../../../../shared/tasks/rules/task-states.ts';
import { connection } from '../../../api/client.ts';
import { useStore } from '../../../base/store.ts';
import {
  durationText,
  instantOf,
  momentText,
  numberText,
  percentText,
  secondsText,
  useWords,
} from '../../../i18n/i18n.ts';
import { CallsChart } from '../../../parts/tasks/calls-chart.tsx';
import { outlookQuery, overviewQuery } from '../../../parts/tasks/queries.ts';
import { SampleBanner } from '../../../parts/tasks/sample.tsx';
import { StateLine } from '../../../parts/tasks/state-line.tsx';
import { type TaskTab, TaskTabs } from '../../../parts/tasks/task-tabs.tsx';
import {
  allows,
  connectRateText,
  coverageOf,
  oneDecimal,
  orDash,
  progressText,
  selectedCounts,
  selectedText,
  settledOf,
  talkTimeOf,
} from '../../../parts/tasks/task-words.ts';
import { StandingBar, StandingLegend, Tiles } from '../../../ui/figures/figures.tsx';
import { useAddress } from '../../../ui/lists/list.tsx';
import { AgedNote, Awaited, agedWords, Page } from '../../../ui/page/page.tsx';
import css from './task.module.css';
import { TaskActions } from './task-actions.tsx';
import { Dispositions, History, Pace, Reasons, TaskSettings } from './task-cards.tsx';
import { Outlook, Waits } from './waits.tsx';

/** What came of a task that has ended. */
const Result = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { startTime, endTime } = task;
  return (
    <div>
      <p>
        <span class="hero">{orDash(coverageOf(task), percentText)}</span>{' '}
        <span class="faint">{t.task.reachedShare}</span>
      </p>
      {startTime !== null && endTime !== null && (
        <p class={css.lead}>{t.task.ran(momentText(instantOf(startTime)), momentText(instantOf(endTime)))}</p>
      )}
    </div>
  );
};

/** The figure that the task is about: who can be called today, or who was reached once it has ended. */
const Hero = ({ task, isEnded }: { task: TaskOverview; isEnded: boolean }) => {
  const t = useWords();
  const outlook = useQuery({ ...outlookQuery(task.id), enabled: !isEnded });
  const age = agedWords(outlook, t);
  const pace = {
    label: t.task.perMinute,
    value: outlook.data ? oneDecimal(outlook.data.perMinute) : age ? '–' : '…',
    note: age,
  };
  return (
    <div class={css.top}>
      {isEnded ? <Result task={task} /> : <Outlook task={task} />}
      {task.calls.total > 0 && (
        <Tiles
          figures={[
            ...(task.status === status.running ? [pace] : []),
            { label: t.task.connectRate, value: connectRateText(task.calls, t) },
            ...(isEnded ? [{ label: t.task.calls, value: numberText(task.calls.total) }] : []),
            { label: t.task.average, value: orDash(talkTimeOf(task), durationText) },
          ]}
        />
      )}
    </div>
  );
};

/** The outcome of contacts that a part of the bar leads to. */
const outcomes: Record<string, string> = { reached: 'success', callable: 'notDialed' };

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
        hrefOf={(part) => `${contacts}?outcome=${outcomes[part] ?? part}`}
      />
    </>
  );
};

/** What is live comes first, then what has come of it. */
const Overview = ({ task }: { task: TaskOverview }) => {
  const isEnded = hasEnded(task.status as TaskStatus);
  return (
    <>
      <Hero task={task} isEnded={isEnded} />
      <Progress task={task} />
      {!isEnded && <Waits task={task} />}
      {allows(task, 'adjust') && <Pace task={task} />}
      {task.calls.total > 0 && (
        <>
          <CallsChart key={task.id} task={task} />
          <div class={css.even}>
            <Reasons task={task} />
            <Dispositions task={task} />
          </div>
        </>
      )}
    </>
  );
};

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
      badge={
        <>
          <StateLine task={task} isWhole />
          <AsOf at={overview.dataUpdatedAt} />
        </>
      }
      below={task.taskDesc && <bdi>{task.taskDesc}</bdi>}
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
