import { useQuery } from '@tanstack/preact-query';
import { listText } from '../../i18n/format.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { quoted } from '../../i18n/phrases.ts';
import { type Fact, Facts } from '../../ui/figures/facts.tsx';
import { sourceQuery, useSourceNames } from '../lists/queries.ts';
import { useCaps } from '../service/service.ts';
import { allDays } from '../settings/days.ts';
import { bodyOf, deadEndOf, faultsOf, firstOpening, type TaskDraft } from '../settings/draft.ts';
import { attemptsWords } from '../settings/retries.ts';
import { valueWords } from '../settings/settings.tsx';
import { daysWords, hoursWords, momentInZone } from '../tasks/task-words.ts';
import { usePreflight } from './preflight-figures.tsx';
import css from './task-summary.module.css';

/** Nothing begins where nobody will be called. */
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
