import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/answers.ts';
import { numberText } from '../../i18n/format.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { useSourceNames } from '../../sources/queries.ts';
import { ruleWords } from '../../task-form/draft/retries.ts';
import { type Fact, Facts, Moment, Sub } from '../../ui/figures/facts.tsx';
import { Card } from '../../ui/page/page.tsx';
import { historyQuery } from '../queries.ts';
import { adjustedWords, settingWords } from '../setting-words.ts';
import { daysWords, hoursWords } from '../task-words.ts';

/** How often each reason was reported, the most frequent first. */
export const Reasons = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const rows = Object.entries(task.calls.byReason)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
  const most = Math.max(...rows.map(([, count]) => count));
  return (
    <Card title={t.task.reasons}>
      {rows.length === 0 ? (
        <p class="faint">{t.task.noReasons}</p>
      ) : (
        <table class="reasons">
          <tbody>
            {rows.map(([reason, count]) => (
              <tr key={reason}>
                <th scope="row">{t.reason[reason as keyof Dictionary['reason']] ?? reason}</th>
                <td class="reason-bar">
                  <span style={{ width: `${(100 * count) / most}%` }} />
                </td>
                <td class="number">{numberText(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
};

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
  const { excludedDataSourceIds: lists, excludedDates, retryRules } = task;
  const names = useSourceNames(lists.map((id) => ({ id })));
  const labels = t.form.settings;
  const plain = (name: keyof typeof labels & keyof TaskOverview): Fact | false => {
    const words = settingWords(name, task, names, t);
    return words !== '' && [labels[name], words];
  };
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
        <div class="sub">{task.timeZone}</div>
        {excludedDates.length > 0 && <div class="sub">{t.form.exceptOn(daysWords(excludedDates))}</div>}
      </>,
    ],
    plain('callFrom'),
    plain('callUntil'),
    [t.task.attempts, t.task.attemptsWords(task.maxDialCount, task.callInterval)],
    plain('priority'),
    retryRules.length > 0 && [
      labels.retryRules,
      retryRules.map((rule, i) => <div key={i}>{ruleWords(rule, t)}</div>),
    ],
    task.retryOrder === 'last' && plain('retryOrder'),
    plain('pauseWhen'),
    plain('callerNumbers'),
    ...Object.entries(task.callSettings),
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

/** Callers that the service names itself. */
const callerWords = (by: string, t: Dictionary): string =>
  ({ service: t.task.dialer, 'local-developer': t.session.local })[by] ?? by;

export const History = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const history = useQuery(historyQuery(task));
  const rows = history.data?.rows ?? [];
  const operation = (name: string) => t.task.operation[name as keyof Dictionary['task']['operation']] ?? name;
  const names = useSourceNames(task.excludedDataSourceIds.map((id) => ({ id })));
  const reasonOf = ({ operation: name, reason }: (typeof rows)[number]) =>
    name === 'adjust' && reason !== null ? adjustedWords(reason, names, t) : reason;
  return (
    <Card title={t.task.history}>
      {rows.length === 0 && !history.isPending && <p class="faint">{t.task.noHistory}</p>}
      <ol class="history stack">
        {rows.map((entry, i) => (
          <li key={`${entry.time}-${i}`}>
            <Moment time={entry.time} />
            <div>
              <strong>{operation(entry.operation)}</strong>{' '}
              <span class="faint">
                <bdi>{t.task.by(callerWords(entry.by, t))}</bdi>
              </span>
              <Sub text={reasonOf(entry)} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
};
