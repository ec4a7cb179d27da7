import type { TaskOverview } from '../../../../client/answers.ts';
import type { CallReason } from '../../../../shared/tasks/rules.ts';
import { listText } from '../../i18n/format.ts';
import type { Dictionary } from '../../i18n/i18n.ts';

export type RetryRule = TaskOverview['retryRules'][number];

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
const lastingWords = (seconds: number, t: Dictionary): string => {
  const unit = unitOf(seconds);
  return t.form.lasting[unit](seconds / units[unit]);
};

export const waitWords = (seconds: number, t: Dictionary): string =>
  seconds === units.days ? t.form.tomorrow : t.form.after(lastingWords(seconds, t));

/** How often a contact is called at most, and how long the service waits between two calls. */
export const attemptsWords = (most: number, interval: number, t: Dictionary): string => {
  const words = t.task.attemptsWords(most);
  return most === 1 || interval === 0 ? words : t.task.apart(words, lastingWords(interval, t));
};

/** Busy: after 5 minutes, at most 3 calls. */
export const ruleWords = ({ reasons, waitSeconds, attempts }: RetryRule, t: Dictionary): string =>
  t.form.ruleWords(listText(reasons.map((reason) => t.reason[reason])), waitWords(waitSeconds, t), attempts);
