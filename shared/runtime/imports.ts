import { DataSources } from '../store/data-sources.ts';
import type { Database } from '../store/database.ts';
import { Imports } from '../store/imports/contact-imports.ts';
import type { LazyObjects } from '../store/objects/objects.ts';
import { ContactImporter } from '../transfer/contact-importer.ts';
import { type Basics, createBasics } from './clock-and-ids.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaCountry, lambdaDatabase, lambdaTimeZone } from './lambda-database.ts';
import { onRuntime } from './on-runtime.ts';

/** What functions that take in files work with; apart, so that the others are bundled without it. */
export type ImportRuntime = Basics & {
  dataSources: DataSources;
  objects: LazyObjects;
  importer: ContactImporter;
};

export const createImportRuntime = (
  basics: Basics,
  database: Database,
  objects: LazyObjects,
): ImportRuntime => ({
  ...basics,
  dataSources: new DataSources(database),
  objects,
  importer: new ContactImporter({ ...basics, objects, imports: new Imports(database) }),
});

/** As `onLambda`, for functions that take in files. */
export const onImportLambda = onRuntime(() =>
  createImportRuntime(
    createBasics(lambdaTimeZone(), Date.now, lambdaCountry()),
    lambdaDatabase(),
    lambdaObjects(),
  ),
);
