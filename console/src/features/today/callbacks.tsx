import { useQueries } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/client.ts';
import { personPath } from '../../base/paths.ts';
import { instantOf, useWords } from '../../i18n/i18n.ts';
import { taskContactsQuery } from '../../parts/tasks/queries.ts';
import { dueWords, isToday, soonWords, waitWords } from '../../parts/tasks/task-words.ts';
import { Moment, NamedLink, Sub } from '../../ui/figures/figures.tsx';
import css from './day.module.css';

/** Tasks whose callbacks are read, and callbacks of each. */
const [tasksAtMost, callbacksAtMost] = [10, 50];
const refreshMs = 60_000;
const filter = { outcome: 'callback', phoneNumber: '', pageSize: callbacksAtMost, pageToken: '' } as const;

const List = ({ tasks }: { tasks: readonly TaskOverview[] }) => {
  const t = useWords();
  const found = useQueries({
    queries: tasks.map(({ id }) => ({ ...taskContactsQuery(id, filter), refetchInterval: refreshMs })),
  });
  const rows = found
    .flatMap(({ data }, i) => (data?.rows ?? []).map((row) => ({ ...row, task: tasks[i] as TaskOverview })))
    .filter(({ callbackTime }) => callbackTime !== null && isToday(instantOf(callbackTime)))
    .sort((a, b) => String(a.callbackTime).localeCompare(String(b.callbackTime)));
  if (found.some(({ isPending }) => isPending)) return <p class="faint">{t.common.loading}</p>;
  if (rows.length === 0) return <p class="faint">{t.today.noCallbacks}</p>;
  return (
    <ol class="events">
      {rows.map(({ contactId, phoneNumber, fields, task, ...row }) => (
        <li key={contactId}>
          <span>
            <Moment time={row.callbackTime} />
            <Sub text={soonWords(instantOf(row.callbackTime ?? ''), t)} />
          </span>
          <div>
            <Link href={personPath(phoneNumber)}>{phoneNumber}</Link> <bdi>{fields.customerName}</bdi> ·{' '}
            <NamedLink href={`/tasks/${task.id}`} name={task.taskName} />
            {row.waitReason !== null && row.waitReason !== 'CALLBACK' && (
              <p class="sub alarm">
                {t.today.movedTo(
                  dueWords(row.nextCallTime, t) ?? '',
                  waitWords({ ...row, callbackTime: null }, t) ?? '',
                )}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
};

/** The callbacks that were agreed for today, of all running tasks. They are read when the reader wants to see them. */
export const Callbacks = ({ tasks }: { tasks: readonly TaskOverview[] }) => {
  const t = useWords();
  const [isOpen, open] = useState(false);
  const agreed = tasks.filter(({ contacts }) => contacts.callbacks > 0);
  const sum = (name: 'callbacks' | 'callbacksMoved') =>
    agreed.reduce((all, { contacts }) => all + contacts[name], 0);
  if (agreed.length === 0) return null;
  return (
    <details class={css.called} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{t.today.callbacks(sum('callbacks'), sum('callbacksMoved'))}</summary>
      {isOpen && <List tasks={agreed.slice(0, tasksAtMost)} />}
    </details>
  );
};
