import { queryOptions } from '@tanstack/preact-query';
import { read } from '../../api/client.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await read('/api/webhook/list', {}, signal)).rows,
});

/** The webhook opens beside the list. */
export const webhookPath = (id: string) => `/webhooks?webhook=${encodeURIComponent(id)}`;
