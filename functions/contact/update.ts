import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { readContactPatch } from '../../shared/domain/contacts/contact.ts';
import { updatedContact } from '../../shared/domain/contacts/contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const updateContact = ({ contacts, dialer, now, formatTime, phoneForm }: Runtime) =>
  endpoint(routes.updateContact, checks.updateContact, async ({ params, body, requestKey }) => {
    const patch = readContactPatch(body, await phoneForm());
    const contact = await contacts.update(params.id, body.contactId, patch, now(), requestKey);
    const isCorrected = patch.phoneNumber !== undefined || patch.changes.has('timeZone');
    if (isCorrected) await dialer.reconsider(contact, now());
    return updatedContact(contact, formatTime);
  });

export const handler = onLambda(routes.updateContact, updateContact);
