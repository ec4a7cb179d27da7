import { randomBytes } from 'node:crypto';
import { idFrom } from './domain/ids.ts';
import { type FormatTime, type Instant, timeIn } from './domain/time.ts';
import { environment, onRuntime } from './on-runtime.ts';
import { Contacts } from './store/contacts/contacts.ts';
import { DataSources } from './store/data-sources.ts';
import { Database } from './store/database.ts';
import { Dialer } from './store/dialing/dialer.ts';
import { documentClient } from './store/document-client.ts';
import { TaskCounts } from './store/task-counts.ts';
import { Tasks } from './store/tasks.ts';

/** What a function works with. Made once a process; a function names the parts it uses. */
export type Runtime = {
  dataSources: DataSources;
  contacts: Contacts;
  tasks: Tasks;
  taskCounts: TaskCounts;
  dialer: Dialer;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
};

export type RuntimeSettings = { database: Database; timeZone: string; now?: () => Instant };

export const createRuntime = ({ database, timeZone, now = Date.now }: RuntimeSettings): Runtime => {
  const contacts = new Contacts(database);
  const tasks = new Tasks(database);
  const newId = () => idFrom(randomBytes(16));
  const dialer = new Dialer({ database, tasks, contacts, newId, zone: timeZone });
  return {
    dataSources: new DataSources(database),
    contacts,
    tasks,
    taskCounts: new TaskCounts(contacts, (ids) => dialer.tallies(ids)),
    dialer,
    now,
    newId,
    formatTime: timeIn(timeZone),
  };
};

export const lambdaDatabase = () => new Database(documentClient(), environment('TABLE_NAME'));

const lambdaRuntime = (): Runtime =>
  createRuntime({ database: lambdaDatabase(), timeZone: process.env.SERVICE_TIME_ZONE ?? 'UTC' });

/** A function as AWS calls it: its runtime is made from the environment at the first event. */
export const onLambda = onRuntime(lambdaRuntime);
