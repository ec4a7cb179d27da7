import type { TaskOverview } from '../../../../client/client.ts';
import { type CallReason, callReasons, taskSettings } from '../../../../shared/tasks/rules/task-settings.ts';
import { type Dictionary, listText, useWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ChoiceChips, Select, SelectField } from '../../ui/fields/field.tsx';
import { RowsField } from '../../ui/fields/rows-field.tsx';
import css from './controls.module.css';
import type { ControlProps } from './setting.ts';

type RetryRule = TaskOverview['retryRules'][number];

/** In seconds. */
const units = { minutes: 60, hours: 3600, days: 86_400, seconds: 1 };
type Unit = keyof typeof units;

/** A rule as its form holds it. */
export type RuleDraft = { reasons: CallReason[]; wait: string; unit: Unit; attempts: string };

/** The largest unit in which the wait is a whole number. */
const unitOf = (seconds: number): Unit =>
  (['days', 'hours', 'minutes'] as const).find((unit) => seconds > 0 && seconds % units[unit] === 0) ??
  'seconds';

export const ruleDraft = ({ reasons, waitSeconds, attempts }: RetryRule): RuleDraft => {
  const unit = unitOf(waitSeconds);
  return { reasons, wait: String(waitSeconds / units[unit]), unit, attempts: String(attempts) };
};

export const ruleOf = ({ reasons, wait, unit, attempts }: RuleDraft): RetryRule => ({
  reasons,
  waitSeconds: Number(wait) * units[unit],
  attempts: Number(attempts),
});

/** 5 minutes, 2 hours, 1 day. */
export const lastingWords = (seconds: number, t: Dictionary): string => {
  const unit = unitOf(seconds);
  return t.form.lasting[unit](seconds / units[unit]);
};

const waitWords = (seconds: number, t: Dictionary): string =>
  seconds === units.days ? t.form.tomorrow : t.form.after(lastingWords(seconds, t));

/** How often a contact is called at most, and how long the service waits between two calls. */
export const attemptsWords = (most: number, interval: number, t: Dictionary): string => {
  const words = t.task.attemptsWords(most);
  return most === 1 || interval === 0 ? words : t.task.apart(words, lastingWords(interval, t));
};

/** Busy: after 5 minutes, at most 3 calls. */
export const ruleWords = ({ reasons, waitSeconds, attempts }: RetryRule, t: Dictionary): string =>
  t.form.ruleWords(listText(reasons.map((reason) => t.reason[reason])), waitWords(waitSeconds, t), attempts);

type CallLimit = TaskOverview['callLimits'][number];
/** A limit on calls as its form holds it. */
export type LimitDraft = { calls: string; span: string; unit: Unit };

export const limitDraft = ({ calls, minutes }: CallLimit): LimitDraft => {
  const seconds = minutes * units.minutes;
  const unit = unitOf(seconds);
  return { calls: String(calls), span: String(seconds / units[unit]), unit };
};

export const limitOf = ({ calls, span, unit }: LimitDraft): CallLimit => ({
  calls: Number(calls),
  minutes: (Number(span) * units[unit]) / units.minutes,
});

export const limitWords = ({ calls, minutes }: CallLimit, t: Dictionary): string =>
  t.form.limitWords(calls, lastingWords(minutes * units.minutes, t));

type UnitProps = { label: string; value: Unit; onValue: (unit: Unit) => void; most?: Unit[] };

const UnitSelect = ({ label, value, onValue, most = Object.keys(units) as Unit[] }: UnitProps) => {
  const t = useWords();
  return (
    <Select
      label={`${label}: ${t.form.unit}`}
      value={value}
      options={most.map((unit) => ({ value: unit, label: t.form.units[unit] }))}
      onValue={(unit) => onValue(unit as Unit)}
    />
  );
};

/** How often a number may be called in a span of time. */
export const LimitsControl = ({ label, error, hint, value, onValue }: ControlProps<LimitDraft[]>) => {
  const t = useWords();
  return (
    <RowsField
      label={label}
      error={error}
      hint={hint}
      rows={value}
      onRows={onValue}
      atMost={taskSettings.callLimits.maxItems}
      fresh={{ label: t.form.addLimit, row: { calls: '3', span: '1', unit: 'days' } }}
    >
      {(limit, put, at) => {
        const name = t.form.limit(at + 1);
        const field = (part: 'calls' | 'span', words: string) => (
          <>
            <span>{words}</span>
            <input
              inputMode="numeric"
              aria-label={`${name}: ${words}`}
              aria-invalid={error !== undefined}
              value={limit[part]}
              onInput={(event) => put({ [part]: event.currentTarget.value })}
            />
          </>
        );
        return (
          <div class={`${css.ruleWhen} row wrap`}>
            {field('calls', t.form.atMostCalls)}
            {field('span', t.form.within)}
            <UnitSelect
              label={name}
              value={limit.unit}
              onValue={(unit) => put({ unit })}
              most={['minutes', 'hours', 'days']}
            />
          </div>
        );
      }}
    </RowsField>
  );
};

