import { useQuery } from '@tanstack/preact-query';
import type { Preflight, TaskOverview } from '../../../../client/client.ts';
import { doNotCall } from '../../../../shared/contacts/rules/data-source.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { exportPath } from '../../api/client.ts';
import { useSettled } from '../../base/store.ts';
import { type Dictionary, listText, numberText, useWords } from '../../i18n/i18n.ts';
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
        <span class={standing.segment} style={{ background: 'var(--callable)', flexGrow: callable }} />
      )}
      {notSelected > 0 && (
        <span class={standing.segment} style={{ background: 'var(--waiting)', flexGrow: notSelected }} />
      )}
      {blocked > 0 && <span class={`${standing.segment} blocked`} style={{ flexGrow: blocked }} />}
    </div>
  );
};

type BriefProps = { found: Preflight; source: string };

/** How many people a task would call, and why not all of the list. */
const Brief = ({ found, source }: BriefProps) => {
  const t = useWords();
  const { total, callable, notSelected, estimated, blockedBy } = found;
  const less = (count: number, isEstimated = false) =>
    `−${isEstimated ? t.tasks.about(numberText(count)) : numberText(count)}`;
  const facts: Fact[] = [
    [t.preflight.listed, numberText(total)],
    ...(notSelected > 0 ? [[t.standing.notSelected, less(notSelected, estimated)] as const] : []),
    ...blockedBy.map(({ dataSourceId: id, dataSourceName: name, count }): Fact => {
      return [id === doNotCall.id ? t.doNotCall.title : t.preflight.excluded(name), less(count)];
    }),
  ];
  return (
    <>
      <div>
        <p class="sub">{t.form.willBeCalled}</p>
        <p class="hero">{estimated ? t.tasks.about(numberText(callable)) : numberText(callable)}</p>
        <p class="sub">
          <bdi>{t.form.peopleOf(callable, source)}</bdi>
        </p>
      </div>
      {facts.length > 1 && (
        <div class="sums">
          <Facts facts={facts} />
        </div>
      )}
    </>
  );
};

type FiguresProps = { draft: TaskDraft; storedId?: string | undefined; isBrief?: boolean };

/**
 * Whom a task would call, with a bar and what to look at before: in one sentence, or as figures. `isBrief`: as figures,
 * without states of other tasks.
 */
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
  const also = alsoWords(found, states.data, t);
  const parts = [
    t.preflight.inList(found.total),
    ...(found.notSelected > 0 ? [t.preflight.notSelected(found.notSelected, found.estimated)] : []),
    ...listWords(found, t),
    t.preflight.willBeCalled(found.callable, found.estimated),
  ];
  return (
    <div class={`${css.preflight} stack`}>
      {isBrief ? (
        <Brief found={found} source={draft.source?.name ?? ''} />
      ) : (
        <p>{t.preflight.sentence(parts, also)}</p>
      )}
      {found.callable < found.total && <Bar {...found} />}
      {isBrief && also.length > 0 && <p class="sub">{t.preflight.sentence([], also)}</p>}
      {found.callable === 0 && <p class="why">{none}</p>}
      {found.otherSpelling > 0 && <p class="why">{t.preflight.otherSpelling(found.otherSpelling)}</p>}
      {found.atLimit > 0 && <p class="faint">{t.preflight.atLimit(found.atLimit)}</p>}
      {found.unknownFields.length > 0 && (
        <p class="why">{t.preflight.unknownFields(listText(found.unknownFields))}</p>
      )}
      {found.unreadableTimes > 0 && <p class="why">{t.preflight.unreadableTimes(found.unreadableTimes)}</p>}
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
  ...(['contactFilter', 'callFrom', 'retryRules', 'callLimits', 'restAfterSuccess'] as const),
  ...(['maxConcurrentCalls', 'callsPerMinute'] as const),
  ...(['pauseWhen', 'dispositions', 'callerNumbers', 'callSettings'] as const),
];

type SummaryProps = { draft: TaskDraft; storedId?: string | undefined; isBrief?: boolean };

/**
 * In a few sentences: how many people, when, how often, which lists are excluded, when it can begin. `isBrief`: beside the
 * form, which shows the settings and the number of people.
 */
export const TaskSummary = ({ draft, storedId, isBrief = false }: SummaryProps) => {
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
    !isBrief && found === undefined && isCounting && t.form.peopleCounted(draft.source?.name ?? ''),
    !isBrief &&
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
      {draft.source !== undefined && begins !== undefined && <p class="strong">{begins}</p>}
      {said.length > 0 && <p>{t.form.sentence(said)}</p>}
      <p class={isBrief ? 'faint' : ''}>{t.form.excludes(listText(lists))}</p>
      {!isBrief && facts.length > 0 && <Facts facts={facts} />}
      {!isBrief &&
        Object.values(caps).map((words) => (
          <p key={words} class="faint">
            {words}
          </p>
        ))}
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
