import { serviceSettings } from '../settings/environment.ts';
import { DataSources } from '../store/contacts/index.ts';
import { ImportRecords } from '../store/imports/index.ts';
import { StoredAnswers } from '../store/requests/index.ts';
import type { Database } from '../store/table/index.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What functions work with that tell of imports and files but neither run nor store them. */
export type RecordsRuntime = ClockAndIds & {
  dataSources: DataSources;
  importRecords: ImportRecords;
  storedAnswers: StoredAnswers;
};

export const createRecordsRuntime = (shared: ClockAndIds, database: Database): RecordsRuntime => ({
  ...shared,
  dataSources: new DataSources(database),
  importRecords: new ImportRecords(database),
  storedAnswers: new StoredAnswers(database, shared.newId()),
});

/** As `onLambda`, for functions that tell of imports. */
export const onRecordsLambda = onEndpointRuntime(() =>
  createRecordsRuntime(clockAndIds(serviceSettings().timeZone), lambdaDatabase()),
);
