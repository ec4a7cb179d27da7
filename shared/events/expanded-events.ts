import type { CallReader } from '../calls/call-reader.ts';
import { callView } from '../calls/rules/call.ts';
import type { FormatTime, Instant } from '../platform/time/time.ts';
import type { EventType, ServiceEvent } from './rules/service-event.ts';

/** `call`: the record of the call of the event; `null` if there is none, or it was erased. */
export type ExpandedEvent = ServiceEvent & { call?: ReturnType<typeof callView> | null };

const aboutCalls: ReadonlySet<EventType> = new Set(['call.ended', 'call.annotated', 'contact.settled']);

/** Adds the present records of their calls to events, by two batches of reads. */
export const withCalls = async (
  events: readonly ServiceEvent[],
  { callReader, formatTime }: { callReader: CallReader; formatTime: FormatTime },
  now: Instant,
): Promise<ExpandedEvent[]> => {
  const idOf = ({ data }: ServiceEvent) => data.callId as string | null;
  const ids = events.flatMap((event) => (aboutCalls.has(event.type) ? (idOf(event) ?? []) : []));
  const calls = await callReader.among([...new Set(ids)], now);
  return events.map((event) => {
    if (!aboutCalls.has(event.type)) return event;
    const call = calls.get(idOf(event) ?? '');
    return { ...event, call: call === undefined || call.isErased ? null : callView(call, formatTime) };
  });
};
