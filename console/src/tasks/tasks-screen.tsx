import { useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { troubleOf } from '../api/errors.ts';
import { settings } from '../api/page-settings.ts';
import { momentText, numberText, percentText, secondsText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button } from '../ui/button.tsx';
import { ChooseAllCell, ChooseCell, type Chosen, useChosen } from '../ui/chosen.tsx';
import { Empty } from '../ui/empty.tsx';
import { OutcomeBar } from '../ui/outcome.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { Refused } from '../ui/refused.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { StatusChip, type TaskStatus } from '../ui/status.tsx';
import { say } from '../ui/toast.tsx';
import { useAddress, useExistingPage } from '../ui/use-address.ts';
import { useMoveMany } from './changes.ts';
import { rowId, useLiveOverviews } from './live-overviews.ts';
import { paceOf, paceText } from './pace.ts';
import { useTasks } from './queries.ts';
import { isOld, type Seen } from './reading.ts';
import { SampleBanner, StartSample } from './sample.tsx';
import { countsOf, hoursWords, whyWords, zoneOf } from './task-words.ts';
import './tasks-screen.css';

const pageSize = 20;
const statuses: readonly TaskStatus[] = [0, 1, 2, 3, 4, 5, 6];

type Row = {
  id: string;
  taskName: string;
  taskDesc: string;
  status: number;
  contactCount: number;
  callCount: number;
  successCount: number;
};

const TaskRow = ({
  task,
  seen,
  latest,
  chosen,
}: {
  task: Row;
  seen: Seen | undefined;
  latest: number;
  chosen: Chosen | undefined;
}) => {
  const t = useWords();
  const overview = seen?.overview;
  // The list itself is read again only when there are other tasks.
  const { taskName, taskDesc } = overview ?? task;
  const pace = seen && paceOf(seen.overview, seen.at);
  const why = overview && whyWords(overview, t);
  const reached = overview?.contacts.reached ?? 0;
  const total = overview?.contacts.total ?? task.contactCount;
  return (
    <tr id={rowId(task.id)} aria-selected={chosen?.ids.has(task.id) ?? false}>
      {chosen && <ChooseCell id={task.id} label={t.tasks.choose(taskName)} chosen={chosen} />}
      <td class="main-cell">
        <Link href={`/tasks/${task.id}`} class="row-link" title={taskName}>
          <bdi>{taskName}</bdi>
        </Link>
        <div class="sub">
          {overview && overview.status === 1 && why !== undefined ? (
            <span class="why">{why}</span>
          ) : (
            <bdi>{taskDesc || overview?.dataSourceName}</bdi>
          )}
        </div>
      </td>
      <td>
        <StatusChip status={overview?.status ?? task.status} active={overview?.dialing.active ?? false} />
      </td>
      <td class="bar-cell">
        {overview ? <OutcomeBar counts={countsOf(overview)} /> : <div class="bar" />}
        <div class="sub figures">
          {numberText(reached)} / {numberText(total)}
          {seen && isOld(seen, latest) && <span class="faint"> · {t.common.asOf(secondsText(seen.at))}</span>}
        </div>
      </td>
      <td class="number wide">{paceText(pace, overview?.dialing.active ?? false)}</td>
      <td class="number wide">{total > 0 && overview ? percentText(reached / total) : '–'}</td>
      <td class="wide">{pace?.end ? t.tasks.endAbout(momentText(pace.end)) : '–'}</td>
      <td class="wide hours">
        {overview && (
          <>
            {hoursWords(overview, t)}
            <div class="sub">{zoneOf(overview)}</div>
          </>
        )}
      </td>
    </tr>
  );
};

const NoTasks = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  return (
    <Empty
      icon="tasks"
      title={t.tasks.emptyTitle}
      words={settings.sample && mayWrite ? t.tasks.empty : t.tasks.emptyOnAws}
    >
      {mayWrite && (
        <>
          <Button kind="primary" icon="upload" onClick={() => navigate('/import')}>
            {t.tasks.importFile}
          </Button>
          {settings.sample && <StartSample />}
        </>
      )}
    </Empty>
  );
};

