import type { TraceCall } from '../domain/dialing.ts';
import type { Instant } from '../domain/time.ts';
import { log } from '../observability/log.ts';
import { Contacts } from '../store/contacts/contacts.ts';
import { DataSources } from '../store/data-sources.ts';
import type { Database } from '../store/database.ts';
import { Dialer } from '../store/dialing/dialer.ts';
import { TaskCounts } from '../store/task-counts.ts';
import { TaskInsight } from '../store/task-insight.ts';
import { Tasks } from '../store/tasks.ts';
import { type Basics, createBasics } from './clock-and-ids.ts';
import { lambdaCountry, lambdaDatabase, lambdaTimeZone } from './lambda-database.ts';
import { onRuntime } from './on-runtime.ts';

/** What a function works with. Made once a process; a function names the parts it uses. */
export type Runtime = Basics & {
  dataSources: DataSources;
  contacts: Contacts;
  tasks: Tasks;
  taskCounts: TaskCounts;
  dialer: Dialer;
  insight: TaskInsight;
  /** IANA name of the service's zone. */
  timeZone: string;
};

export type RuntimeSettings = {
  database: Database;
  timeZone: string;
  /** ISO 3166 code of the country whose phone numbers need no prefix; none by default. */
  country?: string;
  now?: () => Instant;
};

export const createRuntime = ({ database, timeZone, country, now }: RuntimeSettings): Runtime => {
  const contacts = new Contacts(database);
  const tasks = new Tasks(database);
  const basics = createBasics(timeZone, now, country);
  const dataSources = new DataSources(database);
  const trace: TraceCall = (move, call) => log.info(`call ${move}`, call);
  const dialer = new Dialer({ database, tasks, contacts, newId: basics.newId, zone: timeZone, trace });
  const taskCounts = new TaskCounts(contacts, (ids) => dialer.tallies(ids));
  return {
    ...basics,
    timeZone,
    dataSources,
    contacts,
    tasks,
    taskCounts,
    dialer,
    insight: new TaskInsight({ tasks, dataSources, contacts, taskCounts, dialer }),
  };
};

const lambdaRuntime = (): Runtime =>
  createRuntime({ database: lambdaDatabase(), timeZone: lambdaTimeZone(), country: lambdaCountry() });

/** A function as AWS calls it: its runtime is made from the environment at the first event. */
export const onLambda = onRuntime(lambdaRuntime);
