import type { TaskOverview } from '../../../../client/client.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { type Dictionary, numberText, useWords } from '../../i18n/i18n.ts';
import { capital } from '../../i18n/phrases.ts';
import { NamedLink, StandingBar, StatusChip, Sub } from '../../ui/figures/figures.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { agedWords } from '../../ui/page/page.tsx';
import type { Pace } from './queries.ts';
import { StateLine } from './state-line.tsx';
import css from './task-columns.module.css';
import {
  connectRateText,
  hoursWords,
  perMinuteText,
  progressText,
  selectedCounts,
  stageOf,
  waitingOf,
} from './task-words.ts';

/** A task in a list, as far as it is known. */
export type TaskRow = {
  id: string;
  taskName: string;
  taskDesc: string;
  status: number;
  task: TaskOverview | undefined;
  known: Pace | undefined;
};

const PaceCell = ({ row: { task, known } }: { row: TaskRow }) => {
  const t = useWords();
  const age = known && agedWords(known.timeline, t);
  const isComing = task === undefined || stageOf(task) === 'calling';
  const unknown = !age && isComing && task?.status === status.running ? '…' : '–';
  return (
    <>
      {known?.perMinute === undefined ? unknown : perMinuteText(known.perMinute)}
      <Sub text={age} />
    </>
  );
};

/** Whether somebody may still be called. */
const isLive = (task: TaskOverview | undefined): task is TaskOverview =>
  task !== undefined && (task.status === status.running || task.status === status.paused);

/** What is done of all; nothing before a task is published. */
const Done = ({ task }: { task: TaskOverview | undefined }) => {
  if (task === undefined || task.status === status.draft) return null;
  return (
    <div class="row">
      <span class="grow">
        <StandingBar counts={selectedCounts(task)} />
      </span>
      <span class={`${css.percent} faint`}>{progressText(task)}</span>
    </div>
  );
};

const hoursOf = (task: TaskOverview, t: Dictionary) => `${capital(hoursWords(task, t))} · ${task.timeZone}`;

/** The hours that most of the tasks have, where several have the same. */
export const usualHours = (tasks: readonly TaskOverview[], t: Dictionary): string | undefined => {
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(hoursOf(task, t), (counts.get(hoursOf(task, t)) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && most[1] > 1 ? most[0] : undefined;
};

/** `usual`: hours that are not said of each task. */
export const taskColumns = (usual: string | undefined, t: Dictionary): Column<TaskRow>[] => [
  {
    title: t.common.name,
    class: `main-cell ${css.name}`,
    tip: (row) => (row.task ?? row).taskDesc,
    cell: (row) => <NamedLink href={`/tasks/${row.id}`} name={(row.task ?? row).taskName} />,
  },
  {
    title: t.tasks.state,
    class: css.state,
    cell: ({ task, status }) => (task ? <StateLine task={task} /> : <StatusChip status={status} />),
  },
  { title: t.tasks.done, class: css.done, cell: ({ task }) => <Done task={task} /> },
  {
    title: t.waits.callable,
    class: `number ${css.callable}`,
    cell: ({ task }) => isLive(task) && numberText(task.contacts.callable),
  },
  {
    title: t.waits.later,
    class: `number ${css.figure}`,
    cell: ({ task }) => isLive(task) && numberText(waitingOf(task)),
  },
  {
    title: t.task.perMinute,
    class: `number wide ${css.figure}`,
    cell: (row) => <PaceCell row={row} />,
  },
  {
    title: t.task.connectRate,
    class: `number ${css.figure}`,
    cell: ({ task }) => (task === undefined ? '…' : connectRateText(task.calls, t)),
  },
  {
    title: t.task.hours,
    class: 'widest sub nowrap',
    tip: ({ task }) => task?.timeZone ?? '',
    cell: ({ task }) => task && hoursOf(task, t) !== usual && capital(hoursWords(task, t)),
  },
];
