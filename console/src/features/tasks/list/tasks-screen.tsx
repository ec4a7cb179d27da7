import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { TaskBoard, TaskOverview } from '../../../../../client/client.ts';
import { status } from '../../../../../shared/tasks/rules/task-states.ts';
import { given, useRefresh } from '../../../api/client.ts';
import { troubleOf, troubleWords } from '../../../api/errors.ts';
import { type Dictionary, useWords } from '../../../i18n/i18n.ts';
import { type Changed, deleteTasks, moveTasks } from '../../../parts/tasks/changes.ts';
import { taskKeys } from '../../../parts/tasks/queries.ts';
import { NoTasks, SampleBanner } from '../../../parts/tasks/sample.tsx';
import { taskColumns, usualHours } from '../../../parts/tasks/task-columns.tsx';
import { comparedAtMost, stages } from '../../../parts/tasks/task-words.ts';
import { usePerson } from '../../../session/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../../ui/actions/dialog.tsx';
import { Select, Toggle } from '../../../ui/fields/field.tsx';
import { type Address, List, useAddress } from '../../../ui/lists/list.tsx';
import { type Chosen, ChosenBar, useChosen } from '../../../ui/lists/table.tsx';
import { AgedNote, Page, say, Tabs } from '../../../ui/page/page.tsx';
import css from './tasks-screen.module.css';
import { filterIn, isSortable, sorts, useTaskList } from './use-task-list.ts';

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

/** In the order of the tabs and of the groups. */
const shown = ['running', 'paused', 'draft', 'completed', 'stopped', 'failed', 'closed'] as const;

/** States that stand together in the list of all tasks. */
const groups = [
  ['running', [status.running]],
  ['paused', [status.paused]],
  ['drafts', [status.draft]],
  ['ended', [status.completed, status.stopped, status.failed, status.closed]],
] as const satisfies readonly (readonly [string, readonly number[]])[];

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
        // A state that no task is in has no tab.
        ...shown
          .filter((word) => counts?.[word] || current === status[word])
          .map((word) => ({
            href: href(String(status[word])),
            label: t.status[status[word]],
            count: counts?.[word],
            current: current === status[word],
          })),
      ]}
    />
  );
};

type OrderProps = { address: Address; counts: Record<string, number> };

const Order = ({ address, counts }: OrderProps) => {
  const t = useWords();
  const { sort, stage, status: state } = filterIn(address);
  return (
    <>
      {state === status.running && (
        <Toggle
          label={t.tasks.stage}
          value={stage ?? ''}
          options={[
            { value: '', label: t.tasks.all },
            ...stages.map((value) => ({ value, label: t.tasks.stages[value], count: counts[value] })),
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
  const { query, live, board, counts, isCut } = useTaskList(filter, address.page, address.pageSize);
  const rows = query.data?.rows ?? [];
  const recent = { minutes: board.data?.minutes ?? {}, at: board.dataUpdatedAt };
  const usual = usualHours(rows, t);
  const isGrouped = filter.status === undefined && (query.data?.total ?? 0) <= address.pageSize;
  const groupOf = (task: TaskOverview) =>
    groups.findIndex(([, states]) => (states as readonly number[]).includes(task.status));
  if (isGrouped) rows.sort((a, b) => groupOf(a) - groupOf(b));
  const isEmpty = query.data?.total === 0 && filter.name === '' && filter.status === undefined;
  return (
    <Page
      title={t.tasks.title}
      actions={
        mayWrite &&
        !isEmpty && (
          <>
            <Button icon="compare" onClick={() => navigate('/compare')} label={t.compare.title} />
            <Button kind="primary" icon="plus" onClick={() => navigate('/tasks/new')} label={t.tasks.new} />
          </>
        )
      }
    >
      {query.data && <SampleBanner />}
      {query.data && <AgedNote query={live.isError ? live : board} />}
      {!isEmpty && <TaskTabs name={filter.name} current={filter.status} counts={board.data?.byStatus} />}
      <List
        cards
        query={query}
        groupOf={isGrouped ? (task) => t.tasks.groups[groups[groupOf(task)]?.[0] ?? 'ended'] : undefined}
        idOf={({ id }) => id}
        chosen={mayWrite ? { rows: chosen, label: ({ taskName }) => taskName } : undefined}
        search={{ label: t.common.searchName }}
        filters={['status', 'stage']}
        totalWords={(count) => (isCut ? t.tasks.cut(count) : t.tasks.total(count))}
        noMatch={t.tasks.noMatch}
        empty={<NoTasks />}
        columns={taskColumns(recent, usual, t)}
        tools={
          <>
            {isSortable(filter.status) && <Order address={address} counts={counts} />}
            {chosen.ids.size === 0 && usual && (
              <span class={`${css.usual} sub`}>{t.tasks.usualHours(usual)}</span>
            )}
            <ChosenTasks chosen={chosen} />
          </>
        }
      />
    </Page>
  );
};
