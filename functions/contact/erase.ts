import * as checks from '../../shared/api/generated/erasePerson.js';
import { erasePerson as route } from '../../shared/api/routes/person.ts';
import { lastCopyExpires } from '../../shared/domain/contacts/erasure.ts';
import { readPhone } from '../../shared/domain/contacts/phone-number.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const erasePerson = ({ erasures, now, formatTime, spellPhone }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const phoneNumber = readPhone(body.phoneNumber, await spellPhone());
    const time = now();
    const wish = { phoneNumber, keepDoNotCall: body.keepDoNotCall };
    const erased = await erasures.erase(wish, time, requestKey);
    return { ...erased, lastCopyExpireTime: formatTime(lastCopyExpires(time)) };
  });

export const handler = onLambda(route, erasePerson);
