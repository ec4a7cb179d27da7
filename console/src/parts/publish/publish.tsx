import { useQuery } from '@tanstack/preact-query';
import type { Preflight, TaskOverview } from '../../../../client/client.ts';
import { doNotCall } from '../../../../shared/contacts/rules/data-source.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { exportPath } from '../../api/client.ts';
import { useSettled } from '../../base/store.ts';
import { type Dictionary, listText, useWords } from '../../i18n/i18n.ts';
import { quoted } from '../../i18n/phrases.ts';
import { Button } from '../../ui/actions/button.tsx';
import { FormDialog, type FormDialogProps, useDialog, useDownload } from '../../ui/actions/dialog.tsx';
import standing from '../../ui/figures/figures.module.css';
import { type Fact, Facts } from '../../ui/figures/figures.tsx';
import { preflightQuery, sourceQuery, useSourceNames } from '../lists/queries.ts';
import { useCaps } from '../service/service.ts';
import { allDays } from '../settings/days.ts';
import { bodyOf, deadEndOf, draftOf, faultsOf, firstOpening, type TaskDraft } from '../settings/draft.ts';
import { filterOf, isFilterWrong } from '../settings/filter-control.tsx';
import { attemptsWords } from '../settings/retry-controls.tsx';
import { valueWords } from '../settings/settings.tsx';
import { moveTask } from '../tasks/changes.ts';
import { type Overviews, overviewsQuery, taskKeys } from '../tasks/queries.ts';
import { daysWords, hoursWords, momentInZone } from '../tasks/task-words.ts';
import css from './publish.module.css';

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
  const { noneCounted, noneMatch, nobody } = t.preflight;
  const none = found.estimated ? noneCounted : found.notSelected > 0 ? noneMatch : nobody;
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
      {found.callable === 0 && <p class="why">{none}</p>}
      {found.otherSpelling > 0 && <p class="why">{t.preflight.otherSpelling(found.otherSpelling)}</p>}
      {!found.alsoInComplete && <p class="faint">{t.preflight.notAllCompared}</p>}
      {found.hasOwnZones && <p class="faint">{t.preflight.ownZones}</p>}
    </div>
  );
};

/** A task without a person to call begins nothing. */
const beginning = (draft: TaskDraft, callable: number | undefined, t: Dictionary, now: number) => {
  const opens = firstOpening(draft, now);
  if (opens === undefined) return Object.values(deadEndOf(draft, t, now))[0] ?? t.form.neverOpens;
  if (callable === 0) return undefined;
  return opens <= now ? t.form.beginsNow : t.form.canBegin(momentInZone(opens, draft.timeZone, t));
};

/** Settings that the sentences do not tell. */
const listed = [
  ...(['contactFilter', 'callFrom', 'retryRules', 'maxConcurrentCalls', 'callsPerMinute'] as const),
  ...(['pauseWhen', 'dispositions', 'callerNumbers', 'callSettings'] as const),
];

/** In a few sentences: how many people, when, how often, which lists are excluded, when it can begin. */
export const TaskSummary = ({ draft, storedId }: { draft: TaskDraft; storedId?: string | undefined }) => {
  const t = useWords();
  const faults = faultsOf(draft, t);
  const isRight = (...fields: string[]) => !fields.some((field) => field in faults);
  const hoursKnown = isRight('dailyStartTime', 'dailyEndTime', 'timeZone', 'weekdays', 'breaks');
  const names = useSourceNames(draft.excludedDataSourceIds);
  const lists = [...[...names.values()].map(quoted), t.form.doNotCallList];
  const { found, isCounting, isError } = usePreflight(draft, storedId);
  // The size of the list is part of the pre-flight, and asked for by itself only where that failed.
  const isWholeList = isError && !draft.contactFilter?.length;
  const list = useQuery({ ...sourceQuery(draft.source?.id ?? ''), enabled: isWholeList });
  const count = found?.total ?? (isWholeList ? list.data?.contactCount : undefined);
  const daysOff = allDays(draft.excludedDates);
  const said = [
    found === undefined && isCounting && t.form.peopleCounted(draft.source?.name ?? ''),
    count !== undefined &&
      t.form.people(found?.callable ?? count, draft.source?.name ?? '', found?.estimated ?? false),
    hoursKnown && t.form.inZone(hoursWords(draft, t), draft.timeZone),
    daysOff.length > 0 && t.form.exceptOn(daysWords(daysOff)),
    isRight('maxDialCount', 'callInterval') &&
      attemptsWords(Number(draft.maxDialCount), Number(draft.callInterval), t),
    draft.callUntil !== '' && t.form.until(draft.callUntil),
    draft.keepOpen && t.form.staysOpen,
  ].filter((part) => part !== false);
  const begins = hoursKnown ? beginning(draft, found?.callable, t, Date.now()) : undefined;
  const caps = useCaps(t);
  const body = bodyOf(draft);
  const facts = listed
    .filter((name) => isRight(name))
    .map((name): Fact => [t.setting[name].label, valueWords(name, body[name], names, t)])
    .filter(([, words]) => words !== '');
  return (
    <div class={`${css.summary} stack`}>
      {draft.source === undefined && <p>{t.form.peopleUnknown}</p>}
      {said.length > 0 && <p>{t.form.sentence(said)}</p>}
      <p>{t.form.excludes(listText(lists))}</p>
      {facts.length > 0 && <Facts facts={facts} />}
      {Object.values(caps).map((words) => (
        <p key={words} class="faint">
          {words}
        </p>
      ))}
      {begins !== undefined && <p class="strong">{begins}</p>}
      {count === 0 && <p class="why">{t.form.noContacts}</p>}
    </div>
  );
};

/** `storedId`: of a task that is stored as the draft is. The people who will not be called can then be downloaded. */
type Props = Omit<FormDialogProps, 'title' | 'action' | 'children'> & { draft: TaskDraft; storedId?: string };

/** Asks once: whom the task will call, when, and what cannot be changed any more. Its button names the people. */
export const PublishQuestion = ({ draft, storedId, ...form }: Props) => {
  const t = useWords();
  const file = useDownload();
  const { found, isCounting } = usePreflight(draft, storedId);
  const deadEnd = deadEndOf(draft, t, Date.now());
  const isKnown = found !== undefined && found.callable > 0;
  return (
    <FormDialog
      title={t.form.publishTitle(draft.taskName.trim())}
      disabled={Object.keys(deadEnd).length > 0}
      action={isKnown ? t.preflight.callPeople(found.callable, found.estimated) : t.form.publishNow}
      {...form}
      busy={form.busy || isCounting}
    >
      <PreflightFigures draft={draft} storedId={storedId} />
      {storedId !== undefined && found !== undefined && found.blocked > 0 && (
        <div>
          <Button
            kind="quiet"
            icon="download"
            busy={file.isPending}
            onClick={() =>
              file.mutate(exportPath(`/api/task/${storedId}/preflight/blocked`, { format: 'excel' }))
            }
            label={t.preflight.download}
          />
        </div>
      )}
      <TaskSummary draft={draft} storedId={storedId} />
      <p class="faint">{t.preflight.frozen}</p>
    </FormDialog>
  );
};

/** Of a draft that is stored. */
export const PublishDialog = ({ task, onClose }: { task: TaskOverview; onClose: () => void }) => {
  const t = useWords();
  const dialog = useDialog({
    change: () => moveTask('publish', task.id),
    said: () => t.task.operation.publish,
    refreshes: taskKeys,
    onClose,
  });
  return <PublishQuestion draft={draftOf(task)} storedId={task.id} {...dialog.form} />;
};
