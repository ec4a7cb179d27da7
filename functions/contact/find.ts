import * as checks from '../../shared/api/generated/findPerson.js';
import { findPerson as route } from '../../shared/api/routes/person.ts';
import { personContactRow } from '../../shared/domain/contacts/person-views.ts';
import { readPhone } from '../../shared/domain/contacts/phone-number.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const findPerson = ({ personFinder, now, formatTime, spellPhone }: Runtime) =>
  endpoint(route, checks, async ({ body }) => {
    const phoneNumber = readPhone(body.phoneNumber, await spellPhone());
    const time = now();
    const { doNotCall, contacts } = await personFinder.find(phoneNumber, time);
    return {
      phoneNumber,
      doNotCall,
      contacts: contacts.map((each) => personContactRow(each, time, formatTime)),
    };
  });

export const handler = onLambda(route, findPerson);
