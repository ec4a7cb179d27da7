import * as checks from '../../shared/api/generated/batchDelete.js';
import { batchDelete as route } from '../../shared/api/routes/contact-batches.ts';
import { readNamedContacts } from '../../shared/domain/contacts/named-contacts.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const batchDelete = ({ contacts, now, spellPhone }: Runtime) =>
  endpoint(route, checks, async ({ params: { id }, body, requestKey }) => {
    const named = readNamedContacts(id, body, await spellPhone());
    return contacts.removeAll(id, named, now(), requestKey);
  });

export const handler = onLambda(route, batchDelete);
