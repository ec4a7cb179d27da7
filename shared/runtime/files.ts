import type { Route, Using } from '../api/route.ts';
import { withStoredAnswers } from '../http/repeatable.ts';
import { awsRegion, readEnvironment, serviceSettings } from '../settings/environment.ts';
import { type LazyObjects, lazyS3Objects } from '../store/objects/index.ts';
import { OldCalls, Removals } from '../store/removals/index.ts';
import type { Database } from '../store/table/index.ts';
import { CallExporter } from '../transfer/call-exporter.ts';
import { ContactExporter } from '../transfer/contact-exporter.ts';
import { ContactImporter } from '../transfer/contact-importer.ts';
import { RemainsRemover } from '../transfer/remains-remover.ts';
import { onFirstEvent, onFirstStreamedEvent } from './first-event.ts';
import { openDatabase } from './lambda.ts';
import { createStores, type Stores } from './stores.ts';

export type Clients = {
  database: Database;
  objects: LazyObjects;
  /** Of a file that is exported; any number in local mode. */
  fileBytesAtMost?: number;
};

/** What API Gateway streams for one request. */
const streamedAtMost = 200_000_000;

/**
 * The stores with what moves files. It is a module of its own, so that the bundles of the other functions have
 * neither the S3 client nor the readers and writers of spreadsheets.
 */
export const withFiles = <S extends Stores>(stores: S, { database, objects, fileBytesAtMost }: Clients) => {
  const { importRecords: records } = stores;
  return {
    ...stores,
    objects,
    importer: new ContactImporter({ ...stores, objects, records, contacts: stores.importedContacts }),
    remainsRemover: new RemainsRemover({ objects, removals: new Removals(database, records) }),
    oldCalls: new OldCalls(stores),
    exporter: new ContactExporter({ ...stores, objects, records, fileBytesAtMost }),
    callExporter: new CallExporter({ ...stores, database, objects, fileBytesAtMost }),
  };
};

export type FileRuntime = ReturnType<typeof withFiles<Stores>>;

type UsesBucket = Using<'table' | 'bucket'> & Partial<Pick<Route, 'response'>>;

const lambdaRuntime = ({ access }: UsesBucket): FileRuntime => {
  const env = readEnvironment(access);
  const objects = lazyS3Objects(() => ({ region: awsRegion(), bucket: env.BUCKET_NAME }));
  const database = openDatabase(env.TABLE_NAME, access);
  return withFiles(createStores(serviceSettings(env), database), {
    database,
    objects,
    fileBytesAtMost: streamedAtMost,
  });
};

/** As `onLambda`, for functions that also use the bucket. A route that answers a file streams it. */
export const onFileLambda = <F extends (...args: never[]) => unknown>(
  declared: UsesBucket,
  create: (runtime: FileRuntime) => F,
): F => {
  if (declared.response !== undefined && 'file' in declared.response) {
    return onFirstStreamedEvent(() => create(lambdaRuntime(declared)));
  }
  return onFirstEvent(() => {
    const runtime = lambdaRuntime(declared);
    return withStoredAnswers(create(runtime), runtime.storedAnswers);
  });
};
