import * as checks from '../../shared/app/generated/deleteContact.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { deleteContact as route } from '../../shared/contacts/routes/contacts.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const deleteContact = ({ contacts, now }: ContactRuntime) =>
  endpoint(route, checks, async ({ params, body, requestKey }) => {
    await contacts.remove(params.id, body.contactId, now(), requestKey);
    return null;
  });

export const handler = onLambda(route, openContacts, deleteContact);
