import { queryOptions, useQuery } from '@tanstack/preact-query';
import type { Preflight } from '../../../../client/answers.ts';
import { doNotCall } from '../../../../shared/domain/contacts/data-source.ts';
import { status } from '../../../../shared/domain/tasks/task-states.ts';
import { api, dataOf } from '../../api/client.ts';
import { askedOnce } from '../../api/query-client.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import outcome from '../../ui/figures/outcome.module.css';
import type { TaskDraft } from '../settings/draft.ts';
import { type Overviews, overviewsQuery } from '../tasks/queries.ts';
import css from './preflight-report.module.css';

/** An answer is used again for so long, since it may take read units by the hundred. */
const freshMs = 10_000;

/** Whom the task would call. Asks nothing without a contact list. */
export const preflightQuery = ({ source, excludedDataSourceIds: excluded }: TaskDraft) => {
  const body = { dataSourceId: source?.id ?? '', excludedDataSourceIds: excluded.map(({ id }) => id) };
  return queryOptions({
    ...askedOnce,
    queryKey: ['preflight', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/task/preflight', { body, signal })),
    staleTime: freshMs,
    enabled: source !== undefined,
  });
};

/** Tasks that are named; of the others their number is said. */
const namedTasks = 3;

const alsoWords = ({ alsoIn }: Preflight, states: Overviews | undefined, t: Dictionary): string[] => {
  const stateOf = (id: string) => {
    const its = states?.get(id)?.status;
    if (its === status.running) return t.preflight.running;
    return its === status.paused ? t.preflight.paused : '';
  };
  const others = alsoIn.length - namedTasks;
  return [
    ...alsoIn
      .slice(0, namedTasks)
      .map(({ taskId, taskName, count }) => t.preflight.alsoIn(count, taskName, stateOf(taskId))),
    ...(others > 0 ? [t.preflight.alsoInMore(others)] : []),
  ];
};

/** A contact on two lists is counted once: the sum first, where there are several lists. */
const listWords = ({ blocked, blockedBy }: Preflight, t: Dictionary): string[] => {
  const each = blockedBy.map(({ dataSourceId, dataSourceName, count }) =>
    dataSourceId === doNotCall.id
      ? t.preflight.onDoNotCall(count)
      : t.preflight.onList(count, dataSourceName),
  );
  return each.length > 1 ? [t.preflight.onLists(blocked, each)] : each;
};

const Bar = ({ callable, blocked }: Preflight) => {
  const label = useWords().preflight.bar(callable, blocked);
  return (
    <div class={outcome.bar} role="img" aria-label={label} title={label}>
      {callable > 0 && (
        <span class={outcome.segment} style={{ background: 'var(--accent)', flexGrow: callable }} />
      )}
      {blocked > 0 && <span class={`${outcome.segment} blocked`} style={{ flexGrow: blocked }} />}
    </div>
  );
};

/** Whom a task would call, in one sentence and a bar, with what to look at before. `isBrief`: without states of other tasks. */
export const PreflightReport = ({ draft, isBrief = false }: { draft: TaskDraft; isBrief?: boolean }) => {
  const t = useWords();
  const { data: found, isError } = useQuery(preflightQuery(draft));
  const named = isBrief ? [] : (found?.alsoIn.slice(0, namedTasks) ?? []);
  const states = useQuery({
    ...overviewsQuery(named.map(({ taskId }) => taskId)),
    refetchInterval: false,
  });
  if (found === undefined)
    return <p class="faint">{isError ? t.preflight.unknown : t.preflight.comparing}</p>;
  if (found.total === 0) return null;
  const parts = [
    t.preflight.inList(found.total),
    ...listWords(found, t),
    t.preflight.willBeCalled(found.callable),
  ];
  return (
    <div class={`${css.preflight} stack`}>
      <p>{t.preflight.sentence(parts, alsoWords(found, states.data, t))}</p>
      <Bar {...found} />
      {found.callable === 0 && <p class="why">{t.preflight.nobody}</p>}
      {found.otherSpelling > 0 && <p class="why">{t.preflight.otherSpelling(found.otherSpelling)}</p>}
      {!found.alsoInComplete && <p class="faint">{t.preflight.notAllCompared}</p>}
      {found.hasOwnZones && <p class="faint">{t.preflight.ownZones}</p>}
    </div>
  );
};
