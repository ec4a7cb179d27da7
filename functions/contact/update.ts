import * as checks from '../../shared/app/generated/updateContact.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { updateContact as route } from '../../shared/contacts/routes/contacts.ts';
import { readContactPatch, updatedContact } from '../../shared/contacts/rules/contact.ts';
import { timingFields } from '../../shared/contacts/rules/own-times.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const updateContact = ({ contacts, dialer, now, formatTime, spellPhone }: DialingRuntime) =>
  endpoint(route, checks, async ({ params, body, requestKey }) => {
    const patch = readContactPatch(body, await spellPhone());
    const updatedAt = now();
    const contact = await contacts.update(params.id, body.contactId, patch, updatedAt, requestKey);
    const isTimed = timingFields.some((name) => patch.changes.has(name));
    const isCorrected = patch.phoneNumber !== undefined || isTimed;
    await dialer.deferred.reconsiderOne(contact, isCorrected, now());
    return updatedContact(contact, updatedAt, formatTime);
  });

export const handler = onLambda(route, openDialing, updateContact);
