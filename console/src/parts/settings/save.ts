import type { TaskOverview } from '../../../../client/answers.ts';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { adjustable } from '../../../../shared/tasks/rules.ts';
import { api, dataOf, once } from '../../api/client.ts';
import { countSelected } from '../tasks/changes.ts';
import { changesOf, clashingFields } from './changes.ts';
import { type Base, type Body, bodyOf, draftOf, editOf, type TaskDraft, type TaskEdit } from './draft.ts';
import type { SettingName } from './settings.tsx';

/** A colleague changed fields of the task meanwhile that the reader changed too. */
export class TaskConflict extends Error {
  readonly theirs: TaskOverview;
  readonly fields: readonly SettingName[];

  constructor(theirs: TaskOverview, fields: readonly SettingName[]) {
    super('the task was changed meanwhile');
    this.theirs = theirs;
    this.fields = fields;
  }
}

/** The settings that may change while a task runs. */
export const adjustableIn = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => (adjustable as readonly string[]).includes(name)),
  ) as Partial<T>;

const sent = {
  update: (id: string, changes: Partial<Body>, ifUpdateTime: string | null) =>
    dataOf(api.POST('/api/task/update', { body: { ...changes, id, ifUpdateTime }, ...once() })),
  adjust: (id: string, changes: Partial<Body>, ifUpdateTime: string | null) =>
    dataOf(api.POST('/api/task/adjust', { body: { ...adjustableIn(changes), id, ifUpdateTime }, ...once() })),
};

/**
 * Sends what is other in `mine` than in `base`, which the reader began with. What a colleague changed meanwhile stays,
 * unless both changed the same setting. Answers nothing where there is nothing to send. @throws TaskConflict
 */
export const saveChanges = async (
  operation: keyof typeof sent,
  id: string,
  mine: Body,
  base: Base,
): Promise<{ updateTime?: string | null } | undefined> => {
  const changes = changesOf(mine, base.body);
  if (Object.keys(changes).length === 0) return undefined;
  const send = async (updateTime: string | null) => {
    const answer = await sent[operation](id, changes, updateTime);
    if (operation === 'adjust' && changes.contactFilter?.length) countSelected(id);
    return answer;
  };
  try {
    return await send(base.updateTime);
  } catch (error) {
    if (!(error instanceof ServiceRefusal && error.errorCode === 'CHANGED_SINCE')) throw error;
    const theirs = await dataOf(api.GET('/api/task/{id}/overview', { params: { path: { id } } }));
    const fields = clashingFields(mine, base.body, bodyOf(draftOf(theirs)));
    if (fields.length > 0) throw new TaskConflict(theirs, fields);
    return send(theirs.updateTime);
  }
};

/** The reader's values win: the draft, as if the reader had begun with the task as it is now. */
export const overruling = <D extends TaskDraft>(draft: D, { theirs }: TaskConflict): D => ({
  ...draft,
  base: draft.base && { ...draft.base, updateTime: theirs.updateTime },
});

/** The task as the colleague left it, with those changes of the reader that are not in conflict. */
export const mergedWith = (draft: TaskDraft, { theirs, fields }: TaskConflict): TaskEdit => {
  const changes = Object.entries(changesOf(bodyOf(draft), draft.base?.body ?? bodyOf(draft)));
  const mine = changes.filter(([field]) => !fields.includes(field as SettingName));
  return { ...draftOf({ ...theirs, ...Object.fromEntries(mine) }), base: editOf(theirs).base };
};
