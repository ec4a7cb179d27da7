import type { LogCall } from '../domain/dialing/call.ts';
import type { Instant } from '../domain/time.ts';
import { log } from '../observability/log.ts';
import type { ServiceSettings } from '../settings/environment.ts';
import { Contacts } from '../store/contacts/index.ts';
import { Dialer } from '../store/dialing/index.ts';
import type { Database } from '../store/table/index.ts';
import { Tasks } from '../store/tasks/index.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';

/** What leases calls and takes in their results; apart, so that the Connect adapter is bundled without the rest. */
export type DialingRuntime = ClockAndIds & { contacts: Contacts; tasks: Tasks; dialer: Dialer };

export type DialingSettings = ServiceSettings & { database: Database; now?: () => Instant };

export const createDialingRuntime = (settings: DialingSettings): DialingRuntime => {
  const { database, timeZone: zone, country, maxCallsPerNumberPerDay: callsPerNumber, now } = settings;
  const contacts = new Contacts(database);
  const tasks = new Tasks(database);
  const shared = clockAndIds(zone, now, country);
  const logCall: LogCall = (move, call) => log.info(`call ${move}`, call);
  const { newId } = shared;
  const dialer = new Dialer({ database, tasks, contacts, newId, zone, callsPerNumber, logCall });
  return { ...shared, contacts, tasks, dialer };
};
