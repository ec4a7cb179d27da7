import * as checks from '../../shared/app/generated/contactDetail.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { contactDetail as route } from '../../shared/contacts/routes/contacts.ts';
import { contactDetailView } from '../../shared/contacts/rules/contact.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const contactDetail = ({ contacts, now, formatTime }: ContactRuntime) =>
  endpoint(route, checks, async ({ params: { id, contactId } }) =>
    contactDetailView(await contacts.get(id, contactId), now(), formatTime),
  );

export const handler = onLambda(route, openContacts, contactDetail);
