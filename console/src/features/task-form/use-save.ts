import { useMutation } from '@tanstack/preact-query';
import { api, dataOf, once } from '../../api/client.ts';
import { useRefresh } from '../../api/query-client.ts';
import { bodyOf, type TaskDraft } from '../../parts/settings/draft.ts';
import { saveChanges } from '../../parts/settings/save.ts';
import { countSelected, moveTask } from '../../parts/tasks/changes.ts';
import { taskKeys } from '../../parts/tasks/queries.ts';

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
      if (taskId !== undefined && draft.base) await saveChanges('update', taskId, bodyOf(draft), draft.base);
      const id = taskId ?? (await add()).id;
      if (!publish) return { id };
      return moveTask('publish', id).then(
        () => {
          if (draft.contactFilter?.length) countSelected(id);
          return { id };
        },
        (refused: unknown) => ({ id, refused }),
      );
    },
    onSettled: refresh,
  });
};
