import { ServiceError } from '../../../shared/domain/errors.ts';
import { forms } from '../../../shared/domain/forms.ts';
import { checkSchedule } from '../../../shared/domain/schedule.ts';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import { isRule } from './retries.ts';
import { datesOf, daysOffOf, numbersIn, settingsOf, type TaskDraft } from './task-draft.ts';

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
  /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;

/** Empty, or a whole number of the range. */
export const isLimit = (text: string, range: Range): boolean =>
  text.trim() === '' || isWithin(text.trim(), range);

const isBrake = ({ failedPercent: percent, failedCalls }: TaskDraft) => {
  const { failedPercent, calls } = taskSettings.pauseWhen.properties;
  const isWhole = (percent.trim() === '') === (failedCalls.trim() === '');
  return isWhole && isLimit(percent, failedPercent) && isLimit(failedCalls, calls);
};

/** The field that makes the schedule impossible, by the service's own rules. */
const scheduleFault = (draft: TaskDraft): string | undefined => {
  try {
    checkSchedule({ ...draft, ...datesOf(draft), excludedDates: daysOffOf(draft) });
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
  const words = t.errors.fields;
  const told = settingsOf(draft.callSettings).map(({ name }) => name);
  const isTold = !told.includes('') && new Set(told).size === told.length;
  const { maxItems } = taskSettings.callerNumbers;
  const faults: [string, boolean, string][] = [
    ['taskName', draft.taskName.trim() === '', t.form.missingName],
    ['dataSourceId', draft.source === undefined, t.form.missingSource],
    ['dailyStartTime', !hasStart, t.form.badTime],
    ['dailyEndTime', !hasEnd, t.form.badTime],
    ['dailyEndTime', wrong === 'dailyStartTime', t.form.badOrder],
    ['timeZone', wrong === 'timeZone', words.timeZone],
    ['weekdays', draft.weekdays.length === 0, t.form.missingDays],
    ['breaks', !hasBreaks || wrong === 'breaks', words.breaks],
    ['excludedDates', daysOffOf(draft).length > taskSettings.excludedDates.maxItems, words.excludedDates],
    ['maxDialCount', !isWithin(draft.maxDialCount, taskSettings.maxDialCount), words.maxDialCount],
    ['callInterval', !isWithin(draft.callInterval, taskSettings.callInterval), words.callInterval],
    ['retryRules', !draft.retryRules.every(isRule), words.retryRules],
    ['callSettings', !isTold, words.callSettings],
    ['callerNumbers', numbersIn(draft.callerNumbers).length > maxItems, words.callerNumbers],
    ['callUntil', wrong === 'callFrom', words.callUntil],
    [
      'maxConcurrentCalls',
      !isLimit(draft.maxConcurrentCalls, taskSettings.maxConcurrentCalls),
      words.maxConcurrentCalls,
    ],
    ['callsPerMinute', !isLimit(draft.callsPerMinute, taskSettings.callsPerMinute), words.callsPerMinute],
    ['pauseWhen', !isBrake(draft), words.pauseWhen],
  ];
  return Object.fromEntries(faults.filter(([, isWrong]) => isWrong).map(([field, , text]) => [field, text]));
};
