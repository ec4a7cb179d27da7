import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../../client/client.ts';
import { status } from '../../../../../shared/tasks/rules/task-states.ts';
import { connection } from '../../../api/client.ts';
import { useStore } from '../../../base/store.ts';
import { durationText, numberText, secondsText, useWords } from '../../../i18n/i18n.ts';
import { CallsChart } from '../../../parts/tasks/calls-chart.tsx';
import { overviewQuery, useForecasts } from '../../../parts/tasks/queries.ts';
import { SampleBanner } from '../../../parts/tasks/sample.tsx';
import {
  allows,
  callsPerContact,
  connectRateText,
  coverageOf,
  endWords,
  firstDueWords,
  oneDecimal,
  orDash,
  perMinuteText,
  reasonWords,
  selectedCounts,
  selectedText,
  settledOf,
  shareText,
  stageOf,
  talkTimeOf,
  whyWords,
} from '../../../parts/tasks/task-words.ts';
import { StandingBar, StandingLegend, StatusChip, Tiles } from '../../../ui/figures/figures.tsx';
import { AgedNote, Awaited, agedWords, Card, Page } from '../../../ui/page/page.tsx';
import css from './task.module.css';
import { TaskActions } from './task-actions.tsx';
import { Dispositions, History, PaceCard, Reasons, TaskSettings } from './task-cards.tsx';

/** What a task that was published does and has done: first what is live, then what has come of it. */
const Progress = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { contacts, calls } = task;
  const allContacts = `/tasks/${task.id}/contacts`;
  const { forecast, timeline } = useForecasts([task]).get(task.id) ?? {};
  const age = timeline && agedWords(timeline, t);
  const coverage = shareText(coverageOf(task));
  const perContact = callsPerContact(task);
  const unknown = stageOf(task) !== 'calling' || age ? '–' : '…';
  const end = endWords(task, forecast, t);
  const words = t.task.tiles;
  const left = contacts.total - contacts.selected.count;
  const notSelected =
    task.contactFilter.length > 0 && left > 0 && words.notSelected(selectedText(task, left, t));
  const line = [
    contacts.waiting > 0 && firstDueWords(task, t),
    contacts.callbacks > 0 && words.callbacks(contacts.callbacks),
  ].filter(Boolean);
  return (
    <>
      <Tiles
        figures={[
          {
            label: words.perMinute,
            value: forecast ? perMinuteText(forecast.perMinute) : unknown,
            note: age,
          },
          { label: t.task.connectRate, value: connectRateText(calls, t), note: words.ofCalls },
          {
            label: task.endTime === null ? words.end : words.ended,
            value: end.value,
            note: age ?? end.note,
          },
          { label: t.standing.inCall, value: numberText(contacts.inCall) },
          { label: t.standing.waiting, value: numberText(contacts.waiting), note: line.join(' · ') },
          { label: t.standing.blocked, value: numberText(contacts.blocked) },
        ]}
      />
      <Tiles
        figures={[
          {
            label: t.contacts.title,
            value: selectedText(task, contacts.selected.count, t),
            note: [words.done(settledOf(task)), notSelected].filter(Boolean).join(' · '),
          },
          { label: t.standing.reached, value: numberText(contacts.reached), note: words.coverage(coverage) },
          {
            label: words.calls,
            value: numberText(calls.total),
            note: perContact === undefined ? '' : words.perContact(oneDecimal(perContact)),
          },
          { label: words.average, value: orDash(talkTimeOf(task), durationText), note: words.ofConnected },
        ]}
      />
      <Card title={t.task.outcomes} tools={<Link href={allContacts}>{t.task.allContacts}</Link>}>
        <StandingBar counts={selectedCounts(task)} high />
        <StandingLegend
          counts={selectedCounts(task)}
          hrefOf={(outcome) => `${allContacts}?outcome=${outcome === 'reached' ? 'success' : outcome}`}
        />
      </Card>
      <CallsChart key={task.id} task={task} />
    </>
  );
};

const AsOf = ({ at }: { at: number }) => {
  const t = useWords();
  const { lost } = useStore(connection);
  return lost ? <span class={css.asOf}>{t.common.asOf(secondsText(at))}</span> : null;
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
  const reason = reasonWords(task, t);
  const ended = reason && task.reasonCode === null ? t.task.stoppedBecause(reason) : reason;
  const why = whyWords(task, t) ?? ended;
  const isDraft = task.status === status.draft;
  return (
    <Page
      title={task.taskName}
      back={back}
      badge={
        <>
          <StatusChip status={task.status} stage={stageOf(task)} />
          <AsOf at={overview.dataUpdatedAt} />
        </>
      }
      below={
        <>
          {why && (
            <div class="why">
              <bdi>{why}</bdi>
            </div>
          )}
          {task.taskDesc && <bdi>{task.taskDesc}</bdi>}
        </>
      }
      actions={<TaskActions task={task} />}
    >
      <SampleBanner />
      <AgedNote query={overview} />
      {!isDraft && <Progress task={task} />}
      <div class={css.lower}>
        {!isDraft && (
          <div class={`${css.figures} stack`}>
            <Reasons task={task} />
            <Dispositions task={task} />
            {allows(task, 'adjust') && <PaceCard task={task} />}
          </div>
        )}
        <TaskSettings task={task} />
        <History task={task} />
      </div>
    </Page>
  );
};
