import { adjustable } from '../../../../shared/domain/tasks/task-settings.ts';
import { api, dataOf, once } from '../../api/client.ts';
import type { Dictionary } from '../../i18n/i18n.ts';
import { changesOf } from '../../task-form/changes.ts';
import { type Body, bodyOf, type TaskDraft } from '../../task-form/task-draft.ts';
import { faultsOf } from '../../task-form/task-faults.ts';

type Adjustment = Partial<Pick<Body, (typeof adjustable)[number]>>;

const isAdjustable = ([name]: [string, unknown]) => (adjustable as readonly string[]).includes(name);

/** Only what differs: a colleague may have changed the rest. */
export const adjustmentOf = (before: TaskDraft, after: TaskDraft): Adjustment =>
  Object.fromEntries(Object.entries(changesOf(bodyOf(after), bodyOf(before))).filter(isAdjustable));

/** What the dialog can tell of its fields before the service is asked. */
export const adjustFaultsOf = (draft: TaskDraft, t: Dictionary): Record<string, string> =>
  Object.fromEntries(Object.entries(faultsOf(draft, t)).filter(isAdjustable));

export const adjustTask = (id: string, changes: Adjustment): Promise<unknown> =>
  dataOf(api.POST('/api/task/adjust', { body: { id, ...changes }, ...once() }));
