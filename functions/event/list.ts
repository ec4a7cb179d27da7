import * as checks from '../../shared/app/generated/listEvents.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openRuntime, type Runtime } from '../../shared/app/runtime/runtime.ts';
import { withCalls } from '../../shared/events/expanded-events.ts';
import { listEvents as route } from '../../shared/events/routes/events.ts';
import { cursorOf, cursorText, eventFilter } from '../../shared/events/rules/service-event.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

/** A record of a call has up to 12 KB, and Lambda answers with at most 6 MB. */
const expandedAtMost = 200;

export const listEvents = ({ eventList, callReader, formatTime, now }: Runtime) =>
  endpoint(route, checks, async ({ query: { after, types, taskId, limit, expand } }) => {
    const isWanted = eventFilter(types, taskId);
    if (after === 'now') {
      const end = await eventList.end();
      return { events: [], next: cursorText({ ...end, time: now() }), more: false };
    }
    const from = after === undefined ? undefined : cursorOf(after, now());
    const atMost = expand === 'call' ? Math.min(limit, expandedAtMost) : limit;
    const { events, next, more } = await eventList.read(from, isWanted, atMost, now());
    const shown = expand === 'call' ? await withCalls(events, { callReader, formatTime }, now()) : events;
    return { events: shown, next: cursorText(next), more };
  });

export const handler = onLambda(route, openRuntime, listEvents);
