import * as checks from '../../shared/api/generated/taskContacts.js';
import { taskContacts as route } from '../../shared/api/routes/task-insight.ts';
import { taskContactRow } from '../../shared/domain/dialing/task-contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageStart, pageToken } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskContacts = ({ insight, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params, query }) => {
    const list = [params.id, query.outcome, query.phoneNumber ?? ''];
    const asked = { ...query, pageToken: pageStart(list, query.pageToken) };
    const { total, rows, nextPageToken } = await insight.contacts(params.id, asked, now());
    return {
      total,
      rows: rows.map(({ contact, standing }) => taskContactRow(contact, standing, formatTime)),
      nextPageToken: pageToken(list, nextPageToken),
    };
  });

export const handler = onLambda(route, taskContacts);
