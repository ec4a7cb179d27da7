import * as checks from '../../shared/api/generated/listDeliveries.js';
import { listDeliveries as route } from '../../shared/api/routes/webhooks.ts';
import { attemptStatus, attemptView } from '../../shared/domain/webhooks/progress.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageStart, pageToken } from '../../shared/http/paging.ts';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/runtime/webhooks.ts';

export const listDeliveries = ({ webhookReader, formatTime }: WebhookRuntime) =>
  endpoint(route, checks, async ({ params: { id }, query: { status, pageSize, pageToken: token } }) => {
    const list = [id, status ?? ''];
    const page = { before: pageStart(list, token), pageSize };
    const { rows, next } = await webhookReader.attempts(
      id,
      page,
      (attempt) => status === undefined || attemptStatus(attempt) === status,
    );
    return { rows: rows.map((row) => attemptView(row, formatTime)), nextPageToken: pageToken(list, next) };
  });

export const handler = onWebhookLambda(route, listDeliveries);
