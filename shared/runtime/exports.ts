import { serviceSettings } from '../settings/environment.ts';
import { Contacts, DataSources } from '../store/contacts/index.ts';
import { TaskContacts } from '../store/dialing/index.ts';
import { ImportRecords } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import type { Database } from '../store/table/index.ts';
import { Tasks } from '../store/tasks/index.ts';
import { ContactExporter } from '../transfer/contact-exporter.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onStreamingRuntime } from './on-runtime.ts';

/** What functions that give out files work with; apart, so that the others are bundled without it. */
export type ExportRuntime = { dataSources: DataSources; tasks: Tasks; exporter: ContactExporter };

export const createExportRuntime = (
  shared: ClockAndIds,
  database: Database,
  objects: LazyObjects,
): ExportRuntime => {
  const contacts = new Contacts(database);
  const taskContacts = new TaskContacts(database);
  const records = new ImportRecords(database);
  return {
    dataSources: new DataSources(database),
    tasks: new Tasks(database),
    exporter: new ContactExporter({ ...shared, objects, contacts, taskContacts, records }),
  };
};

/** As `onLambda`, for streamed files. */
export const onStreamingLambda = onStreamingRuntime(() =>
  createExportRuntime(clockAndIds(serviceSettings().timeZone), lambdaDatabase(), lambdaObjects()),
);
