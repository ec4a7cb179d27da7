import { randomBytes } from 'node:crypto';
import { idFrom } from '../domain/ids.ts';
import { type Instant, timeIn } from '../domain/time.ts';
import { instantAt } from '../domain/zones.ts';
import type { ServiceSettings } from '../settings/environment.ts';
import { Agenda } from '../store/agenda/index.ts';
import { Contacts, DataSources } from '../store/contacts/index.ts';
import { ImportRecords } from '../store/imports/index.ts';
import { PreflightReader } from '../store/preflight/index.ts';
import { StoredAnswers } from '../store/requests/index.ts';
import type { Database } from '../store/table/index.ts';
import { Tasks } from '../store/tasks/index.ts';
import { numberingIn } from './phone-country.ts';

export type RuntimeSettings = ServiceSettings & {
  now?: () => Instant;
  /** No other process works on the table. */
  isSole?: boolean;
};

/**
 * What every function on the table works with: clock, ids and the stores of tasks, contacts and imports. It is a module
 * of its own, so that the functions that move files do not load what dials.
 */
export const createStores = (settings: RuntimeSettings, database: Database) => {
  const { timeZone, country, callingHours, now = Date.now, isSole } = settings;
  const newId = () => idFrom(randomBytes(16));
  const phones = numberingIn(country);
  return {
    now,
    newId,
    timeZone,
    serviceHours: { zone: timeZone, callingHours },
    formatTime: timeIn(timeZone),
    /** `undefined`: there is no such date or time. */
    parseTime: (text: string) => instantAt(text, timeZone),
    phones,
    spellPhone: async () => (await phones()).spell,
    agenda: new Agenda(database),
    contacts: new Contacts(database),
    tasks: new Tasks(database),
    dataSources: new DataSources(database),
    preflight: new PreflightReader({ database, phones }),
    importRecords: new ImportRecords(database),
    storedAnswers: new StoredAnswers(database, newId(), isSole),
  };
};

export type Stores = ReturnType<typeof createStores>;
