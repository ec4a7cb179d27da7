/**
 * What a published task does: which contacts to call, when, and what follows from each call.
 *
 * A contact of a task is *fresh*, *waits* for its due time, is *leased* to a dialer, or needs no further call. One table
 * (`rules/task-contact.ts`) has every state and every move between them. Two rules decide: `mayCall` whether a contact is called
 * now, and `reportCall` what a result leads to.
 *
 * - A *lease request* (`Leases`) takes the due tasks of the agenda, takes up fresh contacts by moving the cursor, takes due
 *   contacts from the line, and leases each of them by one conditional write. So two dialers never get the same contact.
 * - A *result* (`CallResults`) is one transaction over task contact, counter, contact and the record of the call. It counts once.
 * - `LiveLeases` gives a call back or keeps it, `Recalls` queues contacts again, `DeferredContacts` and `Selection` consider
 *   contacts again that had to wait or did not match, and `ends.ts` ends a task or pauses it.
 * - Each move of a contact needs the version that was read. Of two requests for one contact the first wins, and the other one
 *   reads again. The move and the counters of the task change in one transaction.
 *
 * A person is called again for one of these causes: a retry, an agreed callback or a recall; a lease that ran out without a
 * result; a call that its dialer gave back; or another task, or another contact with the same number. `CallsOfDay` limits
 * the calls to a number in a day.
 *
 * When a dialer dies, its leases expire. Each contact is still in line, or in its intake, and the next lease request
 * finds it there. When a process of the service dies, its client has no answer and sends the request again. A lease request
 * with a key gets the calls that it had leased, and a result counts once.
 */
export { Selection } from './again/reconsidered.ts';
export { CallingRules } from './calling-rules.ts';
export { type Dialer, openDialer } from './dialer.ts';
export { DueTasks, readTasksBefore } from './leases/due-tasks.ts';
export { readServiceRoom, readTaskRoom } from './pace/pace.ts';
export { dialStateOf, readPassed, readPlaces, taskContactOf } from './records/dialing-items.ts';
export { reachesOf, readFirstCalls, TaskContacts } from './records/task-contacts.ts';
export { countersOf, readCallCounts, readTallies } from './records/task-counters.ts';
