import { useQuery } from '@tanstack/preact-query';
import { openFrom } from '../../../shared/domain/schedule.ts';
import { listText } from '../i18n/format.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { named } from '../i18n/phrases.ts';
import { sourceQuery, useSourceNames } from '../sources/queries.ts';
import { daysWords, hoursWords, momentInZone } from '../tasks/task-words.ts';
import { daysOffOf, type TaskDraft } from './draft/task-draft.ts';
import { faultsOf } from './draft/task-faults.ts';
import { preflightQuery } from './preflight-report.tsx';
import './task-form.css';

const beginning = (draft: TaskDraft, t: Dictionary, now: number): string => {
  const opens = openFrom({ ...draft, excludedDates: daysOffOf(draft) }, now, draft.timeZone);
  if (opens === undefined) return t.form.neverOpens;
  return opens <= now ? t.form.beginsNow : t.form.canBegin(momentInZone(opens, draft.timeZone, t));
};

/** In a few sentences: how many people, when, how often, which lists are excluded, when it can begin. */
export const TaskSummary = ({ draft }: { draft: TaskDraft }) => {
  const t = useWords();
  const faults = faultsOf(draft, t);
  const isRight = (...fields: string[]) => !fields.some((field) => field in faults);
  const hoursKnown = isRight('dailyStartTime', 'dailyEndTime', 'timeZone', 'weekdays', 'breaks');
  const names = useSourceNames(draft.excluded);
  const lists = [...[...names.values()].map(named), t.form.doNotCallList];
  const found = useQuery(preflightQuery(draft));
  // The size of the list is part of the pre-flight, and asked for by itself only where that failed.
  const list = useQuery({ ...sourceQuery(draft.source?.id ?? ''), enabled: found.isError });
  const count = found.data?.total ?? list.data?.contactCount;
  const said = [
    count !== undefined && t.form.people(found.data?.callable ?? count, draft.source?.name ?? ''),
    hoursKnown && t.form.inZone(hoursWords(draft, t), draft.timeZone),
    daysOffOf(draft).length > 0 && t.form.exceptOn(daysWords(daysOffOf(draft))),
    isRight('maxDialCount', 'callInterval') &&
      t.task.attemptsWords(Number(draft.maxDialCount), Number(draft.callInterval)),
    draft.callUntil !== '' && t.form.until(draft.callUntil),
  ].filter((part) => part !== false);
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
