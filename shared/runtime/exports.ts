import { Contacts } from '../store/contacts/contacts.ts';
import { DataSources } from '../store/data-sources.ts';
import type { Database } from '../store/database.ts';
import { TaskContacts } from '../store/dialing/task-contacts.ts';
import type { LazyObjects } from '../store/objects/lazy-objects.ts';
import { Tasks } from '../store/tasks.ts';
import { ContactExporter } from '../transfer/contact-exporter.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { serviceSettings } from './environment.ts';
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
  return {
    dataSources: new DataSources(database),
    tasks: new Tasks(database),
    exporter: new ContactExporter({ ...shared, objects, contacts, taskContacts }),
  };
};

/** As `onLambda`, for streamed files. */
export const onStreamingLambda = onStreamingRuntime(() =>
  createExportRuntime(clockAndIds(serviceSettings().timeZone), lambdaDatabase(), lambdaObjects()),
);
