/**
 * A person, who is a phone number: find what the whole service knows of the number, and erase it.
 *
 * The guards of the data sources say which of them have the number, in any spelling. The headers of tasks name their data sources,
 * so only the task contacts of these tasks are read. A contact that was called and has the number no more is found by a
 * pointer from it. `PersonFinder` may lag by a moment.
 *
 * `Erasures` erases a person in steps:
 *
 * 1. find the contacts of the number, and the calls to it of contacts that have it no more
 * 2. put the erasure on the agenda, with the contacts and calls, but without the number
 * 3. delete the contacts: from now on no task leases them
 * 4. remove what their calls say from the tasks and from the records of calls; counts and live leases stay
 * 5. take the erasure off the agenda, which publishes the event
 *
 * Each step may be repeated. If a process dies, the next request or the schedule finishes the erasure. An erasure that fails
 * holds up no other.
 */
export { Erasures } from './erasures.ts';
export { PersonFinder } from './person-finder.ts';
