import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ServiceDay } from '../../../../client/client.ts';
import { serviceDay } from '../../../../shared/calls/rules/timeline.ts';
import { byteOrderMark, csvRow } from '../../../../shared/platform/rules/files.ts';
import { clockText, dayMs } from '../../../../shared/platform/time/time.ts';
import { saveFile } from '../../api/client.ts';
import { settings } from '../../base/page-settings.ts';
import { callsPath } from '../../base/paths.ts';
import {
  type Dictionary,
  dateInZone,
  durationText,
  numberText,
  readerZone,
  timeInZone,
  useWords,
} from '../../i18n/i18n.ts';
import { CallsCard } from '../../parts/tasks/calls-chart.tsx';
import { connectRateText } from '../../parts/tasks/task-words.ts';
import { Button, IconButton } from '../../ui/actions/button.tsx';
import { DateField } from '../../ui/fields/date-field.tsx';
import { type Figure, NamedLink, type Stage, StatusChip, Tiles } from '../../ui/figures/figures.tsx';
import { type Column, Table } from '../../ui/lists/table.tsx';
import css from './day.module.css';

const cellsOf = ({ total, success, noAnswer, failed }: Omit<Calls, 'talkDuration'>) => [
  total,
  success,
  noAnswer,
  failed,
];

/** The day as a CSV file: its tasks, all of them together, and its hours. */
const dayFile = (
  { calls, hours, tasks }: ServiceDay,
  startOf: (hour: number) => number,
  timeZone: string,
  t: Dictionary,
): Blob => {
  const titles = [t.today.callsOfDay, t.outcome.success, t.outcome.noAnswer, t.outcome.failed];
  const stateOf = (status: number | null) =>
    status === null ? t.today.deleted : t.status[status as keyof Dictionary['status']];
  const rows = [
    [t.common.name, t.tasks.state, ...titles, t.title.talkTime],
    ...tasks.map((task) => [
      ...[task.taskName, stateOf(task.status), ...cellsOf(task.calls)],
      clockText(task.calls.talkDuration),
    ]),
    [t.today.allTasks, '', ...cellsOf(calls), clockText(calls.talkDuration)],
    [],
    [t.task.bucket.hour, '', ...titles],
    ...hours.map((hour, i) => [timeInZone(startOf(i), timeZone), '', ...cellsOf(hour)]),
  ];
  return new Blob([byteOrderMark, ...rows.map(csvRow)], { type: 'text/csv;charset=utf-8' });
};

type Task = ServiceDay['tasks'][number];
type Calls = ServiceDay['calls'];

export const today = () => dateInZone(Date.now(), settings.timeZone);

const startsOf = (date: string) => serviceDay(date, settings.timeZone)?.hours.map(({ from }) => from) ?? [];

type DayProps = {
  date: string;
  day: ServiceDay | undefined;
  dayBefore: ServiceDay | undefined;
  /** Said where the day could not be read. */
  age: string | undefined;
};

const dayFigures = ({ date, day, age }: DayProps, t: Dictionary): Figure[] => {
  const known = (text: (calls: Calls) => string) => (day ? text(day.calls) : age ? '–' : '…');
  return [
    {
      label: date === today() ? t.today.calls : t.today.callsOfDay,
      value: known(({ total }) => numberText(total)),
      note: age,
    },
    { label: t.outcome.success, value: known(({ success }) => numberText(success)) },
    { label: t.task.connectRate, value: known((calls) => connectRateText(calls, t)) },
    { label: t.title.talkTime, value: known(({ talkDuration }) => durationText(talkDuration)) },
  ];
};

type DayPickerProps = { date: string; onDate: (date: string) => void; day: ServiceDay | undefined };

