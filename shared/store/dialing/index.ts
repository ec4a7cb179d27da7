export { readFirstCalls } from './calls-in-progress.ts';
export { Dialer } from './dialer.ts';
export { dialStateOf, taskContactOf } from './dialing-items.ts';
export { readPlaces } from './index-places.ts';
export { TaskContacts } from './task-contacts.ts';
export { countersOf } from './task-counters.ts';
