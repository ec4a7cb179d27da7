import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { TaskBoard, TaskOverview } from '../../../../../client/client.ts';
import { status } from '../../../../../shared/tasks/rules/task-states.ts';
import { given, useRefresh } from '../../../api/client.ts';
import { troubleOf, troubleWords } from '../../../api/errors.ts';
import { type Dictionary, useWords } from '../../../i18n/i18n.ts';
import { type Changed, deleteTasks, moveTasks } from '../../../parts/tasks/changes.ts';
import { Hours } from '../../../parts/tasks/hours.tsx';
import { boardForecasts, type KnownForecast, taskKeys, useForecasts } from '../../../parts/tasks/queries.ts';
import { NoTasks, SampleBanner } from '../../../parts/tasks/sample.tsx';
import {
  comparedAtMost,
  connectRateText,
  endWords,
  perMinuteText,
  reasonWords,
  selectedCounts,
  selectedText,
  stageOf,
  stages,
  whyWords,
} from '../../../parts/tasks/task-words.ts';
import { usePerson } from '../../../session/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../../ui/actions/dialog.tsx';
import { Select, Toggle } from '../../../ui/fields/field.tsx';
import standing from '../../../ui/figures/figures.module.css';
import { NamedLink, StandingBar, StatusChip, Sub } from '../../../ui/figures/figures.tsx';
import { type Address, List, useAddress } from '../../../ui/lists/list.tsx';
import { type Chosen, ChosenBar, type Column, useChosen } from '../../../ui/lists/table.tsx';
import { AgedNote, agedWords, Page, say, Tabs } from '../../../ui/page/page.tsx';
import css from './tasks-screen.module.css';
import { filterIn, isSortable, sorts, useStageCounts, useTaskList } from './use-task-list.ts';

/** Which tasks were not deleted, by the reason. */
const notDeletedWords = ({ refused }: Changed, nameOf: (id: string) => string, t: Dictionary) => {
  const names = new Map<string, string[]>();
  for (const { id, error } of refused) {
    const why = error.errorCode === 'TASK_STATE' ? t.tasks.deletable : troubleWords(error, t);
    names.set(why, [...(names.get(why) ?? []), nameOf(id)]);
  }
  return [...names].map(([why, tasks]) => t.tasks.notDeleted(tasks, why)).join(' ') || undefined;
};

const ChosenTasks = ({ chosen }: { chosen: Chosen }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const refresh = useRefresh(taskKeys);
  const [left, setLeft] = useState<string | undefined>();
  const [deleting, setDeleting] = useState(false);
  const ids = [...chosen.ids.keys()];
  const nameOf = (id: string) => chosen.ids.get(id) ?? id;
  /** Tasks that were changed are no longer chosen; `words` says why the others were not. */
  const show = ({ done }: Changed, said: (count: number) => string, words: string | undefined) => {
    if (done.length > 0) say(said(done.length));
    setLeft(words);
    const unchosen = done.map((id): [string, string] => [id, '']);
    chosen.choose(unchosen, false);
  };
  const moving = useMutation({
    mutationFn: (move: 'pause' | 'resume') => moveTasks(move, ids),
    onSuccess: (changed, move) => {
      const names = changed.refused.map(({ id }) => nameOf(id));
      const words = names.length === 0 ? undefined : t.tasks.notChanged(names);
      show(changed, move === 'pause' ? t.tasks.paused : t.tasks.resumed, words);
    },
    onSettled: refresh,
  });
  const button = (move: 'pause' | 'resume', icon: 'pause' | 'play') => (
    <Button
      icon={icon}
      busy={moving.isPending && moving.variables === move}
      onClick={() => moving.mutate(move)}
      label={t.task[move]}
    />
  );
  return (
    <ChosenBar chosen={chosen} refused={left ?? troubleOf(moving.error, t).whole}>
      {button('pause', 'pause')}
      {button('resume', 'play')}
      <Button
        icon="compare"
        disabled={ids.length > comparedAtMost}
        title={t.compare.words}
        onClick={() => navigate(`/compare?ids=${ids.join(',')}`)}
        label={t.compare.title}
      />
      <Button kind="danger" icon="bin" onClick={() => setDeleting(true)} label={t.common.delete} />
      {deleting && (
        <ConfirmDialog
          title={t.tasks.deleteTitle(ids.length)}
          action={t.common.delete}
          kind="danger"
          change={() => deleteTasks(ids)}
          onDone={(changed) => show(changed, t.tasks.deleted, notDeletedWords(changed, nameOf, t))}
          refreshes={taskKeys}
          words={t.tasks.deletable}
          onClose={() => setDeleting(false)}
        >
          <p>{t.task.deleteWords}</p>
        </ConfirmDialog>
      )}
    </ChosenBar>
  );
};

/** In the order of the tabs. */
const shown = ['running', 'paused', 'draft', 'completed', 'stopped', 'failed', 'closed'] as const;

type Props = { name: string; current: number | undefined; counts: TaskBoard['byStatus'] | undefined };

/** The states, each with its number of tasks. */
const TaskTabs = ({ name, current, counts }: Props) => {
  const t = useWords();
  const href = (state: string) => {
    const query = new URLSearchParams(given({ status: state, q: name })).toString();
    return query === '' ? '/tasks' : `/tasks?${query}`;
  };
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <Tabs
      label={t.tasks.state}
      tabs={[
        { href: href(''), label: t.tasks.all, count: all, current: current === undefined },
        ...shown.map((word) => ({
          href: href(String(status[word])),
          label: t.status[status[word]],
          count: counts?.[word],
          current: current === status[word],
        })),
      ]}
    />
  );
};

type Row = { id: string; taskName: string; taskDesc: string; status: number; contactCount: number };
/** What a row of the list shows of its task, as far as that is known. */
type Known = Row & { task: TaskOverview | undefined; known: KnownForecast | undefined };

