import { randomBytes } from 'node:crypto';
import { idFrom } from '../domain/ids.ts';
import { type Instant, timeIn } from '../domain/time.ts';
import { instantAt } from '../domain/zones.ts';
import type { ServiceSettings } from '../settings/environment.ts';
import { PreflightReader } from '../store/preflight/index.ts';
import { StoredAnswers } from '../store/requests/index.ts';
import { openStores } from '../store/stores.ts';
import type { Database } from '../store/table/index.ts';
import { numberingIn } from './phone-country.ts';

export type RuntimeSettings = ServiceSettings & {
  now?: () => Instant;
  /** No other process works on the table. */
  isSole?: boolean;
  /** Webhooks may lead to this machine: in local mode. */
  allowsLoopback?: boolean;
};

/**
 * What every function on the table works with: clock, ids and the stores of tasks, contacts and imports. It is a module
 * of its own, so that the functions that move files do not load what dials.
 */
export const createStores = (settings: RuntimeSettings, database: Database) => {
  const { timeZone, country, callingHours, keepCallsDays, importMaxRows, now = Date.now, isSole } = settings;
  const newId = () => idFrom(randomBytes(16));
  const phones = numberingIn(country);
  const lagging = { database: database.lagging, ...openStores(database.lagging, keepCallsDays) };
  return {
    now,
    newId,
    timeZone,
    keepCallsDays,
    serviceHours: { zone: timeZone, callingHours },
    formatTime: timeIn(timeZone),
    /** `undefined`: there is no such date or time. */
    parseTime: (text: string) => instantAt(text, timeZone),
    phones,
    importMaxRows,
    spellPhone: async () => (await phones()).spell,
    ...openStores(database, keepCallsDays),
    /** What operators see may lag by a moment, at half the price. */
    lagging,
    preflight: new PreflightReader({ ...lagging, phones }),
    storedAnswers: new StoredAnswers(database, newId(), isSole),
  };
};

export type Stores = ReturnType<typeof createStores>;
