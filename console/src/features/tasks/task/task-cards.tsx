import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { HistoryEntry, TaskOverview } from '../../../../../client/client.ts';
import {
  type CallReason,
  callReasons,
  taskSettings,
} from '../../../../../shared/tasks/rules/task-settings.ts';
import { useRefresh } from '../../../api/client.ts';
import { troubleOf } from '../../../api/errors.ts';
import { callsPath } from '../../../base/paths.ts';
import { type Dictionary, numberText, useWords } from '../../../i18n/i18n.ts';
import { capital } from '../../../i18n/phrases.ts';
import { useSourceNames } from '../../../parts/lists/queries.ts';
import { saveChanges, TaskConflict } from '../../../parts/settings/conflict-dialog.tsx';
import { editOf } from '../../../parts/settings/draft.ts';
import { attemptsWords, ruleWords } from '../../../parts/settings/retry-controls.tsx';
import { isLimit, numberOrNull } from '../../../parts/settings/setting.ts';
import { type SettingName, settingNames, valueWords } from '../../../parts/settings/settings.tsx';
import { Hours } from '../../../parts/tasks/hours.tsx';
import { historyQuery, outlookQuery, taskKeys } from '../../../parts/tasks/queries.ts';
import { callerWords, daysWords, dispositionCounts, reasonWords } from '../../../parts/tasks/task-words.ts';
import { usePerson } from '../../../session/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { type Fact, Facts, Moment, Sub } from '../../../ui/figures/figures.tsx';
import { Card, say } from '../../../ui/page/page.tsx';
import { type Limit, stepped } from './steps.ts';
import css from './task.module.css';

/** A limit is sent once the reader has stopped pressing. */
const quietMs = 700;
type StepperProps = { task: TaskOverview; name: Limit; current: number };
const Stepper = ({ task, name, current }: StepperProps) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const refresh = useRefresh(taskKeys);
  const known = task[name] === null ? '' : String(task[name]);
  const [typed, setTyped] = useState<string | undefined>();
  const value = typed ?? known;
  // The task as it was when the reader began.
  const base = useRef(task);
  if (typed === undefined) base.current = task;
  const isRight = isLimit(value, taskSettings[name]);
  const label = t.setting[name].label;
  const sending = useMutation({
    mutationFn: (limit: number | null) => {
      const before = editOf(base.current).base;
      return saveChanges('adjust', task.id, { ...before.body, [name]: limit }, before);
    },
    onSuccess: (answer, limit) => {
      const updateTime = answer?.updateTime ?? base.current.updateTime;
      if (answer?.theirs?.[name] === limit) say(t.adjust.sameLimit(label));
      base.current = { ...base.current, [name]: limit, updateTime };
    },
    onSettled: async (_answer, error, limit) => {
      await refresh();
      // What was pressed meanwhile is sent next, unless a colleague has set the same limit.
      const isDone = (latest = '') => error instanceof TaskConflict || numberOrNull(latest) === limit;
      setTyped((latest) => (isDone(latest) ? undefined : latest));
    },
  });
  useEffect(() => {
    if (typed === undefined || typed === known || !isRight || sending.isPending) return;
    const timer = setTimeout(() => sending.mutate(numberOrNull(typed)), quietMs);
    return () => clearTimeout(timer);
  }, [typed, known, isRight, sending.isPending]);
  const step = (up: boolean) => (
    <Button
      disabled={!mayWrite || (!up && value === '')}
      aria-label={up ? t.adjust.more(label) : t.adjust.less(label)}
      onClick={() => setTyped(String(stepped(isRight ? numberOrNull(value) : null, up, name, current)))}
      label={up ? '+' : '−'}
    />
  );
  const refused =
    sending.error instanceof TaskConflict ? t.errors.codes.CHANGED_SINCE : troubleOf(sending.error, t).whole;
  const error = isRight ? refused : t.setting[name].fault;
  return (
    <Field label={label} error={error}>
      {(tied) => (
        <div class={`${css.stepper} row`}>
          {step(false)}
          <input
            {...tied}
            inputMode="numeric"
            autocomplete="off"
            placeholder={t.form.noLimit}
            value={value}
            disabled={!mayWrite}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          {step(true)}
          {mayWrite && value !== '' && (
            <Button
              kind="quiet"
              aria-label={t.adjust.without(label)}
              onClick={() => setTyped('')}
              label={t.form.noLimit}
            />
          )}
        </div>
      )}
    </Field>
  );
};

/** How many calls a task makes at the same time and in a minute, to be changed while it runs. */
export const Pace = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const perMinute = useQuery(outlookQuery(task.id)).data?.perMinute ?? 0;
  return (
    <section class={css.pace} aria-labelledby="pace">
      <h2 id="pace">{t.form.limits}</h2>
      <Stepper task={task} name="maxConcurrentCalls" current={task.contacts.inCall} />
      <Stepper task={task} name="callsPerMinute" current={perMinute} />
      <p class="sub grow">{t.adjust.paceHint}</p>
    </section>
  );
};

/** `color`: of the outcome that it belongs to. */
type Bar = { name: string; count: number; href: string; color: `--${string}` };