const ForecastCell = ({ row: { task, known } }: { row: Known }) => {
  const t = useWords();
  const age = known && agedWords(known.timeline, t);
  const isComing = task === undefined || stageOf(task) === 'calling';
  const unknown = !age && isComing ? '…' : '–';
  return (
    <>
      {known?.forecast ? perMinuteText(known.forecast.perMinute) : unknown}
      <Sub text={age} />
    </>
  );
};

const EndCell = ({ task, known }: Pick<Known, 'task' | 'known'>) => {
  const t = useWords();
  if (task === undefined) return '…';
  const { value, note } = endWords(task, known?.forecast, t);
  return (
    <>
      {value}
      <Sub text={note} />
    </>
  );
};

/** A bar and a figure, or what there is to know before a task is published or read. */
const Progress = ({ row: { task, contactCount } }: { row: Known }) => {
  const t = useWords();
  const isPublished = task !== undefined && task.status !== status.draft;
  const { total = contactCount } = task?.contacts ?? {};
  return (
    <>
      {isPublished ? <StandingBar counts={selectedCounts(task)} /> : <div class={standing.bar} />}
      <div class="sub">
        {isPublished
          ? t.tasks.reachedOf(task.contacts.reached, selectedText(task, task.contacts.selected.count, t))
          : t.contacts.total(total)}
      </div>
    </>
  );
};

const columnsOf = (t: Dictionary): Column<Known>[] => [
  {
    title: t.common.name,
    class: 'main-cell',
    cell: (row) => {
      const { id, taskName, taskDesc } = row.task ?? row;
      return <NamedLink href={`/tasks/${id}`} name={taskName} below={taskDesc} />;
    },
  },
  {
    title: t.tasks.state,
    class: css.stateCell,
    cell: ({ task, status }) => {
      const why = task && (whyWords(task, t) ?? reasonWords(task, t));
      return (
        <>
          <StatusChip status={task?.status ?? status} stage={task && stageOf(task)} />
          {why && <div class="sub why">{why}</div>}
        </>
      );
    },
  },
  { title: t.tasks.progress, class: css.barCell, cell: (row) => <Progress row={row} /> },
  { title: t.task.tiles.perMinute, class: 'number wide', cell: (row) => <ForecastCell row={row} /> },
  {
    title: t.task.connectRate,
    class: 'number wide',
    cell: ({ task }) => (task === undefined ? '…' : connectRateText(task.calls, t)),
  },
  {
    title: t.task.tiles.end,
    class: `wide ${css.endCell}`,
    cell: ({ task, known }) => <EndCell task={task} known={known} />,
  },
  {
    title: t.task.hours,
    class: `widest ${css.hours}`,
    cell: ({ task }) => task && <Hours task={task} />,
  },
];

const Order = ({ address }: { address: Address }) => {
  const t = useWords();
  const { name, sort, stage, status: state } = filterIn(address);
  const counts = useStageCounts(name, state === status.running);
  return (
    <>
      {state === status.running && (
        <Toggle
          label={t.tasks.stage}
          value={stage ?? ''}
          options={[
            { value: '', label: t.tasks.all },
            ...stages.map((value) => ({ value, label: t.tasks.stages[value], count: counts?.[value] })),
          ]}
          onValue={(value) => address.change({ stage: value, page: undefined })}
        />
      )}
      <Select
        class="filter"
        label={t.tasks.sort}
        value={sort ?? ''}
        options={[
          { value: '', label: t.tasks.newest },
          ...sorts.map((value) => ({ value, label: t.tasks.sorts[value] })),
        ]}
        onValue={(value) => address.change({ sort: value, page: undefined })}
      />
    </>
  );
};

export const TasksScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const address = useAddress();
  const chosen = useChosen();
  const filter = filterIn(address);
  const { query, overviews, live, board, isOrdered, isCut } = useTaskList(
    filter,
    address.page,
    address.pageSize,
  );
  const tasks = (query.data?.rows ?? []).flatMap(({ id }) => overviews?.get(id) ?? []);
  // A page in the order of the reader has tasks that the board does not show.
  const ordered = useForecasts(isOrdered ? tasks : []);
  const forecasts = isOrdered ? ordered : boardForecasts(board, tasks);
  const known = (row: Row): Known => ({ ...row, task: overviews?.get(row.id), known: forecasts.get(row.id) });
  const isEmpty = query.data?.total === 0 && filter.name === '' && filter.status === undefined;
  return (
    <Page
      title={t.tasks.title}
      actions={
        mayWrite &&
        !isEmpty && (
          <Button kind="primary" icon="plus" onClick={() => navigate('/tasks/new')} label={t.tasks.new} />
        )
      }
    >
      {query.data && <SampleBanner />}
      {query.data && <AgedNote query={live.isError ? live : board} />}
      {!isEmpty && <TaskTabs name={filter.name} current={filter.status} counts={board.data?.byStatus} />}
      <List
        class={css.tasksTable}
        cards
        query={{ ...query, data: query.data && { ...query.data, rows: query.data.rows.map(known) } }}
        idOf={({ id }) => id}
        chosen={mayWrite ? { rows: chosen, label: ({ taskName }) => taskName } : undefined}
        search={{ label: t.common.searchName }}
        filters={['status', 'stage']}
        totalWords={(count) => (isCut ? t.tasks.cut(count) : t.tasks.total(count))}
        noMatch={t.tasks.noMatch}
        empty={<NoTasks />}
        columns={columnsOf(t)}
        tools={
          <>
            {isSortable(filter.status) && <Order address={address} />}
            <ChosenTasks chosen={chosen} />
          </>
        }
      />
    </Page>
  );
};
