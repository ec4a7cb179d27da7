import type { TraceCall } from '../domain/call.ts';
import type { Instant } from '../domain/time.ts';
import { log } from '../observability/log.ts';
import { Contacts } from '../store/contacts/contacts.ts';
import { DataSources } from '../store/data-sources.ts';
import type { Database } from '../store/database.ts';
import { Dialer } from '../store/dialing/dialer.ts';
import { KeptAnswers } from '../store/kept-answers.ts';
import { TaskCounts } from '../store/task-counts.ts';
import { Tasks } from '../store/tasks.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { type ServiceSettings, serviceSettings } from './environment.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What a function works with. Made once a process; a function names the parts it uses. */
export type Runtime = ClockAndIds & {
  dataSources: DataSources;
  contacts: Contacts;
  tasks: Tasks;
  taskCounts: TaskCounts;
  dialer: Dialer;
  /** IANA name of the service's zone. */
  timeZone: string;
  keptAnswers: KeptAnswers;
};

export type RuntimeSettings = ServiceSettings & {
  database: Database;
  now?: () => Instant;
  /** No other process works on the table. */
  isSole?: boolean;
};

export const createRuntime = (settings: RuntimeSettings): Runtime => {
  const { database, timeZone, country, maxCallsPerNumberPerDay: callsPerNumber, now, isSole } = settings;
  const contacts = new Contacts(database);
  const tasks = new Tasks(database);
  const shared = clockAndIds(timeZone, now, country);
  const dataSources = new DataSources(database);
  const trace: TraceCall = (move, call) => log.info(`call ${move}`, call);
  const zone = timeZone;
  const { newId } = shared;
  const dialer = new Dialer({ database, tasks, contacts, newId, zone, callsPerNumber, trace });
  return {
    ...shared,
    timeZone,
    dataSources,
    contacts,
    tasks,
    taskCounts: new TaskCounts(contacts, (ids) => dialer.tallies(ids)),
    dialer,
    keptAnswers: new KeptAnswers(database, shared.newId(), isSole),
  };
};

const lambdaRuntime = (): Runtime => createRuntime({ database: lambdaDatabase(), ...serviceSettings() });

/** A function as AWS calls it: its runtime is made from the environment at the first event. */
export const onLambda = onEndpointRuntime(lambdaRuntime);
