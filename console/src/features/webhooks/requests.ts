import { keepPreviousData, queryOptions } from '@tanstack/preact-query';
import type { WebhookSettings } from '../../../../client/answers.ts';
import { api, dataOf, given, once } from '../../api/client.ts';
import { askedOnce } from '../../api/query-client.ts';

type DeliveryFilter = { status: 'failed' | undefined; pageToken: string };

/** Only the first page changes. */
export const deliveriesQuery = (id: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: ['deliveries', id, filter],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/webhook/{id}/deliveries', { params: { path: { id }, query: given(filter) }, signal }),
      ),
    placeholderData: keepPreviousData,
    ...(filter.pageToken === '' ? {} : askedOnce),
  });

export const addWebhook = (body: WebhookSettings) =>
  dataOf(api.POST('/api/webhook/add', { body, ...once() }));

type Changes = Partial<WebhookSettings> & { enabled?: boolean; newSecret?: boolean };

export const changeWebhook = (id: string, changes: Changes) =>
  dataOf(api.POST('/api/webhook/update', { body: { id, ...changes }, ...once() }));

export const deleteWebhook = (id: string) =>
  dataOf(api.POST('/api/webhook/delete', { body: { id }, ...once() }));

type Wish = { test: true } | { eventIds: string[] } | { from: string; to: string };

export const sendTo = (id: string, wish: Wish) =>
  dataOf(api.POST('/api/webhook/send', { body: { id, ...wish }, ...once() }));
