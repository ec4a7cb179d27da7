import { CallRecords } from '../../calls/call-records.ts';
import type { LogCall } from '../../calls/rules/call.ts';
import { ServiceDays, TaskTimeline } from '../../calls/timeline.ts';
import { CallingRules } from '../../dialing/calling-rules.ts';
import { openDialer, openNumbers } from '../../dialing/dialer.ts';
import { Selection } from '../../dialing/reconsidered.ts';
import { TaskContacts } from '../../dialing/task-contacts.ts';
import { log } from '../../platform/observability/log.ts';
import type { Database } from '../../platform/table/database.ts';
import type { Base } from './base.ts';
import { contactStores, openPhones } from './contacts.ts';

/** `keepCallsDays`: how long records of calls are kept. 0: as long as their tasks. */
export const dialingStores = (database: Database, keepCallsDays = 0) => {
  const stores = contactStores(database);
  const taskContacts = new TaskContacts(database);
  return {
    ...stores,
    taskContacts,
    selection: new Selection({ ...stores, database, taskContacts }),
    callRecords: new CallRecords(database, keepCallsDays),
    timeline: new TaskTimeline(database),
    days: new ServiceDays(database),
  };
};

const logCall: LogCall = (move, call) => log.info(`call ${move}`, call);

type Stores = Base & ReturnType<typeof openPhones> & ReturnType<typeof dialingStores>;

/** The limits of the service on calls to one number. */
const limitsOf = ({ settings }: Pick<Base, 'settings'>) => ({
  perDay: settings.maxCallsPerNumberPerDay,
  windows: settings.callLimits,
  restAfterSuccess: settings.restAfterSuccess,
});

export const dialerOf = (stores: Stores) => {
  const { maxConcurrentCalls, country } = stores.settings;
  const settings = { ...stores.serviceHours, limits: limitsOf(stores), maxConcurrentCalls, country };
  return openDialer({ ...stores, ...settings, logCall });
};

/** The rules by which contacts are called, as operators see them. */
export const rulesOf = (stores: Stores) => {
  const { settings, serviceHours, phones } = stores;
  const database = stores.database.lagging;
  return new CallingRules(database, {
    ...serviceHours,
    phones,
    limits: limitsOf(stores),
    numbers: openNumbers(database, stores),
    country: settings.country,
  });
};

/** What dials, and the stores of tasks and contacts. */
export const openDialing = (base: Base) => {
  const stores = {
    ...base,
    ...openPhones(base),
    ...dialingStores(base.database, base.keepCallsDays),
  };
  return { ...stores, dialer: dialerOf(stores) };
};

export type DialingRuntime = ReturnType<typeof openDialing>;
