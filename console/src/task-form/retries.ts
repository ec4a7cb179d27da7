import type { TaskOverview } from '../../../client/answers.ts';
import type { CallReason } from '../../../shared/domain/dialing/dialing.ts';
import { listText } from '../i18n/format.ts';
import type { Dictionary } from '../i18n/i18n.ts';

export type RetryRule = TaskOverview['retryRules'][number];

export const units = [
  { name: 'minutes', seconds: 60 },
  { name: 'hours', seconds: 3600 },
  { name: 'days', seconds: 86_400 },
  { name: 'seconds', seconds: 1 },
] as const;

/** A rule as its form holds it. */
export type RuleDraft = {
  reasons: CallReason[];
  wait: string;
  unit: (typeof units)[number]['name'];
  attempts: string;
};

const secondsOf = (unit: RuleDraft['unit']) => units.find(({ name }) => name === unit)?.seconds ?? 1;

/** The largest unit in which the wait is a whole number. */
const unitOf = (seconds: number): RuleDraft['unit'] =>
  (['days', 'hours', 'minutes'] as const).find((unit) => seconds > 0 && seconds % secondsOf(unit) === 0) ??
  'seconds';

export const ruleDraft = ({ reasons, waitSeconds, attempts }: RetryRule): RuleDraft => {
  const unit = unitOf(waitSeconds);
  return { reasons, wait: String(waitSeconds / secondsOf(unit)), unit, attempts: String(attempts) };
};

export const ruleOf = ({ reasons, wait, unit, attempts }: RuleDraft): RetryRule => ({
  reasons,
  waitSeconds: Number(wait) * secondsOf(unit),
  attempts: Number(attempts),
});

/** After 5 minutes, after 2 hours, after 1 day. */
export const waitWords = (seconds: number, t: Dictionary): string => {
  const unit = unitOf(seconds);
  return t.form.after[unit](seconds / secondsOf(unit));
};

/** Busy: after 5 minutes, at most 3 calls. */
export const ruleWords = ({ reasons, waitSeconds, attempts }: RetryRule, t: Dictionary): string =>
  t.form.ruleWords(listText(reasons.map((reason) => t.reason[reason])), waitWords(waitSeconds, t), attempts);
