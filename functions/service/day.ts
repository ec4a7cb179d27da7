import * as checks from '../../shared/app/generated/describeDay.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { givenDay, serviceDayAnswer } from '../../shared/calls/rules/timeline.ts';
import { describeDay as route } from '../../shared/insight/routes/service.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const describeDay = ({ days, now, formatTime, timeZone }: DialingRuntime) =>
  endpoint(route, checks, async ({ query: { date = formatTime(now()).slice(0, 10) } }) => {
    const day = givenDay('date', date, timeZone);
    return serviceDayAnswer(day, await days.read(day.from, day.until));
  });

export const handler = onLambda(route, openDialing, describeDay);
