import { randomBytes } from 'node:crypto';
import { StoredAnswers } from '../../platform/requests/stored-answers.ts';
import { idFrom } from '../../platform/rules/names.ts';
import type { ServiceSettings } from '../../platform/settings/settings.ts';
import type { Database } from '../../platform/table/database.ts';
import type { Instant } from '../../platform/time/time.ts';
import { instantAt, timeIn } from '../../platform/time/zones.ts';

export type RuntimeSettings = ServiceSettings & {
  now?: () => Instant;
  /** No other process works on the table. */
  isSole?: boolean;
  /** Webhooks may lead to this machine. Only in local mode. */
  allowsLoopback?: boolean;
};

/**
 * What every function on the table needs: its table, clock and ids. One of the `open…` functions
 * beside this file adds what else a function needs. Each is in a file of its own, so that a
 * function loads only the rooms that it uses.
 */
export const createBase = (settings: RuntimeSettings, database: Database) => {
  const { timeZone, callingHours, keepCallsDays, importMaxRows, now = Date.now, isSole } = settings;
  const newId = () => idFrom(randomBytes(16));
  return {
    settings,
    database,
    now,
    newId,
    timeZone,
    keepCallsDays,
    importMaxRows,
    allowsLoopback: settings.allowsLoopback ?? false,
    serviceHours: { zone: timeZone, callingHours },
    formatTime: timeIn(timeZone),
    /** @returns undefined if there is no such date or time */
    parseTime: (text: string) => instantAt(text, timeZone),
    storedAnswers: new StoredAnswers(database, newId(), isSole),
  };
};

export type Base = ReturnType<typeof createBase>;
