import * as checks from '../../shared/app/generated/batchDelete.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { readNamedContacts } from '../../shared/contacts/rules/contact.ts';
import { batchDelete as route } from '../../shared/imports/routes/contact-batches.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const batchDelete = ({ contacts, now, spellPhone }: ContactRuntime) =>
  endpoint(route, checks, async ({ params: { id }, body, requestKey }) => {
    const named = readNamedContacts(id, body, await spellPhone());
    return contacts.removeAll(id, named, now(), requestKey);
  });

export const handler = onLambda(route, openContacts, batchDelete);
