import { DataSources } from '../store/data-sources.ts';
import type { Database } from '../store/database.ts';
import { ImportRecords } from '../store/imports/import-records.ts';
import { type Basics, createBasics } from './clock-and-ids.ts';
import { lambdaDatabase, lambdaTimeZone } from './lambda-database.ts';
import { onRuntime } from './on-runtime.ts';

/** What functions work with that tell of imports and files but neither run nor store them. */
export type RecordsRuntime = Basics & { dataSources: DataSources; importRecords: ImportRecords };

export const createRecordsRuntime = (basics: Basics, database: Database): RecordsRuntime => ({
  ...basics,
  dataSources: new DataSources(database),
  importRecords: new ImportRecords(database),
});

/** As `onLambda`, for functions that tell of imports. */
export const onRecordsLambda = onRuntime(() =>
  createRecordsRuntime(createBasics(lambdaTimeZone()), lambdaDatabase()),
);
