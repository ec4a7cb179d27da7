import { ServiceRefusal } from '../../../../client/service-error.ts';
import { ask, change, given } from '../../api/client.ts';

type Move = 'publish' | 'pause' | 'resume' | 'stop' | 'close';

export const moveTask = (move: Move, id: string, reason = ''): Promise<unknown> =>
  change(`/api/task/${move}`, { id, ...given({ reason }) });

/**
 * The service counts how many contacts the filter of the task selects, and keeps the number. Nothing waits for it: without it
 * the overview tells an estimate.
 */
export const countSelected = (id: string): void => {
  ask('/api/task/preflight', { id }).catch(() => undefined);
};

export const deleteTask = (id: string) => change('/api/task/delete', { id });

const hasStatus = (error: unknown, codes: readonly number[]): error is ServiceRefusal =>
  error instanceof ServiceRefusal && codes.includes(error.code);

export type Changed = { done: string[]; refused: { id: string; error: ServiceRefusal }[] };

/** One after another. A task that refuses with one of these status codes stays as it is; any other error is thrown. */
const changeEach = async (
  ids: readonly string[],
  refusals: readonly number[],
  change: (id: string) => Promise<unknown>,
): Promise<Changed> => {
  const changed: Changed = { done: [], refused: [] };
  for (const id of ids) {
    try {
      await change(id);
      changed.done.push(id);
    } catch (error) {
      if (!hasStatus(error, refusals)) throw error;
      changed.refused.push({ id, error });
    }
  }
  return changed;
};

export const moveTasks = (move: Move, ids: readonly string[]) =>
  changeEach(ids, [404, 405], (id) => moveTask(move, id));

/** A task that is already gone counts as deleted. */
export const deleteTasks = (ids: readonly string[]) =>
  changeEach(ids, [405, 409], (id) =>
    deleteTask(id).catch((error: unknown) => {
      if (!hasStatus(error, [404])) throw error;
    }),
  );

/** Without `contactIds`: all contacts whose final outcome is failed or no answer. */
export const recallContacts = (id: string, priority: number, contactIds: string[] | undefined) =>
  change('/api/task/{id}/recall', { priority, ...given({ contactIds }) }, { id });
