/**
 * A dialer of the service's own: it makes the calls of running tasks through an Amazon Connect instance. It keeps the calls
 * that are under way (`ConnectCalls`), and nothing else: leases and results are those of `dialing`, as of any other dialer.
 *
 * `CallPump` runs every minute and starts calls. `ContactResults` turns the end of a contact, which Connect tells or is asked
 * for, into the result of a call. The story of what happens when one of them dies is at `CallPump`.
 */
export { CallPump } from './call-pump.ts';
export { ConnectCalls } from './connect-calls.ts';
export { ConnectInstance, type ConnectSettings } from './connect-instance.ts';
export { type ContactEventDetail, ContactResults, endOfCall } from './contact-results.ts';
