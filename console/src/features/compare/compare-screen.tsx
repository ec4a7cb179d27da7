import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TaskOverview } from '../../../../client/client.ts';
import { hasEnded, status, type TaskStatus } from '../../../../shared/tasks/rules/task-states.ts';
import { type Dictionary, durationText, numberText, percentText, useWords } from '../../i18n/i18n.ts';
import { capital } from '../../i18n/phrases.ts';
import { attemptsWords } from '../../parts/settings/retry-controls.tsx';
import { Hours } from '../../parts/tasks/hours.tsx';
import { overviewsQuery, taskListQuery } from '../../parts/tasks/queries.ts';
import {
  comparedAtMost,
  connectRateOf,
  connectRateText,
  coverageOf,
  dispositionCounts,
  isRateKnown,
  oneDecimal,
  orDash,
  remainingOf,
  selectedCounts,
  selectedText,
  shareOf,
  stageOf,
  talkTimeOf,
} from '../../parts/tasks/task-words.ts';
import { Button, Icon, IconButton } from '../../ui/actions/button.tsx';
import { Combobox } from '../../ui/fields/combobox.tsx';
import field from '../../ui/fields/field.module.css';
import { Moment, NamedLink, StandingBar, StatusChip } from '../../ui/figures/figures.tsx';
import { useAddress } from '../../ui/lists/list.tsx';
import { Awaited, Empty, Page, useEdges } from '../../ui/page/page.tsx';
import css from './compare-screen.module.css';

type Figure = {
  name: string;
  value: (task: TaskOverview) => number | undefined;
  text?: (value: number, task: TaskOverview) => string;
  /** A rate: which way is better. */
  better?: 'more' | 'less';
  /** Whether there are enough calls to tell the rate. */
  isRate?: (task: TaskOverview) => boolean;
};

/** A draft has the first of them: contacts, and no results. */
const figuresOf = (t: Dictionary): Figure[] => {
  const selected = (count: number, task: TaskOverview) => selectedText(task, count, t);
  return [
    { name: t.contacts.title, value: ({ contacts }) => contacts.selected.count, text: selected },
    { name: t.standing.reached, value: ({ contacts }) => contacts.reached },
    { name: t.compare.rows.coverage, value: coverageOf, text: percentText, better: 'more' },
    { name: t.standing.failed, value: ({ contacts }) => contacts.failed },
    { name: t.standing.noAnswer, value: ({ contacts }) => contacts.noAnswer },
    { name: t.standing.blocked, value: ({ contacts }) => contacts.blocked },
    {
      name: t.standing.notSelected,
      value: ({ contacts }) => contacts.total - contacts.selected.count,
      text: selected,
    },
    { name: t.compare.rows.open, value: remainingOf, text: selected },
    { name: t.task.calls, value: ({ calls }) => calls.total },
    {
      name: t.compare.rows.callsPerReached,
      value: ({ calls, contacts }) => shareOf(calls.total, contacts.reached),
      text: oneDecimal,
      better: 'less',
    },
    {
      name: t.task.connectRate,
      value: connectRateOf,
      text: (_, { calls }) => connectRateText(calls, t),
      better: 'more',
      isRate: ({ calls }) => isRateKnown(calls.total),
    },
    { name: t.task.average, value: talkTimeOf, text: durationText },
    { name: t.title.talkTime, value: ({ calls }) => calls.talkDuration, text: durationText },
    {
      name: t.title.ringTime,
      value: ({ calls }) => calls.duration - calls.talkDuration,
      text: durationText,
    },
  ];
};

/** The finished tasks with the best rate; none where all are alike or fewer than two have finished. */
const bestOf = (
  { better, value, isRate = () => true }: Figure,
  tasks: readonly TaskOverview[],
): readonly TaskOverview[] => {
  const finished = tasks.filter(
    (task) => hasEnded(task.status as TaskStatus) && isRate(task) && value(task) !== undefined,
  );
  const values = finished.map((task) => value(task) as number);
  if (better === undefined || new Set(values).size < 2) return [];
  const best = better === 'more' ? Math.max(...values) : Math.min(...values);
  return finished.filter((task) => value(task) === best);
};

const TaskPicker = ({ chosen, onPick }: { chosen: readonly string[]; onPick: (id: string) => void }) => {
  const t = useWords();
  const [typed, setTyped] = useState('');
  const tasks = useQuery(taskListQuery(typed.trim(), 20));
  const choices = (tasks.data?.rows ?? [])
    .filter(({ id }) => !chosen.includes(id))
    .map(({ id, taskName, status }) => ({
      id,
      label: taskName,
      note: t.status[status as keyof Dictionary['status']],
    }));
  return (
    <div class={`${css.picker} ${field.search}`}>
      <Icon name="search" />
      <Combobox
        aria-label={t.compare.add}
        placeholder={t.compare.pick}
        value=""
        choices={choices}
        none={tasks.data && t.tasks.noMatch}
        onType={setTyped}
        onChoose={({ id }) => onPick(id)}
      />
    </div>
  );
};

