import { serviceSettings } from '../settings/environment.ts';
import { DataSources } from '../store/contacts/index.ts';
import { ImportedContacts, ImportRecords } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import { StoredAnswers } from '../store/requests/index.ts';
import type { Database } from '../store/table/index.ts';
import { ContactImporter } from '../transfer/contact-importer.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What functions that take in files work with; apart, so that the others are bundled without it. */
export type ImportRuntime = ClockAndIds & {
  dataSources: DataSources;
  objects: LazyObjects;
  importer: ContactImporter;
  storedAnswers: StoredAnswers;
};

export const createImportRuntime = (
  shared: ClockAndIds,
  database: Database,
  objects: LazyObjects,
): ImportRuntime => ({
  ...shared,
  dataSources: new DataSources(database),
  objects,
  importer: new ContactImporter({
    ...shared,
    objects,
    records: new ImportRecords(database),
    contacts: new ImportedContacts(database),
  }),
  storedAnswers: new StoredAnswers(database, shared.newId()),
});

/** As `onLambda`, for functions that take in files. */
export const onImportLambda = onEndpointRuntime(() => {
  const { timeZone, country } = serviceSettings();
  return createImportRuntime(clockAndIds(timeZone, Date.now, country), lambdaDatabase(), lambdaObjects());
});
