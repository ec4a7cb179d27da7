import type { Database } from '../../platform/table/index.ts';
import { openStores } from '../open-stores.ts';
import { type Base, createBase, type RuntimeSettings } from './base.ts';
import { openPhones } from './contacts.ts';

/** The stores of imports, and all those below them. */
export const openImports = (base: Base) => {
  const { database, keepCallsDays } = base;
  return {
    ...base,
    ...openStores(database, keepCallsDays),
    ...openPhones(base),
    /** What operators see may lag by a moment, at half the price. */
    lagging: { database: database.lagging, ...openStores(database.lagging, keepCallsDays) },
  };
};

export const createStores = (settings: RuntimeSettings, database: Database) =>
  openImports(createBase(settings, database));

export type ImportRuntime = ReturnType<typeof openImports>;
