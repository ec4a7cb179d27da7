import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { readNewContact } from '../../shared/domain/contacts/contact.ts';
import { addedContact } from '../../shared/domain/contacts/contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const addContact = ({ contacts, now, formatTime, phoneForm }: Runtime) =>
  endpoint(routes.addContact, checks.addContact, async ({ params, body, requestKey }) => {
    const added = readNewContact(body, await phoneForm());
    return addedContact(await contacts.add(params.id, added, now(), requestKey), formatTime);
  });

export const handler = onLambda(routes.addContact, addContact);
