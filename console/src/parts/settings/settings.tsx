import type { TaskOverview } from '../../../../client/client.ts';
import { normalisePhone } from '../../../../shared/contacts/rules/phone-number.ts';
import { patterns } from '../../../../shared/platform/rules/names.ts';
import type { ClockRange } from '../../../../shared/platform/time/schedule.ts';
import { taskSettings } from '../../../../shared/tasks/rules/task-settings.ts';
import { type Dictionary, listText, useWords } from '../../i18n/i18n.ts';
import { PrioritySelect } from '../../ui/fields/field.tsx';
import { type Pair, PairFields } from '../../ui/fields/rows-field.tsx';
import { daysWords, weekdayWords } from '../tasks/task-words.ts';
import { allDays, type DaysOff } from './days.ts';
import {
  areDispositionsWrong,
  type DispositionDraft,
  DispositionsControl,
  dispositionDraft,
  dispositionOf,
  dispositionWords,
  filledDispositions,
} from './disposition-controls.tsx';
import {
  type ConditionDraft,
  conditionDraft,
  ExcludedControl,
  FilterControl,
  filterOf,
  filterWords,
  isFilterWrong,
  type ListDraft,
} from './filter-control.tsx';
import {
  type Brake,
  BrakeControl,
  BreaksControl,
  ClockControl,
  DaysOffControl,
  everyDay,
  LimitControl,
  momentControl,
  NumberControl,
  textControl,
  WeekdaysControl,
  ZoneControl,
} from './plain-controls.tsx';
import {
  EndControl,
  type LimitDraft,
  LimitsControl,
  lastingWords,
  limitDraft,
  limitOf,
  limitWords,
  OrderControl,
  type RetryOrder,
  type RuleDraft,
  RulesControl,
  ruleDraft,
  ruleOf,
  ruleWords,
} from './retry-controls.tsx';
import { type ControlProps, isLimit, isWithin, numberOrNull, type Setting } from './setting.ts';

export type SettingName = keyof typeof taskSettings | 'taskName';
type Value<Name extends SettingName> = TaskOverview[Name];

const same = <T,>(value: T): T => value;
const typedOf = (value: string | number | null | undefined) => String(value ?? '');

const text: Setting<string, string> = { typed: same, value: same, Control: textControl() };

const isClock = (typed: string) => new RegExp(patterns.clock.pattern).test(typed);
const clock: Setting<string, string> = {
  ...text,
  isWrong: (typed) => !isClock(typed),
  Control: ClockControl,
};

type Range = { minimum: number; maximum: number };
const numberIn = (range: Range): Setting<number, string> => ({
  typed: String,
  value: Number,
  isWrong: (typed) => !isWithin(typed, range),
  Control: NumberControl,
});

/** A number, or nothing for no limit. */
const limitIn = (range: Range): Setting<number | null, string> => ({
  typed: typedOf,
  value: numberOrNull,
  isWrong: (typed) => !isLimit(typed, range),
  Control: LimitControl,
});

const priority: Setting<number, string> = {
  ...numberIn(taskSettings.priority),
  Control: ({ label, error, value, onValue }) => <PrioritySelect {...{ label, error, value, onValue }} />,
};

const momentAt = (usualClock: string): Setting<string | null, string> => ({
  typed: typedOf,
  value: (typed) => typed || null,
  Control: momentControl(usualClock),
});

const weekdays: Setting<Value<'weekdays'>, number[]> = {
  typed: (days) => (days.length === 0 ? everyDay : days),
  value: same,
  isWrong: (days) => days.length === 0,
  words: weekdayWords,
  Control: WeekdaysControl,
};

const breaks: Setting<Value<'breaks'>, ClockRange[]> = {
  typed: same,
  value: (rows) => rows.filter(({ start, end }) => start !== '' || end !== ''),
  isWrong: (rows) => !rows.every(({ start, end }) => isClock(start) && isClock(end)),
  words: (rows) => listText(rows.map(({ start, end }) => `${start}–${end}`)),
  Control: BreaksControl,
};

const excludedDates: Setting<Value<'excludedDates'>, DaysOff> = {
  typed: (days) => ({ days, first: '', last: '' }),
  value: allDays,
  isWrong: (typed) => allDays(typed).length > taskSettings.excludedDates.maxItems,
  words: daysWords,
  Control: DaysOffControl,
};

