import { DataSources } from '../store/data-sources.ts';
import type { Database } from '../store/database.ts';
import { ImportRecords } from '../store/imports/import-records.ts';
import { KeptAnswers } from '../store/kept-answers.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { serviceSettings } from './environment.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What functions work with that tell of imports and files but neither run nor store them. */
export type RecordsRuntime = ClockAndIds & {
  dataSources: DataSources;
  importRecords: ImportRecords;
  keptAnswers: KeptAnswers;
};

export const createRecordsRuntime = (shared: ClockAndIds, database: Database): RecordsRuntime => ({
  ...shared,
  dataSources: new DataSources(database),
  importRecords: new ImportRecords(database),
  keptAnswers: new KeptAnswers(database, shared.newId()),
});

/** As `onLambda`, for functions that tell of imports. */
export const onRecordsLambda = onEndpointRuntime(() =>
  createRecordsRuntime(clockAndIds(serviceSettings().timeZone), lambdaDatabase()),
);