const ChosenBar = ({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const moving = useMoveMany();
  const move = (move: 'pause' | 'resume') =>
    moving.mutate(
      { move, ids },
      {
        onSuccess: (count) => {
          say(
            count === 0
              ? t.tasks.noneAllowed
              : move === 'pause'
                ? t.tasks.paused(count)
                : t.tasks.resumed(count),
          );
          onDone();
        },
      },
    );
  const busy = (which: string) => moving.isPending && moving.variables?.move === which;
  return (
    <div class="chosen-bar">
      <span>{t.common.chosen(ids.length)}</span>
      <Button icon="pause" busy={busy('pause')} onClick={() => move('pause')}>
        {t.tasks.pause}
      </Button>
      <Button icon="play" busy={busy('resume')} onClick={() => move('resume')}>
        {t.tasks.resume}
      </Button>
      <Button
        icon="compare"
        disabled={ids.length > 5}
        title={t.compare.words}
        onClick={() => navigate(`/compare?ids=${ids.join(',')}`)}
      >
        {t.tasks.compare}
      </Button>
      <Refused words={troubleOf(moving.error, t).whole} />
    </div>
  );
};

export const TasksScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const address = useAddress();
  const chosen = useChosen();
  const [name, statusText] = [address.text('q'), address.text('status')];
  const status = /^[0-6]$/.test(statusText) ? Number(statusText) : undefined;
  const tasks = useTasks({ name, status, page: address.page, pageSize });
  useExistingPage(address, tasks, pageSize);
  const rows = tasks.data?.rows ?? [];
  const ids = rows.map(({ id }) => id);
  const overviews = useLiveOverviews(ids);
  const isOther = (id: string) => {
    const seen = overviews.data?.get(id);
    return status !== undefined && seen !== undefined && seen.overview.status !== status;
  };
  const left = ids.filter(isOther).join();
  // A task that has moved on is no longer of the filter, and the total is another.
  useEffect(() => {
    if (left !== '') void queries.invalidateQueries({ queryKey: ['tasks'] });
  }, [left]);
  const isFiltered = name !== '' || status !== undefined;
  const isEmpty = tasks.data?.total === 0 && !isFiltered;
  const visibleChosen = ids.filter((id) => chosen.ids.has(id));
  return (
    <Page
      title={t.tasks.title}
      actions={
        mayWrite &&
        !isEmpty && (
          <Button kind="primary" icon="plus" onClick={() => navigate('/tasks/new')}>
            {t.tasks.new}
          </Button>
        )
      }
    >
      {tasks.data && <SampleBanner />}
      {!isEmpty && (
        <div class="toolbar">
          <SearchBox
            label={t.tasks.search}
            value={name}
            onSearch={(q) => address.change({ q, page: undefined }, { replace: true })}
          />
          <select
            class="filter"
            aria-label={t.tasks.state}
            value={statusText}
            onChange={(event) => address.change({ status: event.currentTarget.value, page: undefined })}
          >
            <option value="">{t.tasks.anyState}</option>
            {statuses.map((code) => (
              <option key={code} value={String(code)}>
                {t.status[code]}
              </option>
            ))}
          </select>
          {visibleChosen.length > 0 && <ChosenBar ids={visibleChosen} onDone={chosen.clear} />}
        </div>
      )}
      <Awaited query={tasks} />
      {isEmpty && <NoTasks />}
      {tasks.data?.total === 0 && isFiltered && (
        <Empty icon="search" words={t.tasks.noMatch}>
          <Button onClick={() => address.change({ q: undefined, status: undefined, page: undefined })}>
            {t.tasks.clearFilter}
          </Button>
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="card table-card">
          <table class="table tasks-table">
            <thead>
              <tr>
                {mayWrite && <ChooseAllCell rows={ids} chosen={chosen} />}
                <th>{t.tasks.columns.name}</th>
                <th>{t.tasks.columns.state}</th>
                <th>{t.tasks.columns.outcome}</th>
                <th class="number wide">{t.tasks.columns.perMinute}</th>
                <th class="number wide">{t.tasks.columns.reach}</th>
                <th class="wide">{t.tasks.columns.end}</th>
                <th class="wide">{t.tasks.columns.hours}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((task) => (
                <TaskRow
                  key={task.id}
                  task={task}
                  seen={overviews.data?.get(task.id)}
                  latest={overviews.dataUpdatedAt}
                  chosen={mayWrite ? chosen : undefined}
                />
              ))}
            </tbody>
          </table>
          <Pager
            total={tasks.data?.total ?? 0}
            page={address.page}
            pageSize={pageSize}
            onPage={address.toPage}
          />
        </div>
      )}
    </Page>
  );
};
