import type { TaskOverview } from '../../../client/answers.ts';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { api, dataOf, once } from '../api/client.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import { bodyOf, draftOf, faultsOf, type TaskDraft } from '../task-form/task-draft.ts';

/** What a published task lets change, as its dialog holds it: numbers as they are typed. */
export type AdjustDraft = TaskDraft & {
  /** `YYYY-MM-DDTHH:MM`, as the browser's field has it. */
  callFrom: string;
  callUntil: string;
  maxConcurrentCalls: string;
  callsPerMinute: string;
  failedPercent: string;
  failedCalls: string;
};

const typed = (value: string | number | null | undefined) => (value == null ? '' : String(value));

export const adjustDraftOf = (task: TaskOverview): AdjustDraft => ({
  ...draftOf(task),
  callFrom: typed(task.callFrom).replace(' ', 'T'),
  callUntil: typed(task.callUntil).replace(' ', 'T'),
  maxConcurrentCalls: typed(task.maxConcurrentCalls),
  callsPerMinute: typed(task.callsPerMinute),
  failedPercent: typed(task.pauseWhen?.failedPercent),
  failedCalls: typed(task.pauseWhen?.calls),
});

/** Nothing typed is no limit. */
export const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const momentOrNull = (text: string): string | null =>
  text === '' ? null : text.replace('T', ' ').slice(0, 16);

const allOf = (draft: AdjustDraft) => {
  const { weekdays, excludedDates, breaks, excludedDataSourceIds } = bodyOf(draft);
  const [failedPercent, calls] = [numberOrNull(draft.failedPercent), numberOrNull(draft.failedCalls)];
  return {
    weekdays,
    excludedDates,
    breaks,
    excludedDataSourceIds,
    callFrom: momentOrNull(draft.callFrom),
    callUntil: momentOrNull(draft.callUntil),
    maxConcurrentCalls: numberOrNull(draft.maxConcurrentCalls),
    callsPerMinute: numberOrNull(draft.callsPerMinute),
    pauseWhen:
      failedPercent === null && calls === null
        ? null
        : { failedPercent: failedPercent ?? 0, calls: calls ?? 0 },
  };
};

export type Adjustment = Partial<ReturnType<typeof allOf>>;
export const adjustedFields = [
  ...['weekdays', 'excludedDates', 'breaks', 'excludedDataSourceIds', 'callFrom', 'callUntil'],
  ...['maxConcurrentCalls', 'callsPerMinute', 'pauseWhen'],
];

/** Only what differs: a colleague may have changed the rest. */
export const changesOf = (before: AdjustDraft, after: AdjustDraft): Adjustment => {
  const [old, fresh] = [allOf(before), allOf(after)];
  const names = Object.keys(fresh) as (keyof Adjustment)[];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]))
      .map((name) => [name, fresh[name]]),
  );
};

export const adjustTask = (id: string, changes: Adjustment): Promise<unknown> =>
  dataOf(api.POST('/api/task/adjust', { body: { id, ...changes }, ...once() }));

type Range = { minimum: number; maximum: number };
/** Empty, or a whole number of the range. */
export const isLimit = (text: string, { minimum, maximum }: Range): boolean =>
  text.trim() === '' || (/^\d+$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum);

export const adjustFaultsOf = (draft: AdjustDraft, t: Dictionary): Record<string, string> => {
  const { weekdays, breaks, excludedDates } = faultsOf(draft, t);
  const words = t.errors.fields;
  const { failedPercent, calls } = taskSettings.pauseWhen.properties;
  const isBrake =
    isLimit(draft.failedPercent, failedPercent) &&
    isLimit(draft.failedCalls, calls) &&
    (draft.failedPercent.trim() === '') === (draft.failedCalls.trim() === '');
  const isInOrder = draft.callFrom === '' || draft.callUntil === '' || draft.callFrom < draft.callUntil;
  const faults: [string, string | false | undefined][] = [
    ['weekdays', weekdays],
    ['breaks', breaks],
    ['excludedDates', excludedDates],
    ['callUntil', !isInOrder && words.callUntil],
    [
      'maxConcurrentCalls',
      !isLimit(draft.maxConcurrentCalls, taskSettings.maxConcurrentCalls) && words.maxConcurrentCalls,
    ],
    ['callsPerMinute', !isLimit(draft.callsPerMinute, taskSettings.callsPerMinute) && words.callsPerMinute],
    ['pauseWhen', !isBrake && words.pauseWhen],
  ];
  return Object.fromEntries(faults.filter((each): each is [string, string] => Boolean(each[1])));
};
