import { queryOptions } from '@tanstack/preact-query';
import { api, dataOf } from '../api/client.ts';
import { sourceKeys } from '../sources/queries.ts';

/** Everything that shows the contacts of a number. */
export const personKeys = [...sourceKeys, 'person'];

/** Reads all contact lists: asked for when the page is opened, not every 5 seconds. */
export const personQuery = (phoneNumber: string) =>
  queryOptions({
    queryKey: ['person', phoneNumber],
    queryFn: ({ signal }) => dataOf(api.POST('/api/contact/find', { body: { phoneNumber }, signal })),
    refetchInterval: false,
  });

export const contactQuery = (id: string, contactId: string) =>
  queryOptions({
    queryKey: ['contact', id, contactId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/dataSource/{id}/contact/detail/{contactId}', {
          params: { path: { id, contactId } },
          signal,
        }),
      ),
    refetchInterval: false,
  });
