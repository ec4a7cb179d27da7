import { useQuery } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../../client/answers.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { useSourceNames } from '../../sources/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Sub } from '../../ui/named-link.tsx';
import { adjustedWords } from '../adjusted-words.ts';
import { historyQuery } from '../queries.ts';

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
