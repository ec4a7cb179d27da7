import * as checks from '../../shared/api/generated/contactDetail.js';
import { contactDetail as route } from '../../shared/api/routes/contacts.ts';
import { contactDetailView } from '../../shared/domain/contacts/contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const contactDetail = ({ contacts, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params: { id, contactId } }) =>
    contactDetailView(await contacts.get(id, contactId), now(), formatTime),
  );

export const handler = onLambda(route, contactDetail);
