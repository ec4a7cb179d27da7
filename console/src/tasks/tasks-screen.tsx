import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { TaskOverview } from '../../../client/answers.ts';
import { status } from '../../../shared/domain/tasks/task-states.ts';
import { troubleOf } from '../api/errors.ts';
import { useRefresh } from '../api/query-client.ts';
import { momentText, numberText } from '../i18n/format.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { Button } from '../ui/button.tsx';
import { type Chosen, useChosen } from '../ui/chosen.tsx';
import { Select } from '../ui/field.tsx';
import { List } from '../ui/list.tsx';
import { OutcomeBar } from '../ui/outcome.tsx';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { StatusChip } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { say } from '../ui/toast.tsx';
import { Toggle } from '../ui/toggle.tsx';
import { type Address, useAddress } from '../ui/use-address.ts';
import { moveTasks } from './changes.ts';
import { NoTasks } from './no-tasks.tsx';
import type { Pace } from './pace.ts';
import { taskKeys } from './queries.ts';
import { SampleBanner } from './sample.tsx';
import { TaskTabs } from './task-tabs.tsx';
import { connectRateOf, countsOf, hoursWords, shareText, stageOf, whyWords, zoneOf } from './task-words.ts';
import './tasks-screen.css';
import { usePaces } from './use-pace.ts';
import { filterIn, isSortable, sorts, stages, useStageCounts, useTaskList } from './use-task-list.ts';

type Row = { id: string; taskName: string; taskDesc: string; status: number; contactCount: number };
type Known = {
  overviewOf: (id: string) => TaskOverview | undefined;
  paceOf: (id: string) => Pace | undefined;
};

const PaceText = ({ task, pace }: { task: TaskOverview | undefined; pace: Pace | undefined }) => {
  if (pace !== undefined) return <>{numberText(Math.round(pace.perMinute))}</>;
  return <>{task === undefined || task.dialing.active ? '…' : '–'}</>;
};

/** A bar and a figure, or what there is to know before a task is published or read. */
const Progress = ({ row, task }: { row: Row; task: TaskOverview | undefined }) => {
  const t = useWords();
  const isDraft = (task?.status ?? row.status) === status.draft;
  return (
    <>
      {task && !isDraft ? <OutcomeBar counts={countsOf(task)} /> : <div class="bar" />}
      <div class="sub">
        {task && !isDraft
          ? t.tasks.reachedOf(task.contacts.reached, task.contacts.total)
          : t.contacts.total(task?.contacts.total ?? row.contactCount)}
      </div>
    </>
  );
};

const columnsOf = ({ overviewOf, paceOf }: Known, t: Dictionary): Column<Row>[] => [
  {
    title: t.common.name,
    class: 'main-cell',
    cell: (row) => {
      const { taskName, taskDesc } = overviewOf(row.id) ?? row;
      return (
        <>
          <Link href={`/tasks/${row.id}`} class="row-link" title={taskName}>
            <bdi>{taskName}</bdi>
          </Link>
          {taskDesc && (
            <div class="sub">
              <bdi>{taskDesc}</bdi>
            </div>
          )}
        </>
      );
    },
  },
  {
    title: t.tasks.state,
    class: 'state-cell',
    cell: (row) => {
      const task = overviewOf(row.id);
      const why = task && whyWords(task, t);
      return (
        <>
          <StatusChip status={task?.status ?? row.status} stage={task && stageOf(task)} />
          {why && <div class="sub why">{why}</div>}
        </>
      );
    },
  },
  {
    title: t.tasks.progress,
    class: 'bar-cell',
    cell: (row) => <Progress row={row} task={overviewOf(row.id)} />,
  },
  {
    title: t.task.tiles.perMinute,
    class: 'number wide',
    cell: ({ id }) => <PaceText task={overviewOf(id)} pace={paceOf(id)} />,
  },
  {
    title: t.task.connectRate,
    class: 'number wide',
    cell: ({ id }) => {
      const task = overviewOf(id);
      return task === undefined ? '…' : shareText(connectRateOf(task));
    },
  },
  {
    title: t.task.tiles.end,
    class: 'wide',
    cell: ({ id }) => {
      const end = paceOf(id)?.end;
      return end === undefined ? '–' : t.tasks.endAbout(momentText(end));
    },
  },
  {
    title: t.task.hours,
    class: 'widest hours',
    cell: ({ id }) => {
      const task = overviewOf(id);
      return (
        task && (
          <>
            {hoursWords(task, t)}
            <div class="sub">{zoneOf(task)}</div>
          </>
        )
      );
    },
  },
];

const comparedAtMost = 5;

const ChosenBar = ({ chosen }: { chosen: Chosen }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const refresh = useRefresh(taskKeys);
  const [left, setLeft] = useState<string | undefined>();
  const ids = [...chosen.ids.keys()];
  const moving = useMutation({
    mutationFn: (move: 'pause' | 'resume') => moveTasks(move, ids),
    onSuccess: ({ moved, refused }, move) => {
      if (moved.length > 0)
        say(move === 'pause' ? t.tasks.paused(moved.length) : t.tasks.resumed(moved.length));
      const names = refused.map((id) => chosen.ids.get(id) ?? id);
      setLeft(names.length === 0 ? undefined : t.tasks.notChanged(names));
      chosen.choose(
        moved.map((id) => [id, '']),
        false,
      );
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
  if (ids.length === 0) return null;
  return (
    <div class="chosen-bar row wrap">
      <span>{t.common.chosen(ids.length)}</span>
      {button('pause', 'pause')}
      {button('resume', 'play')}
      <Button
        icon="compare"
        disabled={ids.length > comparedAtMost}
        title={t.compare.words}
        onClick={() => navigate(`/compare?ids=${ids.join(',')}`)}
        label={t.compare.title}
      />
      <Button kind="quiet" onClick={chosen.clear} label={t.common.chooseNone} />
      <Refused words={left ?? troubleOf(moving.error, t).whole} />
    </div>
  );
};

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
  const { query, overviews, isCut } = useTaskList(filter, address.page, address.pageSize);
  const rows: readonly Row[] = query.data?.rows ?? [];
  const paces = usePaces(rows.flatMap(({ id }) => overviews?.get(id) ?? []));
  const known: Known = { overviewOf: (id) => overviews?.get(id), paceOf: (id) => paces.get(id) };
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
      {!isEmpty && <TaskTabs name={filter.name} current={filter.status} total={query.data?.total} />}
      <List
        class="tasks-table"
        query={query}
        idOf={({ id }) => id}
        chosen={mayWrite ? { rows: chosen, label: ({ taskName }) => taskName } : undefined}
        search={{ label: t.common.searchName }}
        filters={['status', 'stage']}
        totalWords={(count) => (isCut ? t.tasks.cut(count) : t.tasks.total(count))}
        noMatch={t.tasks.noMatch}
        empty={<NoTasks />}
        columns={columnsOf(known, t)}
        tools={
          <>
            {isSortable(filter.status) && <Order address={address} />}
            <ChosenBar chosen={chosen} />
          </>
        }
      />
    </Page>
  );
};
