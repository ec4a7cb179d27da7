import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { taskContactRow } from '../../shared/domain/dialing/task-contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type InsightRuntime, onInsightLambda } from '../../shared/runtime/insight.ts';

export const taskContacts = ({ insight, now, formatTime }: InsightRuntime) =>
  endpoint(routes.taskContacts, checks.taskContacts, async ({ params, query }) => {
    const { total, rows, nextPageToken } = await insight.contacts(params.id, query, now());
    return {
      total,
      rows: rows.map(({ contact, standing }) => taskContactRow(contact, standing, formatTime)),
      nextPageToken,
    };
  });

export const handler = onInsightLambda(taskContacts);
