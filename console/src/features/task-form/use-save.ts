import { useMutation } from '@tanstack/preact-query';
import type { TaskOverview } from '../../../../client/answers.ts';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { api, dataOf, once } from '../../api/client.ts';
import { useRefresh } from '../../api/query-client.ts';
import { changesOf, clashingFields } from '../../parts/settings/changes.ts';
import { type Body, bodyOf, draftOf, editOf, type TaskDraft } from '../../parts/settings/draft.ts';
import { moveTask } from '../../parts/tasks/changes.ts';
import { taskKeys } from '../../parts/tasks/queries.ts';

/** A colleague changed fields of the task meanwhile that the reader changed too. */
export class TaskConflict extends Error {
  readonly theirs: TaskOverview;
  readonly fields: readonly (keyof Body)[];

  constructor(theirs: TaskOverview, fields: readonly (keyof Body)[]) {
    super('the task was changed meanwhile');
    this.theirs = theirs;
    this.fields = fields;
  }
}

/** Sends what was changed. What a colleague changed meanwhile stays, unless both changed the same field. */
const updateTask = async (id: string, draft: TaskDraft): Promise<void> => {
  const { base } = draft;
  if (base === undefined) return;
  const mine = bodyOf(draft);
  const changes = changesOf(mine, base.body);
  const send = (ifUpdateTime: string | null) => {
    const body = { ...changes, id, ifUpdateTime };
    return dataOf(api.POST('/api/task/update', { body, ...once() }));
  };
  if (Object.keys(changes).length === 0) return;
  try {
    await send(base.updateTime);
  } catch (error) {
    if (!(error instanceof ServiceRefusal && error.errorCode === 'CHANGED_SINCE')) throw error;
    const theirs = await dataOf(api.GET('/api/task/{id}/overview', { params: { path: { id } } }));
    const fields = clashingFields(mine, base.body, bodyOf(draftOf(theirs)));
    if (fields.length > 0) throw new TaskConflict(theirs, fields);
    await send(theirs.updateTime);
  }
};

/** The task as the colleague left it, with those changes of the reader that are not in conflict. */
export const mergedWith = (draft: TaskDraft, { theirs, fields }: TaskConflict): TaskDraft => {
  const changes = Object.entries(changesOf(bodyOf(draft), draft.base?.body ?? bodyOf(draft)));
  const mine = changes.filter(([field]) => !fields.includes(field as keyof Body));
  const { base } = editOf(theirs);
  return { ...draftOf({ ...theirs, ...Object.fromEntries(mine) }), base };
};

/** Saved, though perhaps not published: then why. */
type Saved = { id: string; refused?: unknown };

export const useSave = (taskId: string | undefined) => {
  const refresh = useRefresh(taskKeys);
  return useMutation({
    mutationFn: async ({ draft, publish }: { draft: TaskDraft; publish: boolean }): Promise<Saved> => {
      const add = () => {
        const body = { ...bodyOf(draft), dataSourceId: draft.source?.id ?? '' };
        return dataOf(api.POST('/api/task/add', { body, ...once() }));
      };
      if (taskId !== undefined) await updateTask(taskId, draft);
      const id = taskId ?? (await add()).id;
      if (!publish) return { id };
      return moveTask('publish', id).then(
        () => ({ id }),
        (refused: unknown) => ({ id, refused }),
      );
    },
    onSettled: refresh,
  });
};
