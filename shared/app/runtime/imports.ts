import { ImportRecords } from '../../imports/import-records.ts';
import { ImportedContacts } from '../../imports/imported-contacts.ts';
import type { Database } from '../../platform/table/database.ts';
import type { Base } from './base.ts';
import { openPhones } from './contacts.ts';
import { dialingStores } from './dialing.ts';

/**
 * The stores of a table that others are built on, each made once. For `keepCallsDays` see
 * `dialingStores`.
 */
export const openStores = (database: Database, keepCallsDays = 0) => {
  const stores = dialingStores(database, keepCallsDays);
  const { agenda, selection } = stores;
  const importRecords = new ImportRecords(database, agenda);
  return {
    ...stores,
    importRecords,
    importedContacts: new ImportedContacts(database, agenda, importRecords, (...changed) =>
      selection.reconsider(...changed),
    ),
  };
};

/** The stores of imports, and all those below them. */
export const openImports = (base: Base) => {
  const { database, keepCallsDays } = base;
  return {
    ...base,
    ...openStores(database, keepCallsDays),
    ...openPhones(base),
    /** For operators. These reads may lag a moment, at half the price. */
    lagging: { database: database.lagging, ...openStores(database.lagging, keepCallsDays) },
  };
};

export type ImportRuntime = ReturnType<typeof openImports>;
