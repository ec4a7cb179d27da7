import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/answers.ts';
import { useWords } from '../../i18n/i18n.ts';
import { useSourceNames } from '../../sources/queries.ts';
import { ruleWords } from '../../task-form/retries.ts';
import { Card } from '../../ui/card.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { settingWords } from '../setting-words.ts';
import { daysWords, hoursWords, zoneOf } from '../task-words.ts';

const SourceLink = ({ id, name }: { id: string; name: string }) => (
  <div>
    <Link href={`/sources/${id}`}>
      <bdi>{name}</bdi>
    </Link>
  </div>
);

/** What the task was told to do. Settings that it does not have are not shown. */
export const TaskSettings = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { excludedDataSourceIds: lists, excludedDates, retryRules, callSettings } = task;
  const names = useSourceNames(lists.map((id) => ({ id })));
  const labels = t.form.settings;
  const words = (name: keyof TaskOverview) => settingWords(name, task, new Map(), t);
  const facts: (Fact | false)[] = [
    [
      t.task.dataSource,
      <>
        <SourceLink id={task.dataSourceId} name={task.dataSourceName} />
        <div class="sub">{t.contacts.total(task.contacts.total)}</div>
      </>,
    ],
    [
      t.task.hours,
      <>
        {hoursWords(task, t)}
        <div class="sub">{zoneOf(task)}</div>
        {excludedDates.length > 0 && <div class="sub">{t.form.exceptOn(daysWords(excludedDates))}</div>}
      </>,
    ],
    task.callFrom !== null && [labels.callFrom, task.callFrom],
    task.callUntil !== null && [labels.callUntil, task.callUntil],
    [t.task.attempts, t.task.attemptsWords(task.maxDialCount, task.callInterval)],
    [labels.priority, task.priority],
    retryRules.length > 0 && [
      labels.retryRules,
      retryRules.map((rule, i) => <div key={i}>{ruleWords(rule, t)}</div>),
    ],
    task.retryOrder === 'last' && [labels.retryOrder, t.form.retryOrders.last],
    task.pauseWhen !== null && [labels.pauseWhen, words('pauseWhen')],
    task.callerNumbers.length > 0 && [labels.callerNumbers, words('callerNumbers')],
    ...Object.entries(callSettings),
    lists.length > 0 && [
      labels.excludedDataSourceIds,
      lists.map((id) => <SourceLink key={id} id={id} name={names.get(id) ?? ''} />),
    ],
  ];
  return (
    <Card title={t.task.settings}>
      <Facts facts={facts.filter((fact) => fact !== false)} />
    </Card>
  );
};
