import * as checks from '../../shared/api/generated/describeDay.js';
import { describeDay as route } from '../../shared/api/routes/service.ts';
import { givenDay, serviceDayAnswer } from '../../shared/domain/tasks/service-day.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const describeDay = ({ days, now, formatTime, timeZone }: Runtime) =>
  endpoint(route, checks, async ({ query: { date = formatTime(now()).slice(0, 10) } }) => {
    const day = givenDay('date', date, timeZone);
    return serviceDayAnswer(day, await days.read(day.from, day.until));
  });

export const handler = onLambda(route, describeDay);
