/**
 * What the service tells other systems. It tells ids, states, outcomes and counts, never a phone number.
 *
 * An event is a change of the table that others want to know of: `change-events.ts` makes it from the table's stream, with an
 * id that is the same each time. One function lists the events (`EventList`), for 30 days. Another one publishes them on
 * EventBridge (`EventBus`), so neither waits for the other. A reader of the list that goes on behind the last event it was given
 * misses no event. It may find an event twice.
 *
 * A webhook gets the events by POST (`Deliverer`). The room keeps its settings and secrets, its position in the list, the
 * deliveries and stretches of time that wait beside the position, and its last thousand attempts. Only the process that has
 * claimed the webhook moves the position. Position, waiting deliveries and stretches change in one transaction.
 *
 * A wake is a message that asks for a run for one webhook, and says nothing else: the table knows what there is to do. If a
 * wake gets lost, the schedule sends another one within a minute (`watchDeliveries`).
 *
 * When a process dies: a batch of the stream is sent again, so its events are listed again. The claim of a run that delivered
 * expires, and the next run repeats what was not saved, so a receiver gets up to 16 events again.
 */
export { eventsInRecord, mayTell } from './change-events.ts';
export { Deliverer } from './deliverer.ts';
export { DeliveryRows, WaitingDeliveries } from './deliveries.ts';
export { type Bus, busEvent, EventBus, eventSource } from './event-bus.ts';
export { EventList, withCalls } from './event-list.ts';
export { checkedAddress, newSecret, Receivers } from './receiver.ts';
export { queueWakes, type WakeMessage, type Wakes, watchDeliveries } from './wakes.ts';
export { Resends, WebhookReader } from './webhook-requests.ts';
export { DeliveryClaims, Webhooks } from './webhooks.ts';
