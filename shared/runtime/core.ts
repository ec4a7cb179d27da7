import { serviceSettings } from '../settings/environment.ts';
import { DataSources } from '../store/contacts/index.ts';
import { TaskCounts } from '../store/insight/index.ts';
import { StoredAnswers } from '../store/requests/index.ts';
import { createDialingRuntime, type DialingRuntime, type DialingSettings } from './dialing.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What a function works with. Made once a process; a function names the parts it uses. */
export type Runtime = DialingRuntime & {
  dataSources: DataSources;
  taskCounts: TaskCounts;
  /** IANA name of the service's zone. */
  timeZone: string;
  storedAnswers: StoredAnswers;
};

export type RuntimeSettings = DialingSettings & {
  /** No other process works on the table. */
  isSole?: boolean;
};

export const createRuntime = (settings: RuntimeSettings): Runtime => {
  const { database, timeZone, isSole } = settings;
  const shared = createDialingRuntime(settings);
  const { contacts, dialer, newId } = shared;
  return {
    ...shared,
    timeZone,
    dataSources: new DataSources(database),
    taskCounts: new TaskCounts(contacts, (ids) => dialer.tallies(ids)),
    storedAnswers: new StoredAnswers(database, newId(), isSole),
  };
};

const lambdaRuntime = (): Runtime => createRuntime({ database: lambdaDatabase(), ...serviceSettings() });

/** A function as AWS calls it: its runtime is made from the environment at the first event. */
export const onLambda = onEndpointRuntime(lambdaRuntime);