const excludedDataSourceIds: Setting<Value<'excludedDataSourceIds'>, ListDraft[]> = {
  typed: (ids) => ids.map((id) => ({ id })),
  value: (lists) => lists.map(({ id }) => id),
  words: (ids, _t, names) => listText(ids.map((id) => names.get(id) ?? id)),
  Control: ExcludedControl,
};

const isRule = (rule: RuleDraft) => {
  const { waitSeconds, attempts } = taskSettings.retryRules.items.properties;
  const hasWait = rule.wait.trim() !== '' && isWithin(String(ruleOf(rule).waitSeconds), waitSeconds);
  return rule.reasons.length > 0 && hasWait && isWithin(rule.attempts, attempts);
};

const retryRules: Setting<Value<'retryRules'>, RuleDraft[]> = {
  typed: (rules) => rules.map(ruleDraft),
  value: (rules) => rules.map(ruleOf),
  isWrong: (rules) => !rules.every(isRule),
  words: (rules, t) => rules.map((rule) => ruleWords(rule, t)).join('; '),
  Control: RulesControl,
};

const callLimits: Setting<Value<'callLimits'>, LimitDraft[]> = {
  typed: (limits) => limits.map(limitDraft),
  value: (limits) => limits.map(limitOf),
  isWrong: (limits) => {
    const { calls, minutes } = taskSettings.callLimits.items.properties;
    const windows = limits.map((limit) => String(limitOf(limit).minutes));
    const areWithin = limits.every(
      (limit, i) => isWithin(limit.calls, calls) && isWithin(windows[i]!, minutes),
    );
    return !areWithin || new Set(windows).size < windows.length;
  },
  words: (limits, t) => listText(limits.map((limit) => limitWords(limit, t))),
  Control: LimitsControl,
};

const restAfterSuccess: Setting<number, string> = {
  typed: (hours) => (hours === 0 ? '' : String(hours)),
  value: Number,
  isWrong: (typed) => !isLimit(typed, taskSettings.restAfterSuccess),
  words: (hours, t) => (hours === 0 ? '' : lastingWords(hours * 3600, t)),
  Control: textControl({ inputMode: 'numeric', placeholder: '0' }),
};

const dispositions: Setting<Value<'dispositions'>, DispositionDraft[]> = {
  typed: (declared) => declared.map(dispositionDraft),
  value: (drafts) => filledDispositions(drafts).map(dispositionOf),
  isWrong: areDispositionsWrong,
  words: (declared, t) => listText(declared.map((each) => dispositionWords(each, t))),
  isOptional: true,
  Control: DispositionsControl,
};

const retryOrder: Setting<Value<'retryOrder'>, RetryOrder> = {
  typed: same,
  value: same,
  words: (order, t) => t.form.retryOrders[order],
  Control: OrderControl,
};

const contactFilter: Setting<Value<'contactFilter'>, ConditionDraft[]> = {
  typed: (filter) => filter.map(conditionDraft),
  value: filterOf,
  isWrong: isFilterWrong,
  words: filterWords,
  Control: FilterControl,
};

const keepOpen: Setting<boolean, boolean> = {
  typed: same,
  value: same,
  words: (isKept, t) => (isKept ? t.form.ends.staysOpen : t.form.ends.completes),
  Control: EndControl,
};

const pauseWhen: Setting<Value<'pauseWhen'>, Brake> = {
  typed: (brake) => ({ failedPercent: typedOf(brake?.failedPercent), calls: typedOf(brake?.calls) }),
  value: ({ failedPercent, calls }) =>
    failedPercent.trim() === '' && calls.trim() === ''
      ? null
      : { failedPercent: Number(failedPercent), calls: Number(calls) },
  isWrong: (typed) => {
    const { failedPercent, calls } = taskSettings.pauseWhen.properties;
    const isWhole = (typed.failedPercent.trim() === '') === (typed.calls.trim() === '');
    return !(isWhole && isLimit(typed.failedPercent, failedPercent) && isLimit(typed.calls, calls));
  },
  words: (brake, t) => (brake === null ? '' : t.form.brakeWords(brake.failedPercent, brake.calls)),
  Control: BrakeControl,
};

const numbersIn = (typed: string): string[] =>
  typed
    .trim()
    .split(/\s*[,，;；、\n]\s*/)
    .filter(Boolean);

const callerNumbers: Setting<Value<'callerNumbers'>, string> = {
  typed: (numbers) => numbers.join(', '),
  value: numbersIn,
  isWrong: (typed) => {
    const numbers = numbersIn(typed);
    const hasOther = numbers.some((number) => normalisePhone(number) === undefined);
    return hasOther || numbers.length > taskSettings.callerNumbers.maxItems;
  },
  words: listText,
  isOptional: true,
  Control: textControl({ inputMode: 'tel' }),
};

