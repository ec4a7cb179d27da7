import * as checks from '../../shared/app/generated/taskContacts.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { taskContactRow } from '../../shared/dialing/rules/task-contact-views.ts';
import { taskContacts as route } from '../../shared/insight/routes/task-insight.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { pageStart, pageToken } from '../../shared/platform/http/request.ts';

export const taskContacts = ({ insight, now, formatTime }: InsightRuntime) =>
  endpoint(route, checks, async ({ params, query }) => {
    const list = [params.id, query.outcome, query.phoneNumber ?? ''];
    const asked = { ...query, pageToken: pageStart(list, query.pageToken) };
    const { total, rows, nextPageToken } = await insight.contacts(params.id, asked, now());
    return {
      total,
      rows: rows.map(({ contact, standing, holds }) => taskContactRow(contact, standing, holds, formatTime)),
      nextPageToken: pageToken(list, nextPageToken),
    };
  });

export const handler = onLambda(route, openInsight, taskContacts);
