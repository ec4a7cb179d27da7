import * as checks from '../../shared/app/generated/erasePerson.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openPeople, type PeopleRuntime } from '../../shared/app/runtime/people.ts';
import { readPhone } from '../../shared/contacts/rules/phone-number.ts';
import { erasePerson as route } from '../../shared/people/routes/people.ts';
import { lastCopyExpires } from '../../shared/people/rules/person.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const erasePerson = ({ erasures, now, formatTime, spellPhone }: PeopleRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const phoneNumber = readPhone(body.phoneNumber, await spellPhone());
    const time = now();
    const wish = { phoneNumber, keepDoNotCall: body.keepDoNotCall };
    const erased = await erasures.erase(wish, time, requestKey);
    return { ...erased, lastCopyExpireTime: formatTime(lastCopyExpires(time)) };
  });

export const handler = onLambda(route, openPeople, erasePerson);
