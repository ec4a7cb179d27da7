import { serviceSettings } from '../settings/environment.ts';
import { DataSources } from '../store/contacts/index.ts';
import { ImportRecords } from '../store/imports/index.ts';
import { StoredAnswers } from '../store/requests/index.ts';
import { ImportRegister } from '../transfer/import-register.ts';
import { clockAndIds } from './clock-and-ids.ts';
import type { ImportRuntime } from './imports.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What the function works with that registers an import and says where its file goes. */
export type UploadRuntime = Omit<ImportRuntime, 'importer'> & { importer: ImportRegister };

const lambdaUploadRuntime = (): UploadRuntime => {
  const shared = clockAndIds(serviceSettings().timeZone);
  const database = lambdaDatabase();
  return {
    ...shared,
    dataSources: new DataSources(database),
    objects: lambdaObjects(),
    importer: new ImportRegister({ ...shared, imports: new ImportRecords(database) }),
    storedAnswers: new StoredAnswers(database, shared.newId()),
  };
};

/** As `onLambda`, for the function that says where a file goes. */
export const onUploadLambda = onEndpointRuntime(lambdaUploadRuntime);
