import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { readNamedContacts } from '../../shared/domain/contacts/named-contacts.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const batchDelete = ({ contacts, now, phoneForm }: Runtime) =>
  endpoint(routes.batchDelete, checks.batchDelete, async ({ params: { id }, body, requestKey }) => {
    const named = readNamedContacts(id, body, await phoneForm());
    return contacts.removeAll(id, named, now(), requestKey);
  });

export const handler = onLambda(routes.batchDelete, batchDelete);
