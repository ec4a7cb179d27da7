import * as checks from '../../shared/api/generated/listContacts.js';
import { listContacts as route } from '../../shared/api/routes/contacts.ts';
import { contactRow } from '../../shared/domain/contacts/contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offsetOf } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const listContacts = ({ contacts, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params, query }) => {
    const { total, rows } = await contacts.page(params.id, {
      offset: offsetOf(query),
      limit: query.pageSize,
      phoneNumber: query.phoneNumber,
    });
    return { total, rows: rows.map((contact) => contactRow(contact, now(), formatTime)) };
  });

export const handler = onLambda(route, listContacts);
