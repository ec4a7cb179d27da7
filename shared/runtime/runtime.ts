import { ConnectCalls } from '../connect/connect-calls.ts';
import type { LogCall } from '../domain/dialing/call.ts';
import { log } from '../observability/log.ts';
import { Contacts, DataSources } from '../store/contacts/index.ts';
import { Dialer } from '../store/dialing/index.ts';
import { TaskCounts, TaskInsight } from '../store/insight/index.ts';
import { adoptOldWork } from '../store/migrations/index.ts';
import { Erasures, PersonFinder } from '../store/person/index.ts';
import type { Database } from '../store/table/index.ts';
import { Tasks } from '../store/tasks/index.ts';
import { personPlanIn } from './phone-country.ts';
import { createStores, type RuntimeSettings } from './stores.ts';

const logCall: LogCall = (move, call) => log.info(`call ${move}`, call);

/** What the functions work with, made once a process: clock, ids and the stores of the table. */
export const createRuntime = (settings: RuntimeSettings, database: Database) => {
  const stores = createStores(settings, database);
  const { contacts, tasks, newId, phones, serviceHours } = stores;
  const { maxCallsPerNumberPerDay: callsPerNumber, maxConcurrentCalls } = settings;
  const dialer = new Dialer({
    ...{ database, tasks, contacts, newId },
    ...{ ...serviceHours, callsPerNumber, maxConcurrentCalls, phones, logCall },
  });
  // What operators see may lag by a moment, at half the price. A task that was just added is there all the same.
  const lagging = { database: database.lagging, contacts: new Contacts(database.lagging) };
  const laggingTasks = new Tasks(database.lagging);
  const personPhones = personPlanIn(settings.country, phones);
  return {
    ...stores,
    settings,
    dialer,
    taskCounts: new TaskCounts(contacts, (ids) => dialer.tallies(ids)),
    insight: new TaskInsight({ ...lagging, tasks, serviceHours, maxConcurrentCalls }),
    personFinder: new PersonFinder({
      ...lagging,
      phones: personPhones,
      tasks: laggingTasks,
      dataSources: new DataSources(database.lagging),
    }),
    erasures: new Erasures({ ...stores, database, phones: personPhones, tasks: laggingTasks }),
    connectCalls: new ConnectCalls(database),
    adoptOldWork: () => adoptOldWork(database, stores.agenda),
  };
};

export type Runtime = ReturnType<typeof createRuntime>;
