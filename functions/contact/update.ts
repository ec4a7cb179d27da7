import * as checks from '../../shared/api/generated/updateContact.js';
import { updateContact as route } from '../../shared/api/routes/contacts.ts';
import { readContactPatch } from '../../shared/domain/contacts/contact.ts';
import { updatedContact } from '../../shared/domain/contacts/contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const updateContact = ({ contacts, dialer, now, formatTime, spellPhone }: Runtime) =>
  endpoint(route, checks, async ({ params, body, requestKey }) => {
    const patch = readContactPatch(body, await spellPhone());
    const contact = await contacts.update(params.id, body.contactId, patch, now(), requestKey);
    const isCorrected = patch.phoneNumber !== undefined || patch.changes.has('timeZone');
    await dialer.reconsider(contact, isCorrected, now());
    return updatedContact(contact, formatTime);
  });

export const handler = onLambda(route, updateContact);
