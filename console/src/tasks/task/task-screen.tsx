import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/answers.ts';
import { allowedFrom, status, type TaskStatus } from '../../../../shared/domain/tasks/task-states.ts';
import { connection } from '../../api/connection.ts';
import { momentText, numberText, secondsText } from '../../i18n/format.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { Card } from '../../ui/card.tsx';
import { OutcomeBar, OutcomeLegend } from '../../ui/outcome.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusChip } from '../../ui/status.tsx';
import { useStore } from '../../ui/store.ts';
import { Tiles } from '../../ui/tile.tsx';
import { CallsChart } from '../calls-chart.tsx';
import { overviewQuery } from '../queries.ts';
import { SampleBanner } from '../sample.tsx';
import { PaceCard } from './pace-card.tsx';
import { TaskActions } from './task-actions.tsx';
import './task-screen.css';
import {
  connectRateOf,
  countsOf,
  coverageOf,
  dueWords,
  settledOf,
  shareText,
  stageOf,
  talkTimeOf,
  talkTimeText,
  whyWords,
} from '../task-words.ts';
import { usePaces } from '../use-pace.ts';
import { History } from './task-history.tsx';
import { TaskSettings } from './task-settings.tsx';

const oneDecimal = (value: number) => numberText(Math.round(value * 10) / 10);

/** First what is live, then what has come of it. */
const Figures = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { contacts, calls, dialing } = task;
  const pace = usePaces([task]).get(task.id);
  const dialed = contacts.total - contacts.notDialed - contacts.blocked;
  const unknown = dialing.active ? '…' : '–';
  const words = t.task.tiles;
  const due = contacts.waiting > 0 ? dueWords(dialing.nextTime, t) : undefined;
  const line = [
    due === t.task.dueNow ? due : due && words.next(due),
    contacts.callbacks > 0 && words.callbacks(contacts.callbacks),
  ];
  return (
    <>
      <Tiles
        figures={[
          { label: words.perMinute, value: pace ? oneDecimal(pace.perMinute) : unknown },
          { label: t.task.connectRate, value: shareText(connectRateOf(task)), note: words.ofCalls },
          { label: words.end, value: pace?.end !== undefined ? momentText(pace.end) : pace ? '–' : unknown },
          { label: t.outcome.inCall, value: numberText(contacts.inCall) },
          {
            label: words.inLine,
            value: numberText(contacts.waiting),
            note: line.filter(Boolean).join(' · '),
          },
          { label: t.outcome.blocked, value: numberText(contacts.blocked) },
        ]}
      />
      <Tiles
        figures={[
          { label: t.contacts.title, value: numberText(contacts.total), note: words.done(settledOf(task)) },
          {
            label: t.outcome.reached,
            value: numberText(contacts.reached),
            note: words.coverage(shareText(coverageOf(task))),
          },
          {
            label: words.calls,
            value: numberText(calls.total),
            note: dialed > 0 ? words.perContact(oneDecimal(calls.total / dialed)) : '',
          },
          {
            label: words.average,
            value: talkTimeText(talkTimeOf(task)),
            note: words.ofConnected,
          },
        ]}
      />
    </>
  );
};

const Reasons = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const rows = Object.entries(task.calls.byReason)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <Card title={t.task.reasons}>
      {rows.length === 0 && <p class="faint">{t.task.noReasons}</p>}
      {rows.length > 0 && (
        <table class="reasons">
          <tbody>
            {rows.map(([reason, count]) => (
              <tr key={reason}>
                <th scope="row">{t.reason[reason as keyof Dictionary['reason']] ?? reason}</th>
                <td class="reason-bar">
                  <span style={{ width: `${(100 * count) / most}%` }} />
                </td>
                <td class="number">{numberText(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
};

const AsOf = ({ at }: { at: number }) => {
  const t = useWords();
  const { lost } = useStore(connection);
  return lost ? <span class="as-of">{t.common.asOf(secondsText(at))}</span> : null;
};

/** What a task that was published has done so far. */
const Progress = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const contacts = `/tasks/${task.id}/contacts`;
  return (
    <>
      <Figures task={task} />
      <Card title={t.task.outcomes} tools={<Link href={contacts}>{t.task.allContacts}</Link>}>
        <OutcomeBar counts={countsOf(task)} high />
        <OutcomeLegend
          counts={countsOf(task)}
          hrefOf={(outcome) => `${contacts}?outcome=${outcome === 'reached' ? 'success' : outcome}`}
        />
      </Card>
      <CallsChart key={task.id} task={task} />
    </>
  );
};

export const TaskScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const overview = useQuery(overviewQuery(id));
  const task = overview.data;
  const back = { href: '/tasks', label: t.tasks.title };
  if (task === undefined) {
    return (
      <Page title={t.tasks.title} back={back}>
        <Awaited query={overview} />
      </Page>
    );
  }
  const why = whyWords(task, t);
  const isDraft = task.status === status.draft;
  return (
    <Page
      title={task.taskName}
      back={back}
      badge={
        <>
          <StatusChip status={task.status} stage={stageOf(task)} />
          {why !== undefined && <span class="why">{why}</span>}
          <AsOf at={overview.dataUpdatedAt} />
        </>
      }
      below={
        <>
          {task.taskDesc && <bdi>{task.taskDesc}</bdi>}
          {task.reason && (
            <div>
              <bdi>{t.task.stoppedBecause(task.reason)}</bdi>
            </div>
          )}
        </>
      }
      actions={<TaskActions task={task} />}
    >
      <SampleBanner />
      {!isDraft && <Progress task={task} />}
      <div class="columns">
        {!isDraft && <Reasons task={task} />}
        {!isDraft && allowedFrom('adjust').includes(task.status as TaskStatus) && <PaceCard task={task} />}
        <TaskSettings task={task} />
        <History task={task} />
      </div>
    </Page>
  );
};
