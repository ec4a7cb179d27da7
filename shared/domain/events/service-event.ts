/** Every kind of event, in the order of the documentation. */
export const eventTypes = [
  'task.state_changed',
  'task.deleted',
  'call.ended',
  'call.annotated',
  'contact.settled',
  'contact.erased',
  'import.ended',
  'data_source.deleted',
  'webhook.disabled',
] as const;

export type EventType = (typeof eventTypes)[number];

/** What the service tells other systems. It has ids, states, outcomes and counts, never a phone number. */
export type ServiceEvent = {
  /** The same each time the event is told, so that a receiver can drop repeats. Unique over all types. */
  id: string;
  type: EventType;
  /** ISO 8601, UTC. */
  time: string;
  data: Readonly<Record<string, unknown>>;
};

export const isEventType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);
