import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const deleteContact = ({ contacts, now }: Runtime) =>
  endpoint(routes.deleteContact, checks.deleteContact, async ({ params, body, requestKey }) => {
    await contacts.remove(params.id, body.contactId, now(), requestKey);
    return null;
  });

export const handler = onLambda(routes.deleteContact, deleteContact);
