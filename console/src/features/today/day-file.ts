import type { ServiceDay } from '../../../../client/answers.ts';
import { byteOrderMark, csvRow } from '../../../../shared/platform/rules/index.ts';
import { clockText } from '../../../../shared/platform/time/index.ts';
import { timeInZone } from '../../i18n/format.ts';
import type { Dictionary } from '../../i18n/i18n.ts';

type Calls = Omit<ServiceDay['calls'], 'talkDuration'>;

const cellsOf = ({ total, success, noAnswer, failed }: Calls) => [total, success, noAnswer, failed];

/** The day as a CSV file: its tasks, all of them together, and its hours. */
export const dayFile = (
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
