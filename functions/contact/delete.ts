import * as checks from '../../shared/api/generated/deleteContact.js';
import { deleteContact as route } from '../../shared/api/routes/contacts.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const deleteContact = ({ contacts, now }: Runtime) =>
  endpoint(route, checks, async ({ params, body, requestKey }) => {
    await contacts.remove(params.id, body.contactId, now(), requestKey);
    return null;
  });

export const handler = onLambda(route, deleteContact);
