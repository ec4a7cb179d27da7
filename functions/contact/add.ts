import * as checks from '../../shared/app/generated/addContact.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { addContact as route } from '../../shared/contacts/routes/contacts.ts';
import { addedContact, readNewContact } from '../../shared/contacts/rules/contact.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const addContact = ({ contacts, now, formatTime, spellPhone }: ContactRuntime) =>
  endpoint(route, checks, async ({ params, body, requestKey }) => {
    const added = readNewContact(body, await spellPhone());
    return addedContact(await contacts.add(params.id, added, now(), requestKey), formatTime);
  });

export const handler = onLambda(route, openContacts, addContact);
