import * as checks from '../../shared/app/generated/findPerson.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openPeople, type PeopleRuntime } from '../../shared/app/runtime/people.ts';
import { readPhone } from '../../shared/contacts/rules/phone-number.ts';
import { findPerson as route } from '../../shared/people/routes/people.ts';
import { personContactRow } from '../../shared/people/rules/person.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const findPerson = ({ personFinder, now, formatTime, spellPhone }: PeopleRuntime) =>
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

export const handler = onLambda(route, openPeople, findPerson);
