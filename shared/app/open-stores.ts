import { ImportedContacts, ImportRecords } from '../imports/index.ts';
import type { Database } from '../platform/table/index.ts';
import { dialingStores } from './runtime/dialing.ts';

/** The stores of a table that others are built on, each made once. `keepCallsDays`: as in `dialingStores`. */
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
