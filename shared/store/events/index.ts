/**
 * What the service tells other systems. Users may rely on this: a reader of the list that goes on behind the last event it
 * was given misses no event, whatever writers do.
 */
export { EventList } from './event-list.ts';
