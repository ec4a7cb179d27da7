import * as checks from '../../shared/api/generated/addContact.js';
import { addContact as route } from '../../shared/api/routes/contacts.ts';
import { readNewContact } from '../../shared/domain/contacts/contact.ts';
import { addedContact } from '../../shared/domain/contacts/contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const addContact = ({ contacts, now, formatTime, spellPhone }: Runtime) =>
  endpoint(route, checks, async ({ params, body, requestKey }) => {
    const added = readNewContact(body, await spellPhone());
    return addedContact(await contacts.add(params.id, added, now(), requestKey), formatTime);
  });

export const handler = onLambda(route, addContact);