/** Counts as bars, the most frequent first. Each leads to its calls. */
const Bars = ({ bars, none }: { bars: readonly Bar[]; none: string }) => {
  const rows = bars.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  if (rows.length === 0) return <p class="faint">{none}</p>;
  const most = Math.max(...rows.map(({ count }) => count));
  return (
    <table class={css.bars}>
      <tbody>
        {rows.map(({ name, count, href, color }, i) => (
          <tr key={i}>
            <th scope="row">
              <Link href={href}>
                <bdi>{name}</bdi>
              </Link>
            </th>
            <td class={css.bar}>
              <span style={{ width: `${(100 * count) / most}%`, background: `var(${color})` }} />
            </td>
            <td class="number">{numberText(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Reasons for which the call itself failed; for the others nobody answered. */
const failures = new Set<CallReason>([
  'rejected',
  'outOfService',
  'unreachable',
  'invalidNumber',
  'networkError',
  'other',
]);

/** How often each reason was reported. */
export const Reasons = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const bars = callReasons.map((reason) => ({
    name: t.reason[reason],
    count: task.calls.byReason[reason],
    href: callsPath(task.id, { reason }),
    color: failures.has(reason) ? ('--failed' as const) : ('--no-answer' as const),
  }));
  return (
    <Card title={t.task.reasons}>
      <Bars bars={bars} none={t.task.noReasons} />
    </Card>
  );
};

/** How often each business result was reported. Nothing where the task declares none and none was reported. */
export const Dispositions = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const bars = dispositionCounts(task, t).map(({ code, ...bar }) => ({
    ...bar,
    href: callsPath(task.id, code === undefined ? {} : { disposition: code }),
    color: '--reached' as const,
  }));
  if (task.dispositions.length === 0 && bars.every(({ count }) => count === 0)) return null;
  return (
    <Card title={t.setting.dispositions.label}>
      <Bars bars={bars} none={t.calls.noDispositions} />
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

/** In the head, beside the hours and attempts, or in the card of the pace. */
const saidElsewhere = new Set<SettingName>([
  'taskName',
  'taskDesc',
  'dailyEndTime',
  'timeZone',
  'weekdays',
  'breaks',
  'excludedDates',
  'callInterval',
  'maxConcurrentCalls',
  'callsPerMinute',
]);

/** What the task was told to do. Settings that it does not have are not shown. */
export const TaskSettings = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { excludedDataSourceIds: lists, excludedDates, retryRules } = task;
  const names = useSourceNames(lists.map((id) => ({ id })));
  /** Settings that are said together, or in another way than in words. */
  const own: { [Name in SettingName]?: Fact[] } = {
    dailyStartTime: [
      [
        t.task.hours,
        <>
          <Hours task={task} />
          {excludedDates.length > 0 && <div class="sub">{t.form.exceptOn(daysWords(excludedDates))}</div>}
        </>,
      ],
    ],
    maxDialCount: [[t.task.attempts, capital(attemptsWords(task.maxDialCount, task.callInterval, t))]],
    ...(retryRules.length > 0 && {
      retryRules: [
        [t.setting.retryRules.label, retryRules.map((rule, i) => <div key={i}>{ruleWords(rule, t)}</div>)],
      ],
    }),
    callSettings: Object.entries(task.callSettings),
    ...(lists.length > 0 && {
      excludedDataSourceIds: [
        [
          t.setting.excludedDataSourceIds.label,
          lists.map((id) => <SourceLink key={id} id={id} name={names.get(id) ?? ''} />),
        ],
      ],
    }),
    ...(task.retryOrder === 'due' && { retryOrder: [] }),
    ...(!task.keepOpen && { keepOpen: [] }),
  };
  const plain = (name: SettingName): Fact[] => {
    const words = valueWords(name, task[name], names, t);
    return words === '' ? [] : [[t.setting[name].label, words]];
  };
  const facts: Fact[] = [
    [
      t.task.dataSource,
      <>
        <SourceLink id={task.dataSourceId} name={task.dataSourceName} />
        <div class="sub">{t.contacts.total(task.contacts.total)}</div>
      </>,
    ],
    ...settingNames.filter((name) => !saidElsewhere.has(name)).flatMap((name) => own[name] ?? plain(name)),
  ];
  return (
    <Card title={t.task.settings}>
      <Facts facts={facts} />
    </Card>
  );
};

type Change = HistoryEntry['changes'][number];

const listsIn = ({ name, from, to }: Change): string[] =>
  name === 'excludedDataSourceIds' ? [from, to].flatMap((ids) => (ids as string[] | null) ?? []) : [];

/** The setting, what it was and what it is, in the reader's words. */
const changeWords = (
  { name, from, to }: Change,
  lists: ReadonlyMap<string, string>,
  t: Dictionary,
): string => {
  const said = (value: unknown) => (value === null ? '' : valueWords(name, value, lists, t)) || t.common.none;
  return `${t.setting[name].label}: ${said(from)} → ${said(to)}`;
};

export const History = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const history = useQuery(historyQuery(task));
  const rows = history.data?.rows ?? [];
  const operation = (name: string) => t.task.operation[name as keyof Dictionary['task']['operation']] ?? name;
  const listed = rows.flatMap(({ changes }) => changes.flatMap(listsIn));
  const names = useSourceNames([...new Set(listed)].map((id) => ({ id })));
  const reasonOf = (entry: HistoryEntry) =>
    entry.changes.map((change) => changeWords(change, names, t)).join('; ') || reasonWords(entry, t);
  return (
    <Card title={t.task.history}>
      {rows.length === 0 && !history.isPending && <p class="faint">{t.task.noHistory}</p>}
      <ol class="events">
        {rows.map((entry, i) => (
          <li key={`${entry.time}-${i}`}>
            <Moment time={entry.time} />
            <div>
              <strong>{operation(entry.operation)}</strong>{' '}
              <span class="faint">
                <bdi>{t.task.by(callerWords(entry.by, t, entry.reasonCode !== null))}</bdi>
              </span>
              <Sub text={reasonOf(entry)} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
};