/** The days before, and the day as a file. */
export const DayPicker = ({ date, onDate, day }: DayPickerProps) => {
  const t = useWords();
  const next = (days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
  const save = (shown: ServiceDay) => {
    const starts = startsOf(date);
    saveFile(
      dayFile(shown, (i) => starts[i] as number, settings.timeZone, t),
      `calls_${date}.csv`,
    );
  };
  return (
    <>
      <IconButton icon="left" label={t.today.dayBefore} onClick={() => onDate(next(-1))} />
      <DateField aria-label={t.today.day} value={date} max={today()} onDate={onDate} />
      <IconButton
        icon="right"
        label={t.today.later}
        disabled={date >= today()}
        onClick={() => onDate(next(1))}
      />
      <Button icon="download" label={t.sources.exportCsv} disabled={!day} onClick={() => day && save(day)} />
    </>
  );
};

type Stages = ReadonlyMap<string, Stage>;

const columnsOf = (date: string, stages: Stages, t: Dictionary): Column<Task>[] => {
  const count = (title: string, of: (calls: Calls) => string, more = ''): Column<Task> => ({
    title,
    class: `number ${more}`,
    cell: ({ calls }) => of(calls),
  });
  return [
    {
      title: t.common.name,
      class: 'main-cell',
      cell: ({ taskId, taskName, status }) =>
        status === null ? <bdi>{taskName}</bdi> : <NamedLink href={`/tasks/${taskId}`} name={taskName} />,
    },
    {
      title: t.tasks.state,
      cell: ({ taskId, status }) =>
        status === null ? (
          <span class="faint">{t.today.deleted}</span>
        ) : (
          <StatusChip status={status} stage={stages.get(taskId)} />
        ),
    },
    {
      title: t.today.callsOfDay,
      class: 'number',
      cell: ({ taskId, status, calls }) =>
        status === null ? (
          numberText(calls.total)
        ) : (
          <Link href={callsPath(taskId, { day: date })}>{numberText(calls.total)}</Link>
        ),
    },
    count(t.outcome.success, ({ success }) => numberText(success)),
    count(t.outcome.noAnswer, ({ noAnswer }) => numberText(noAnswer), css.detail),
    count(t.outcome.failed, ({ failed }) => numberText(failed), css.detail),
    count(t.task.connectRate, (calls) => connectRateText(calls, t)),
    count(t.title.talkTime, ({ talkDuration }) => durationText(talkDuration), 'wide'),
  ];
};

/** From the first hour with calls on this day or on the day before, to the last. */
const calledHours = (day: ServiceDay, dayBefore: ServiceDay | undefined): [from: number, to: number] => {
  const called = day.hours.flatMap(({ total }, i) =>
    total + (dayBefore?.hours[i]?.total ?? 0) > 0 ? [i] : [],
  );
  return [called[0] ?? 0, (called.at(-1) ?? -1) + 1];
};

/** The calls of all tasks on a day, by hour and by task. `stages`: of the tasks that run now. */
export const Day = ({ stages, ...props }: DayProps & { stages: Stages }) => {
  const { date, day, dayBefore } = props;
  const t = useWords();
  // Stays as it is while another day is fetched.
  const [isOpen, open] = useState(false);
  const none = date === today() ? t.today.noCalls : t.today.noCallsThen;
  const starts = startsOf(date);
  const [from, to] = day ? calledHours(day, dayBefore) : [0, 0];
  const hours = day?.calls.total ? day.hours.slice(from, to) : [];
  // Hours of a day on which the clock changes are not those of the day before.
  const isAlike = dayBefore?.hours.length === day?.hours.length && (dayBefore?.calls.total ?? 0) > 0;
  return (
    <div class={css.day}>
      <CallsCard
        title={t.today.chart}
        rows={hours.map((hour, i) => ({ ...hour, time: starts[from + i] as number }))}
        bucket="hour"
        none={day ? none : ''}
        note={readerZone() !== settings.timeZone && t.today.clock(settings.timeZone)}
        zone={settings.timeZone}
        before={isAlike ? dayBefore?.hours.slice(from, to).map(({ total }) => total) : undefined}
      />
      <Tiles figures={dayFigures(props, t)} isList />
      {day !== undefined && day.tasks.length > 0 && (
        <details class={css.called} open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
          <summary>{t.today.called(day.tasks.length)}</summary>
          <div class="table-scroll">
            <Table
              rows={day.tasks}
              idOf={({ taskId }) => taskId}
              columns={columnsOf(date, stages, t)}
              cards
            />
          </div>
        </details>
      )}
    </div>
  );
};
