export { Selection } from './again/selection.ts';
export { Dialer } from './dialer.ts';
export { readTasksBefore } from './leases/due-tasks.ts';
export { readFirstCalls } from './records/calls-in-progress.ts';
export { dialStateOf, taskContactOf } from './records/dialing-items.ts';
export { readPlaces } from './records/index-places.ts';
export { readPassed } from './records/intake-items.ts';
export { TaskContacts } from './records/task-contacts.ts';
export { countersOf } from './records/task-counters.ts';
