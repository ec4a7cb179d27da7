import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { personContactRow } from '../../shared/domain/contacts/person-views.ts';
import { readPhone } from '../../shared/domain/contacts/phone-number.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const findPerson = ({ personFinder, now, formatTime, phoneForm }: Runtime) =>
  endpoint(routes.findPerson, checks.findPerson, async ({ body }) => {
    const phoneNumber = readPhone(body.phoneNumber, await phoneForm());
    const time = now();
    const { doNotCall, contacts } = await personFinder.find(phoneNumber, time);
    return {
      phoneNumber,
      doNotCall,
      contacts: contacts.map((each) => personContactRow(each, time, formatTime)),
    };
  });

export const handler = onLambda(routes.findPerson, findPerson);
