import { ContactImporter } from '../../imports/contact-importer.ts';
import { CallExporter } from '../../insight/call-exporter.ts';
import { ContactExporter } from '../../insight/contact-exporter.ts';
import { PreflightReader } from '../../insight/preflight-reader.ts';
import type { Route, Using } from '../../platform/api/route.ts';
import { withStoredAnswers } from '../../platform/http/repeatable.ts';
import { lazyS3Objects } from '../../platform/objects/lazy-s3-objects.ts';
import type { LazyObjects } from '../../platform/objects/objects.ts';
import { awsRegion, readEnvironment, serviceSettings } from '../../platform/settings/settings.ts';
import type { Database } from '../../platform/table/database.ts';
import { OldCalls } from '../removals/old-calls.ts';
import { RemainsRemover } from '../removals/remains-remover.ts';
import { createBase } from './base.ts';
import { onFirstEvent, onFirstStreamedEvent } from './first-event.ts';
import { type ImportRuntime, openImports } from './imports.ts';
import { openDatabase } from './lambda.ts';

export type Clients = {
  database: Database;
  objects: LazyObjects;
  /** Maximum for an exported file. Absent in local mode: no limit. */
  fileBytesAtMost?: number;
};

/** Bytes that API Gateway streams for one request. */
const streamedAtMost = 200_000_000;

/**
 * The stores with what reads and writes files. It is in a file of its own, so that the bundles of
 * other functions have neither the S3 client nor the readers and writers of spreadsheets.
 */
export const withFiles = <S extends ImportRuntime>(
  stores: S,
  { database, objects, fileBytesAtMost }: Clients,
) => {
  const { importRecords: records, lagging, phones, settings } = stores;
  const preflight = new PreflightReader({
    ...lagging,
    phones,
    country: settings.country,
    timeZone: settings.timeZone,
  });
  return {
    ...stores,
    objects,
    importer: new ContactImporter({ ...stores, objects, records, contacts: stores.importedContacts }),
    remainsRemover: new RemainsRemover({ database, records, objects }),
    oldCalls: new OldCalls(stores),
    exporter: new ContactExporter({ ...stores, preflight, objects, records, fileBytesAtMost }),
    callExporter: new CallExporter({ ...stores, database, objects, fileBytesAtMost }),
  };
};

export type FileRuntime = ReturnType<typeof withFiles<ImportRuntime>>;

type UsesBucket = Using<'table' | 'bucket'> & Partial<Pick<Route, 'response'>>;

const lambdaRuntime = ({ access }: UsesBucket): FileRuntime => {
  const env = readEnvironment(access);
  const objects = lazyS3Objects(() => ({ region: awsRegion(), bucket: env.BUCKET_NAME }));
  const database = openDatabase(env.TABLE_NAME, access);
  return withFiles(openImports(createBase(serviceSettings(env), database)), {
    database,
    objects,
    fileBytesAtMost: streamedAtMost,
  });
};

/** Like `onLambda`, for functions that also use the bucket. Answered files are streamed. */
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