type Row = [name: string, cell: (task: TaskOverview) => ComponentChildren, best?: readonly TaskOverview[]];
type CompareTableProps = { tasks: readonly TaskOverview[]; onRemove: (id: string) => void };

const CompareTable = ({ tasks, onRemove }: CompareTableProps) => {
  const t = useWords();
  const box = useEdges<HTMLElement>();
  const figures = figuresOf(t).map((figure, i): Row => {
    const isKnown = (task: TaskOverview) => i === 0 || task.status !== status.draft;
    const value = (task: TaskOverview) => (isKnown(task) ? figure.value(task) : undefined);
    const text = (task: TaskOverview) => (known: number) => (figure.text ?? numberText)(known, task);
    return [figure.name, (task) => orDash(value(task), text(task)), bestOf(figure, tasks)];
  });
  const counted = new Map(tasks.map((task) => [task, dispositionCounts(task, t)]));
  const all = [...counted.values()].flat();
  const isUsed = (code: string | undefined) =>
    code !== undefined || all.some((each) => each.code === code && each.count > 0);
  const dispositions = [...new Set(all.map(({ code }) => code))].filter(isUsed).map((code): Row => {
    const countOf = (task: TaskOverview) => counted.get(task)?.find((each) => each.code === code)?.count;
    const name = all.find((each) => each.code === code)?.name as string;
    return [name, (task) => orDash(task.status === status.draft ? undefined : countOf(task), numberText)];
  });
  const rows: Row[] = [
    [t.tasks.state, (task) => <StatusChip status={task.status} stage={stageOf(task)} />],
    ...figures,
    ...dispositions,
    [t.task.attempts, (task) => capital(attemptsWords(task.maxDialCount, task.callInterval, t))],
    [t.task.hours, (task) => <Hours task={task} />],
    [t.compare.rows.start, ({ startTime }) => <Moment time={startTime} />],
    [t.compare.rows.end, ({ endTime }) => <Moment time={endTime} />],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="card table-card table-scroll" ref={box} tabIndex={0} aria-label={t.compare.title}>
      <table class={`table ${css.compareTable}`}>
        <thead>
          <tr>
            <td />
            {tasks.map((task) => (
              <th key={task.id} scope="col">
                <div class="row">
                  <NamedLink href={`/tasks/${task.id}`} name={task.taskName} />
                  <span class="no-print">
                    <IconButton
                      label={t.compare.remove(task.taskName)}
                      icon="cross"
                      onClick={() => onRemove(task.id)}
                    />
                  </span>
                </div>
                <StandingBar counts={selectedCounts(task)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, cell, best = []], i) => (
            <tr key={i}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {tasks.map((task) => (
                <td key={task.id} class={best.includes(task) ? 'best' : ''}>
                  {cell(task)}
                  {best.includes(task) && <span class={css.bestMark}>{t.compare.best}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** Up to five tasks as columns; prints on one landscape page. */
export const CompareScreen = () => {
  const t = useWords();
  const address = useAddress();
  const ids = [...new Set(address.text('ids').split(',').filter(Boolean))].slice(0, comparedAtMost);
  const overviews = useQuery(overviewsQuery(ids));
  const tasks = ids.flatMap((id) => overviews.data?.get(id) ?? []);
  const put = (next: readonly string[]) => address.change({ ids: next.join(',') });
  return (
    <Page
      title={t.compare.title}
      below={t.compare.words}
      actions={tasks.length > 0 && <Button onClick={() => print()} label={t.compare.print} />}
    >
      {ids.length < comparedAtMost && (
        <div class="toolbar row wrap">
          <TaskPicker chosen={ids} onPick={(id) => put([...ids, id])} />
        </div>
      )}
      {ids.length === 0 && <Empty icon="compare" words={t.compare.empty} />}
      {ids.length > 0 && <Awaited query={overviews} />}
      {ids.length > 0 && overviews.data && tasks.length === 0 && (
        <Empty icon="search" words={t.errors.codes.TASK_NOT_FOUND} />
      )}
      {tasks.length > 0 && (
        <CompareTable tasks={tasks} onRemove={(id) => put(ids.filter((each) => each !== id))} />
      )}
    </Page>
  );
};
