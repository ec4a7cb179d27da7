import { ServiceError } from '../../../../shared/domain/errors.ts';
import { forms } from '../../../../shared/domain/forms.ts';
import { checkSchedule } from '../../../../shared/domain/schedule.ts';
import { taskSettings } from '../../../../shared/domain/tasks/task-settings.ts';
import type { Dictionary } from '../../i18n/i18n.ts';
import { type RuleDraft, ruleOf } from './retries.ts';
import { daysOffOf, numbersIn, settingsOf, type TaskDraft } from './task-draft.ts';

const clock = new RegExp(forms.clock.pattern);

/** 9, 930, 9:30 and 0930 are times too. */
export const clockOf = (typed: string): string => {
  const text = typed.trim().replace(/[：.]/g, ':');
  const found = /^(\d{1,2}):?(\d{2})?$/.exec(text);
  if (found === null) return text;
  return `${(found[1] as string).padStart(2, '0')}:${found[2] ?? '00'}`;
};

type Range = { minimum: number; maximum: number };
const isWithin = (text: string, { minimum, maximum }: Range) =>
  /^\d+$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum;

/** Empty, or a whole number of the range. */
export const isLimit = (text: string, range: Range): boolean => text.trim() === '' || isWithin(text, range);

const isBrake = ({ failedPercent: percent, failedCalls }: TaskDraft) => {
  const { failedPercent, calls } = taskSettings.pauseWhen.properties;
  const isWhole = (percent.trim() === '') === (failedCalls.trim() === '');
  return isWhole && isLimit(percent, failedPercent) && isLimit(failedCalls, calls);
};

const isRule = (rule: RuleDraft) => {
  const { waitSeconds, attempts } = taskSettings.retryRules.items.properties;
  const hasWait = rule.wait.trim() !== '' && isWithin(String(ruleOf(rule).waitSeconds), waitSeconds);
  return rule.reasons.length > 0 && hasWait && isWithin(rule.attempts, attempts);
};

/** The field that makes the schedule impossible, by the service's own rules. */
const scheduleFault = (draft: TaskDraft): string | undefined => {
  try {
    checkSchedule({ ...draft, excludedDates: daysOffOf(draft) });
    return undefined;
  } catch (error) {
    return error instanceof ServiceError ? error.errors[0]?.field : undefined;
  }
};

/** What the form can tell before the service is asked, by field. */
export const faultsOf = (draft: TaskDraft, t: Dictionary): Record<string, string> => {
  const isClock = (text: string) => clock.test(text);
  const [hasStart, hasEnd] = [isClock(draft.dailyStartTime), isClock(draft.dailyEndTime)];
  const hasBreaks = draft.breaks.every(({ start, end }) => isClock(start) && isClock(end));
  const wrong = hasStart && hasEnd && hasBreaks ? scheduleFault(draft) : undefined;
  const told = settingsOf(draft.callSettings).map(({ name }) => name);
  const words = { ...t.errors.fields, taskName: t.form.missingName, dataSourceId: t.form.missingSource };
  const isWrong = {
    taskName: draft.taskName.trim() === '',
    dataSourceId: draft.source === undefined,
    dailyStartTime: !hasStart,
    dailyEndTime: !hasEnd || wrong === 'dailyStartTime',
    timeZone: wrong === 'timeZone',
    weekdays: draft.weekdays.length === 0,
    breaks: !hasBreaks || wrong === 'breaks',
    excludedDates: daysOffOf(draft).length > taskSettings.excludedDates.maxItems,
    maxDialCount: !isWithin(draft.maxDialCount, taskSettings.maxDialCount),
    callInterval: !isWithin(draft.callInterval, taskSettings.callInterval),
    retryRules: !draft.retryRules.every(isRule),
    callSettings: told.includes('') || new Set(told).size < told.length,
    callerNumbers: numbersIn(draft.callerNumbers).length > taskSettings.callerNumbers.maxItems,
    callUntil: wrong === 'callFrom',
    maxConcurrentCalls: !isLimit(draft.maxConcurrentCalls, taskSettings.maxConcurrentCalls),
    callsPerMinute: !isLimit(draft.callsPerMinute, taskSettings.callsPerMinute),
    pauseWhen: !isBrake(draft),
  };
  const fields = (Object.keys(isWrong) as (keyof typeof isWrong)[]).filter((field) => isWrong[field]);
  return Object.fromEntries(fields.map((field) => [field, words[field]]));
};
