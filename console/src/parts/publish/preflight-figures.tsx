import { useQuery } from '@tanstack/preact-query';
import type { Preflight } from '../../../../client/answers.ts';
import { doNotCall } from '../../../../shared/contacts/rules.ts';
import { status } from '../../../../shared/tasks/rules.ts';
import { useSettled } from '../../base/use-settled.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import standing from '../../ui/figures/standing.module.css';
import { preflightQuery } from '../lists/queries.ts';
import type { TaskDraft } from '../settings/draft.ts';
import { filterOf, isFilterWrong } from '../settings/filter.ts';
import { type Overviews, overviewsQuery } from '../tasks/queries.ts';
import css from './preflight-figures.module.css';

/**
 * Whom the task would call. Asks nothing without a contact list, or while a condition is not complete. `isCounting`: what is
 * known belongs to another filter, or is being asked for. `storedId`: of a task that is stored as the draft is.
 */
export const usePreflight = (draft: TaskDraft, storedId?: string) => {
  const { source, excludedDataSourceIds: excluded, contactFilter = [] } = draft;
  const settled = useSettled(contactFilter);
  const filter = filterOf(settled);
  const body = {
    dataSourceId: source?.id ?? '',
    excludedDataSourceIds: excluded.map(({ id }) => id),
    ...(filter.length > 0 && { contactFilter: filter }),
  };
  const isWrong = isFilterWrong(contactFilter);
  const isTyping = JSON.stringify(filter) !== JSON.stringify(filterOf(contactFilter));
  const enabled = source !== undefined && !isFilterWrong(settled);
  const { data, isError, isFetching } = useQuery({ ...preflightQuery(body, storedId), enabled });
  const isCounting = source !== undefined && !isWrong && (isTyping || isFetching);
  const found = isWrong || isTyping ? undefined : data;
  return { found, isCounting, isWrong, isError: isError && !isCounting };
};

/** Tasks that are named; of the others their number is said. */
const namedTasks = 3;

const alsoWords = ({ alsoIn }: Preflight, states: Overviews | undefined, t: Dictionary): string[] => {
  const stateOf = (id: string) =>
    (['running', 'paused'] as const).find((state) => states?.get(id)?.status === status[state]);
  const others = alsoIn.length - namedTasks;
  const shown = alsoIn.slice(0, namedTasks);
  return [
    ...[...new Set(shown.map(({ count }) => count))].map((count) => {
      const those = shown.filter((each) => each.count === count);
      return t.preflight.alsoIn(
        count,
        those.map(({ taskId, taskName: name }) => ({ name, state: stateOf(taskId) })),
      );
    }),
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

const Bar = ({ callable, blocked, notSelected, estimated }: Preflight) => {
  const label = useWords().preflight.bar(callable, blocked + notSelected, estimated);
  return (
    <div class={standing.bar} role="img" aria-label={label} title={label}>
      {callable > 0 && (
        <span class={standing.segment} style={{ background: 'var(--accent)', flexGrow: callable }} />
      )}
      {notSelected > 0 && (
        <span class={standing.segment} style={{ background: 'var(--not-dialed)', flexGrow: notSelected }} />
      )}
      {blocked > 0 && <span class={`${standing.segment} blocked`} style={{ flexGrow: blocked }} />}
    </div>
  );
};

type FiguresProps = { draft: TaskDraft; storedId?: string | undefined; isBrief?: boolean };

/** Whom a task would call, in one sentence and a bar, with what to look at before. `isBrief`: without states of other tasks. */
export const PreflightFigures = ({ draft, storedId, isBrief = false }: FiguresProps) => {
  const t = useWords();
  const { found, isError, isWrong } = usePreflight(draft, storedId);
  const named = isBrief ? [] : (found?.alsoIn.slice(0, namedTasks) ?? []);
  const states = useQuery({
    ...overviewsQuery(named.map(({ taskId }) => taskId)),
    refetchInterval: false,
  });
  if (found === undefined) {
    const { incomplete, unknown, counting, comparing } = t.preflight;
    const pending = draft.contactFilter?.length ? counting : comparing;
    return (
      <p class="faint" role="status">
        {isWrong ? incomplete : isError ? unknown : pending}
      </p>
    );
  }
  if (found.total === 0) return null;
  const parts = [
    t.preflight.inList(found.total),
    ...(found.notSelected > 0 ? [t.preflight.notSelected(found.notSelected, found.estimated)] : []),
    ...listWords(found, t),
    t.preflight.willBeCalled(found.callable, found.estimated),
  ];
  return (
    <div class={`${css.preflight} stack`}>
      <p>{t.preflight.sentence(parts, alsoWords(found, states.data, t))}</p>
      {found.callable < found.total && <Bar {...found} />}
      {found.callable === 0 && (
        <p class="why">{found.notSelected > 0 ? t.preflight.noneMatch : t.preflight.nobody}</p>
      )}
      {found.otherSpelling > 0 && <p class="why">{t.preflight.otherSpelling(found.otherSpelling)}</p>}
      {!found.alsoInComplete && <p class="faint">{t.preflight.notAllCompared}</p>}
      {found.hasOwnZones && <p class="faint">{t.preflight.ownZones}</p>}
    </div>
  );
};
