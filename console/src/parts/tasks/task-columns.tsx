import type { TaskOverview } from '../../../../client/client.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { type Dictionary, numberText } from '../../i18n/i18n.ts';
import { capital } from '../../i18n/phrases.ts';
import { NamedLink, StandingBar } from '../../ui/figures/figures.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { type Recent, recentPace } from './queries.ts';
import { StateLine } from './state-line.tsx';
import css from './task-columns.module.css';
import {
  connectRateText,
  hoursWords,
  oneDecimal,
  progressText,
  selectedCounts,
  waitingOf,
} from './task-words.ts';

/** Whether somebody may still be called. */
const isLive = ({ status: state }: TaskOverview) => state === status.running || state === status.paused;

/** What is done of all; nothing before a task is published. */
const Done = ({ task }: { task: TaskOverview }) => {
  if (task.status === status.draft) return null;
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

/** Figures that say nothing of a task stay empty. `usual`: hours that are not said of each task. */
export const taskColumns = (
  { minutes, at }: Recent,
  usual: string | undefined,
  t: Dictionary,
): Column<TaskOverview>[] => {
  const figure = (title: string, of: (task: TaskOverview) => string | false, more = css.figure) => ({
    title,
    class: `number ${more}`,
    cell: of,
  });
  return [
    {
      title: t.common.name,
      class: `main-cell ${css.name}`,
      tip: ({ taskDesc }) => taskDesc,
      cell: ({ id, taskName }) => <NamedLink href={`/tasks/${id}`} name={taskName} />,
    },
    { title: t.tasks.state, class: css.state, cell: (task) => <StateLine task={task} /> },
    { title: t.tasks.done, class: css.done, cell: (task) => <Done task={task} /> },
    figure(t.waits.callable, (task) => isLive(task) && numberText(task.contacts.callable), css.callable),
    figure(t.waits.later, (task) => isLive(task) && numberText(waitingOf(task))),
    figure(
      t.task.perMinute,
      ({ id }) => minutes[id] !== undefined && oneDecimal(recentPace(minutes[id], at)),
      `wide ${css.figure}`,
    ),
    figure(t.task.connectRate, ({ calls }) => calls.total > 0 && connectRateText(calls, t)),
    {
      title: t.task.hours,
      class: 'widest sub nowrap',
      tip: ({ timeZone }) => timeZone,
      cell: (task) => hoursOf(task, t) !== usual && capital(hoursWords(task, t)),
    },
  ];
};
