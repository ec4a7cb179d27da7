import { ServiceRefusal } from '../../../client/service-error.ts';
import { api, dataOf, once } from '../api/client.ts';

export type Move = 'publish' | 'pause' | 'resume' | 'stop' | 'close';

export const moveTask = (move: Move, id: string, reason = ''): Promise<unknown> =>
  dataOf(api.POST(`/api/task/${move}`, { body: { id, ...(reason === '' ? {} : { reason }) }, ...once() }));

export type Moved = { moved: string[]; refused: string[] };

/** A task whose state does not allow it stays as it is, and is among `refused`. */
export const moveTasks = async (move: Move, ids: readonly string[]): Promise<Moved> => {
  const done: Moved = { moved: [], refused: [] };
  for (const id of ids) {
    try {
      await moveTask(move, id);
      done.moved.push(id);
    } catch (error) {
      if (!(error instanceof ServiceRefusal && [404, 405].includes(error.code))) throw error;
      done.refused.push(id);
    }
  }
  return done;
};

export const deleteTask = (id: string) => dataOf(api.POST('/api/task/delete', { body: { id }, ...once() }));

export type Deleted = { deleted: string[]; refused: { id: string; error: ServiceRefusal }[] };

/** A task that is already gone counts as deleted. @throws ServiceRefusal that concerns no single task, NoAnswer */
export const deleteTasks = async (ids: readonly string[]): Promise<Deleted> => {
  const done: Deleted = { deleted: [], refused: [] };
  for (const id of ids) {
    const error = await deleteTask(id).catch((reason: unknown) => {
      if (reason instanceof ServiceRefusal && [404, 405, 409].includes(reason.code)) return reason;
      throw reason;
    });
    if (error === null || error.code === 404) done.deleted.push(id);
    else done.refused.push({ id, error });
  }
  return done;
};

/** Without `contactIds`: all contacts whose final outcome is failed or no answer. */
export const recallContacts = (id: string, priority: number, contactIds: readonly string[] | undefined) =>
  dataOf(
    api.POST('/api/task/{id}/recall', {
      params: { path: { id } },
      body: { priority, ...(contactIds === undefined ? {} : { contactIds: [...contactIds] }) },
      ...once(),
    }),
  );
