import { randomBytes } from 'node:crypto';
import { ConnectCalls } from '../connect/connect-calls.ts';
import type { LogCall } from '../domain/dialing/call.ts';
import { idFrom } from '../domain/ids.ts';
import { type Instant, timeIn } from '../domain/time.ts';
import { instantAt } from '../domain/zones.ts';
import { log } from '../observability/log.ts';
import type { ServiceSettings } from '../settings/environment.ts';
import { Contacts, DataSources } from '../store/contacts/index.ts';
import { Dialer } from '../store/dialing/index.ts';
import { ImportRecords } from '../store/imports/index.ts';
import { TaskCounts, TaskInsight } from '../store/insight/index.ts';
import { StoredAnswers } from '../store/requests/index.ts';
import type { Database } from '../store/table/index.ts';
import { Tasks } from '../store/tasks/index.ts';
import { phonePlanIn } from './phone-country.ts';

export type RuntimeSettings = ServiceSettings & {
  now?: () => Instant;
  /** No other process works on the table. */
  isSole?: boolean;
};

const logCall: LogCall = (move, call) => log.info(`call ${move}`, call);

/** What the functions work with, made once a process: clock, ids and the stores of the table. */
export const createRuntime = (settings: RuntimeSettings, database: Database) => {
  const { timeZone, country, maxCallsPerNumberPerDay: callsPerNumber, now = Date.now, isSole } = settings;
  const newId = () => idFrom(randomBytes(16));
  const phones = phonePlanIn(country);
  const contacts = new Contacts(database);
  const tasks = new Tasks(database);
  const dialer = new Dialer({
    ...{ database, tasks, contacts, newId },
    ...{ zone: timeZone, callsPerNumber, phones, logCall },
  });
  // What operators see may lag by a moment, at half the price. A task that was just added is there all the same.
  const lagging = { database: database.lagging, contacts: new Contacts(database.lagging) };
  return {
    now,
    newId,
    timeZone,
    formatTime: timeIn(timeZone),
    /** `undefined`: there is no such date or time. */
    parseTime: (text: string) => instantAt(text, timeZone),
    phoneForm: async () => (await phones()).form,
    contacts,
    tasks,
    dialer,
    dataSources: new DataSources(database),
    taskCounts: new TaskCounts(contacts, (ids) => dialer.tallies(ids)),
    insight: new TaskInsight({ ...lagging, tasks, timeZone }),
    importRecords: new ImportRecords(database),
    storedAnswers: new StoredAnswers(database, newId(), isSole),
    connectCalls: new ConnectCalls(database),
  };
};

export type Runtime = ReturnType<typeof createRuntime>;
