import type { TraceCall } from '../domain/call.ts';
import type { Instant } from '../domain/time.ts';
import { log } from '../observability/log.ts';
import { Contacts } from '../store/contacts/contacts.ts';
import type { Database } from '../store/database.ts';
import { Dialer } from '../store/dialing/dialer.ts';
import { Tasks } from '../store/tasks.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import type { ServiceSettings } from './environment.ts';

/** What leases calls and takes in their results; apart, so that the Connect adapter is bundled without the rest. */
export type DialingRuntime = ClockAndIds & { contacts: Contacts; tasks: Tasks; dialer: Dialer };

export type DialingSettings = ServiceSettings & { database: Database; now?: () => Instant };

export const createDialingRuntime = (settings: DialingSettings): DialingRuntime => {
  const { database, timeZone: zone, country, maxCallsPerNumberPerDay: callsPerNumber, now } = settings;
  const contacts = new Contacts(database);
  const tasks = new Tasks(database);
  const shared = clockAndIds(zone, now, country);
  const trace: TraceCall = (move, call) => log.info(`call ${move}`, call);
  const { newId } = shared;
  const dialer = new Dialer({ database, tasks, contacts, newId, zone, callsPerNumber, trace });
  return { ...shared, contacts, tasks, dialer };
};
