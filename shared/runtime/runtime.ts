import { ConnectCalls } from '../connect/connect-calls.ts';
import type { LogCall } from '../domain/dialing/call.ts';
import { log } from '../observability/log.ts';
import { Dialer } from '../store/dialing/index.ts';
import { EventList } from '../store/events/index.ts';
import { CallReader, TaskCounts, TaskInsight } from '../store/insight/index.ts';
import { adoptOldWork } from '../store/migrations/index.ts';
import { Erasures, PersonFinder } from '../store/person/index.ts';
import type { Database } from '../store/table/index.ts';
import { personNumberingIn } from './phone-country.ts';
import { createStores, type RuntimeSettings } from './stores.ts';

const logCall: LogCall = (move, call) => log.info(`call ${move}`, call);

/** What the functions work with, made once a process: clock, ids and the stores of the table. */
export const createRuntime = (settings: RuntimeSettings, database: Database) => {
  const stores = createStores(settings, database);
  const { contacts, tasks, lagging, phones, serviceHours } = stores;
  const { maxCallsPerNumberPerDay: callsPerNumber, maxConcurrentCalls } = settings;
  const dialer = new Dialer({
    ...{ ...stores, ...serviceHours, database, callsPerNumber, maxConcurrentCalls, logCall },
  });
  const personPhones = personNumberingIn(settings.country, phones);
  return {
    ...stores,
    settings,
    database,
    dialer,
    taskCounts: new TaskCounts(contacts, (ids) => dialer.tallies(ids)),
    // A task that was just added is there all the same.
    insight: new TaskInsight({ ...lagging, tasks, serviceHours, maxConcurrentCalls }),
    callReader: new CallReader(stores),
    personFinder: new PersonFinder({ ...lagging, phones: personPhones }),
    erasures: new Erasures({ ...stores, database, phones: personPhones, tasks: lagging.tasks }),
    eventList: new EventList(database),
    allowsLoopback: settings.allowsLoopback ?? false,
    connectCalls: new ConnectCalls(database),
    adoptOldWork: () => adoptOldWork(database, stores.agenda),
  };
};

export type Runtime = ReturnType<typeof createRuntime>;
