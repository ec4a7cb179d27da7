import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { contactDetailView } from '../../shared/domain/contacts/contact-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const contactDetail = ({ contacts, now, formatTime }: Runtime) =>
  endpoint(routes.contactDetail, checks.contactDetail, async ({ params: { id, contactId } }) =>
    contactDetailView(await contacts.get(id, contactId), now(), formatTime),
  );

export const handler = onLambda(routes.contactDetail, contactDetail);
