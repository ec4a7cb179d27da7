import * as checks from '../../shared/api/generated/listEvents.js';
import { listEvents as route } from '../../shared/api/routes/events.ts';
import { cursorOf, cursorText } from '../../shared/domain/events/event-cursor.ts';
import { eventFilter } from '../../shared/domain/events/event-filter.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const listEvents = ({ eventList, now }: Runtime) =>
  endpoint(route, checks, async ({ query: { after, types, taskId, limit } }) => {
    const isWanted = eventFilter(types, taskId);
    if (after === 'now') {
      const end = await eventList.end();
      return { events: [], next: cursorText({ ...end, time: now() }), more: false };
    }
    const from = after === undefined ? undefined : cursorOf(after, now());
    const { events, next, more } = await eventList.read(from, isWanted, limit, now());
    return { events, next: cursorText(next), more };
  });

export const handler = onLambda(route, listEvents);
