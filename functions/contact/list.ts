import * as checks from '../../shared/app/generated/listContacts.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { listContacts as route } from '../../shared/contacts/routes/contacts.ts';
import { contactRow } from '../../shared/contacts/rules/contact.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { offsetOf } from '../../shared/platform/http/request.ts';

export const listContacts = ({ contacts, now, formatTime }: ContactRuntime) =>
  endpoint(route, checks, async ({ params, query }) => {
    const { total, rows } = await contacts.page(params.id, {
      offset: offsetOf(query),
      limit: query.pageSize,
      phoneNumber: query.phoneNumber,
    });
    return { total, rows: rows.map((contact) => contactRow(contact, now(), formatTime)) };
  });

export const handler = onLambda(route, openContacts, listContacts);