/** What is proposed: soon, later the same day, the next day. */
const proposals: readonly RetryRule[] = [
  { reasons: ['busy'], waitSeconds: 300, attempts: 3 },
  { reasons: ['noAnswer'], waitSeconds: 7200, attempts: 3 },
  { reasons: ['poweredOff'], waitSeconds: 86_400, attempts: 3 },
];

type RuleProps = { rule: RuleDraft; at: number; invalid: boolean; put: (part: Partial<RuleDraft>) => void };

const Rule = ({ rule, at, invalid, put }: RuleProps) => {
  const t = useWords();
  const numberField = (name: 'wait' | 'attempts', label: string) => (
    <input
      inputMode="numeric"
      aria-label={`${t.form.rule(at + 1)}: ${label}`}
      aria-invalid={invalid}
      value={rule[name]}
      onInput={(event) => put({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <fieldset class={`${css.rule} card stack`}>
      <legend class="hidden">{t.form.rule(at + 1)}</legend>
      <ChoiceChips
        choices={callReasons.map((value) => ({ value, label: t.reason[value] }))}
        chosen={rule.reasons}
        onChosen={(reasons) => put({ reasons })}
      />
      <div class={`${css.ruleWhen} row wrap`}>
        <span>{t.form.callAgainAfter}</span>
        {numberField('wait', t.form.callAgainAfter)}
        <UnitSelect label={t.form.rule(at + 1)} value={rule.unit} onValue={(unit) => put({ unit })} />
        <span>{t.form.atMostCalls}</span>
        {numberField('attempts', t.form.atMostCalls)}
        <span>{t.form.callsWord}</span>
      </div>
    </fieldset>
  );
};

/** When a call that was busy, not answered or otherwise in vain is made again. */
export const RulesControl = ({ label, error, hint, value: rules, onValue }: ControlProps<RuleDraft[]>) => {
  const t = useWords();
  const isNew = ({ reasons }: RetryRule) =>
    !reasons.some((reason) => rules.some((rule) => rule.reasons.includes(reason)));
  const open = rules.length < taskSettings.retryRules.maxItems ? proposals.filter(isNew) : [];
  return (
    <>
      <RowsField
        {...{ label, error, hint }}
        rows={rules}
        onRows={onValue}
        atMost={taskSettings.retryRules.maxItems}
        fresh={{ label: t.form.addRule, row: ruleDraft({ reasons: [], waitSeconds: 3600, attempts: 3 }) }}
      >
        {(rule, change, at) => <Rule rule={rule} at={at} invalid={error !== undefined} put={change} />}
      </RowsField>
      {open.length > 0 && (
        <div class="row wrap">
          <span class="faint">{t.form.proposals}</span>
          {open.map((rule) => (
            <Button
              key={rule.reasons[0]}
              icon="plus"
              onClick={() => onValue([...rules, ruleDraft(rule)])}
              label={t.form.proposal(t.reason[rule.reasons[0] as 'busy'], waitWords(rule.waitSeconds, t))}
            />
          ))}
        </div>
      )}
    </>
  );
};

export type RetryOrder = (typeof taskSettings.retryOrder.enum)[number];

export const OrderControl = ({ label, error, value, onValue }: ControlProps<RetryOrder>) => {
  const t = useWords();
  return (
    <SelectField
      {...{ label, error, value }}
      options={taskSettings.retryOrder.enum.map((order) => ({
        value: order,
        label: t.form.retryOrders[order],
      }))}
      onValue={(order) => onValue(order as RetryOrder)}
    />
  );
};

/** Whether the task completes with its last contact, or waits for further contacts. */
export const EndControl = ({ label, error, value, onValue }: ControlProps<boolean>) => {
  const { ends } = useWords().form;
  return (
    <SelectField
      {...{ label, error }}
      value={value ? 'staysOpen' : 'completes'}
      options={[
        { value: 'completes', label: ends.completes },
        { value: 'staysOpen', label: ends.staysOpen },
      ]}
      onValue={(end) => onValue(end === 'staysOpen')}
    />
  );
};