/** Rows in which nothing was typed do not count. */
const filled = (pairs: readonly Pair[]): Pair[] =>
  pairs
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' || value !== '');

const callSettings: Setting<Value<'callSettings'>, Pair[]> = {
  typed: (values) => Object.entries(values).map(([name, value]) => ({ name, value })),
  value: (pairs) => Object.fromEntries(filled(pairs).map(({ name, value }) => [name, value])),
  isWrong: (pairs) => {
    const names = filled(pairs).map(({ name }) => name);
    return names.includes('') || new Set(names).size < names.length;
  },
  words: (values) => listText(Object.entries(values).map((pair) => pair.join(': '))),
  isOptional: true,
  Control: ({ label, error, hint, value, onValue }: ControlProps<Pair[]>) => (
    <PairFields
      {...{ label, error, hint }}
      rows={value}
      onRows={onValue}
      add={useWords().form.addSetting}
      nameAtMost={taskSettings.callSettings.propertyNames.maxLength}
      atMost={taskSettings.callSettings.maxProperties}
    />
  ),
};

const taskName: Setting<string, string> = {
  ...text,
  Control: textControl({ 'data-first': true }),
  value: (typed) => typed.trim(),
  isWrong: (typed) => typed.trim() === '',
};
const taskDesc: Setting<string, string> = { ...text, isOptional: true };
const timeZone: Setting<string, string> = { ...text, Control: ZoneControl };

/** Every setting of a task. Its words are in `setting-words.ts`. */
export const settings = {
  taskName,
  taskDesc,
  dailyStartTime: clock,
  dailyEndTime: clock,
  timeZone,
  weekdays,
  breaks,
  excludedDates,
  callFrom: momentAt('00:00'),
  callUntil: momentAt('23:59'),
  maxDialCount: numberIn(taskSettings.maxDialCount),
  callInterval: numberIn(taskSettings.callInterval),
  priority,
  retryRules,
  callLimits,
  restAfterSuccess,
  retryOrder,
  keepOpen,
  dispositions,
  maxConcurrentCalls: limitIn(taskSettings.maxConcurrentCalls),
  callsPerMinute: limitIn(taskSettings.callsPerMinute),
  pauseWhen,
  callerNumbers,
  callSettings,
  excludedDataSourceIds,
  contactFilter,
} satisfies { [Name in SettingName]: Pick<Setting<Value<Name>, never>, 'value'> };

/** A setting whose kind of value does not matter. */
export const settingOf = (name: SettingName) => settings[name] as Setting<unknown, unknown>;
export const settingNames = Object.keys(settings) as SettingName[];

/** Settings beside each other, under a title of their own where they have one. */
export type Row = { names: readonly (SettingName | 'dataSourceId')[]; group?: 'dates' };

const row = (...names: Row['names']): Row => ({ names });

export type SettingGroup = 'who' | 'when' | 'how' | 'limits' | 'told' | 'results';

/** What the form of a task shows open: its list, its name, its hours and its attempts. */
export const openSettings: readonly Row['names'][number][] = [
  ...(['dataSourceId', 'taskName', 'weekdays', 'dailyStartTime', 'dailyEndTime'] as const),
  ...(['maxDialCount', 'callInterval'] as const),
];

/** The other settings, folded into groups. An adjustment shows the weekdays too. */
export const groups: Record<SettingGroup, readonly Row[]> = {
  who: [row('contactFilter'), row('excludedDataSourceIds'), row('taskDesc')],
  when: [
    row('weekdays'),
    row('timeZone'),
    row('breaks', 'excludedDates'),
    { names: ['callFrom', 'callUntil'], group: 'dates' },
  ],
  how: [row('retryRules'), row('callLimits'), row('restAfterSuccess'), row('retryOrder', 'keepOpen')],
  limits: [row('maxConcurrentCalls', 'callsPerMinute', 'priority'), row('pauseWhen')],
  told: [row('callerNumbers'), row('callSettings')],
  results: [row('dispositions')],
};

/** The value of a setting as the reader says it, empty for none. `lists`: names of contact lists. */
export const valueWords = (
  name: SettingName,
  value: unknown,
  lists: ReadonlyMap<string, string>,
  t: Dictionary,
): string => {
  const { words = typedOf } = settingOf(name);
  return words(value as string, t, lists);
};
