import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { ServiceRefusal } from '../../../client/service-error.ts';
import { api, dataOf, once } from '../api/client.ts';

export type Move = 'publish' | 'pause' | 'resume' | 'stop' | 'close';

const moves = {
  publish: (id: string) => dataOf(api.POST('/api/task/publish', { body: { id }, ...once() })),
  pause: (id: string) => dataOf(api.POST('/api/task/pause', { body: { id }, ...once() })),
  resume: (id: string) => dataOf(api.POST('/api/task/resume', { body: { id }, ...once() })),
  stop: (id: string, reason?: string) =>
    dataOf(api.POST('/api/task/stop', { body: { id, ...(reason ? { reason } : {}) }, ...once() })),
  close: (id: string) => dataOf(api.POST('/api/task/close', { body: { id }, ...once() })),
} satisfies Record<Move, (id: string, reason?: string) => Promise<unknown>>;

/** Whatever a change touched is asked for again, whether it came about or was refused. */
const useAsked = (...keys: string[]) => {
  const queries = useQueryClient();
  return () => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
};

const taskKeys = ['tasks', 'overviews', 'overview', 'history', 'task-contacts'];

export const useMove = () =>
  useMutation({
    mutationFn: ({ move, id, reason }: { move: Move; id: string; reason?: string }) =>
      moves[move](id, reason),
    onSettled: useAsked(...taskKeys),
  });

/** Those that are not in a state for it are left as they are. */
export const useMoveMany = () =>
  useMutation({
    mutationFn: async ({ move, ids }: { move: 'pause' | 'resume'; ids: readonly string[] }) => {
      let moved = 0;
      for (const id of ids) {
        try {
          await moves[move](id);
          moved++;
        } catch (error) {
          if (!(error instanceof ServiceRefusal && error.code === 405)) throw error;
        }
      }
      return moved;
    },
    onSettled: useAsked(...taskKeys),
  });

export const useRecall = () =>
  useMutation({
    mutationFn: ({ id, contactIds, priority }: { id: string; contactIds?: string[]; priority: number }) =>
      dataOf(
        api.POST('/api/task/{id}/recall', {
          params: { path: { id } },
          body: { priority, ...(contactIds === undefined ? {} : { contactIds }) },
          ...once(),
        }),
      ),
    onSettled: useAsked(...taskKeys),
  });

export const useAddSource = () =>
  useMutation({
    mutationFn: (body: { dataSourceName: string; dataSourceDesc?: string }) =>
      dataOf(api.POST('/api/dataSource/add', { body, ...once() })),
    onSettled: useAsked('sources'),
  });

export const useUpdateSource = () =>
  useMutation({
    mutationFn: (body: { id: string; dataSourceName: string; dataSourceDesc: string }) =>
      dataOf(api.POST('/api/dataSource/update', { body, ...once() })),
    onSettled: useAsked('sources', 'source'),
  });

const contactKeys = ['contacts', 'source', 'sources'];

export type ContactFields = { phoneNumber: string } & Record<string, string | null>;

export const useSaveContact = (id: string) =>
  useMutation({
    mutationFn: ({
      contactId,
      fields,
    }: {
      contactId: string | undefined;
      fields: ContactFields;
    }): Promise<unknown> => {
      const params = { path: { id } };
      return contactId === undefined
        ? dataOf(api.POST('/api/dataSource/{id}/contact/add', { params, body: fields as never, ...once() }))
        : dataOf(
            api.POST('/api/dataSource/{id}/contact/update', {
              params,
              body: { contactId, ...fields } as never,
              ...once(),
            }),
          );
    },
    onSettled: useAsked(...contactKeys),
  });

export const useDeleteContact = (id: string) =>
  useMutation({
    mutationFn: (contactId: string) =>
      dataOf(
        api.POST('/api/dataSource/{id}/contact/delete', {
          params: { path: { id } },
          body: { contactId },
          ...once(),
        }),
      ),
    onSettled: useAsked(...contactKeys),
  });
