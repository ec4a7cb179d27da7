import * as checks from '../../shared/app/generated/listDeliveries.js';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/app/runtime/webhooks.ts';
import { listDeliveries as route } from '../../shared/events/routes/webhooks.ts';
import { attemptStatus, attemptView } from '../../shared/events/rules/progress.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { pageStart, pageToken } from '../../shared/platform/http/request.ts';

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
