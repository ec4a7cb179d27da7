import { DataSources } from '../store/data-sources.ts';
import type { Database } from '../store/database.ts';
import { Imports } from '../store/imports/contact-imports.ts';
import { KeptAnswers } from '../store/kept-answers.ts';
import type { LazyObjects } from '../store/objects/lazy-objects.ts';
import { ContactImporter } from '../transfer/contact-importer.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { serviceSettings } from './environment.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What functions that take in files work with; apart, so that the others are bundled without it. */
export type ImportRuntime = ClockAndIds & {
  dataSources: DataSources;
  objects: LazyObjects;
  importer: ContactImporter;
  keptAnswers: KeptAnswers;
};

export const createImportRuntime = (
  shared: ClockAndIds,
  database: Database,
  objects: LazyObjects,
): ImportRuntime => ({
  ...shared,
  dataSources: new DataSources(database),
  objects,
  importer: new ContactImporter({ ...shared, objects, imports: new Imports(database) }),
  keptAnswers: new KeptAnswers(database, shared.newId()),
});

/** As `onLambda`, for functions that take in files. */
export const onImportLambda = onEndpointRuntime(() => {
  const { timeZone, country } = serviceSettings();
  return createImportRuntime(clockAndIds(timeZone, Date.now, country), lambdaDatabase(), lambdaObjects());
});
