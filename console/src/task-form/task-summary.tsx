import { useQuery } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../client/answers.ts';
import { openFrom } from '../../../shared/domain/schedule.ts';
import { listText } from '../i18n/format.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { named } from '../i18n/phrases.ts';
import { PublishQuestion } from '../preflight/publish-dialog.tsx';
import { type Plan, preflightQuery } from '../preflight/queries.ts';
import { sourceQuery, useSourceNames } from '../sources/queries.ts';
import { moveTask } from '../tasks/changes.ts';
import { taskKeys } from '../tasks/queries.ts';
import { daysWords, hoursWords, momentInZone } from '../tasks/task-words.ts';
import { useDialog } from '../ui/use-dialog.ts';
import { datesOf, daysOffOf, draftOf, type TaskDraft } from './task-draft.ts';
import { faultsOf } from './task-faults.ts';

const beginning = (draft: TaskDraft, t: Dictionary, now: number): string => {
  const opens = openFrom(
    { ...draft, ...datesOf(draft), excludedDates: daysOffOf(draft) },
    now,
    draft.timeZone,
  );
  if (opens === undefined) return t.form.neverOpens;
  return opens <= now ? t.form.beginsNow : t.form.canBegin(momentInZone(opens, draft.timeZone, t));
};

/** In a few sentences: how many people, when, how often, which lists are excluded, when it can begin. */
export const TaskSummary = ({ draft, count }: { draft: TaskDraft; count: number | undefined }) => {
  const t = useWords();
  const faults = faultsOf(draft, t);
  const hoursKnown = !['dailyStartTime', 'dailyEndTime', 'timeZone', 'weekdays', 'breaks'].some(
    (field) => field in faults,
  );
  const { callUntil } = datesOf(draft);
  const names = useSourceNames(draft.excluded);
  const lists = [...[...names.values()].map(named), t.form.doNotCallList];
  const known = draft.source !== undefined && count !== undefined;
  const found = useQuery(preflightQuery(planOf(draft))).data;
  const parts: (string | false)[] = [
    known && t.form.people(found?.callable ?? count, draft.source?.name ?? ''),
    hoursKnown && t.form.inZone(hoursWords(draft, t), draft.timeZone),
    daysOffOf(draft).length > 0 && t.form.exceptOn(daysWords(daysOffOf(draft))),
    !('maxDialCount' in faults) && t.form.upTo(Number(draft.maxDialCount)),
    !('callInterval' in faults) && t.form.apart(Number(draft.callInterval)),
    callUntil !== null && t.form.until(callUntil),
  ];
  const said = parts.filter((part) => part !== false);
  return (
    <div class="summary stack">
      {draft.source === undefined && <p>{t.form.peopleUnknown}</p>}
      {said.length > 0 && <p>{t.form.sentence(said)}</p>}
      <p>{t.form.excludes(listText(lists))}</p>
      {hoursKnown && <p class="strong">{beginning(draft, t, Date.now())}</p>}
      {count === 0 && <p class="why">{t.form.noContacts}</p>}
    </div>
  );
};

/** What decides whom the task calls. */
export const planOf = ({ source, excluded }: TaskDraft): Plan => ({
  dataSourceId: source?.id ?? '',
  excludedDataSourceIds: excluded.map(({ id }) => id),
});

/** Of a draft that is stored. */
export const PublishDialog = ({ task, onClose }: { task: TaskOverview; onClose: () => void }) => {
  const t = useWords();
  const draft = draftOf(task);
  const source = useQuery(sourceQuery(task.dataSourceId));
  const dialog = useDialog({
    change: () => moveTask('publish', task.id),
    said: () => t.task.operation.publish,
    refreshes: taskKeys,
    onClose,
  });
  return (
    <PublishQuestion taskName={task.taskName} plan={planOf(draft)} taskId={task.id} {...dialog.form}>
      <TaskSummary draft={draft} count={source.data?.contactCount ?? task.contacts.total} />
    </PublishQuestion>
  );
};
