import { environment, onRuntime } from './on-runtime.ts';
import { createRuntime, lambdaDatabase, type Runtime } from './runtime.ts';
import type { Database } from './store/database.ts';
import { Imports } from './store/imports/contact-imports.ts';
import { Objects } from './store/objects/objects.ts';
import { s3Client } from './store/objects/s3-client.ts';
import { ContactExporter } from './transfer/contact-exporter.ts';
import { ContactImporter } from './transfer/contact-importer.ts';

/** What functions that move files work with besides; apart, so that the others are bundled without it. */
export type FileRuntime = Runtime & {
  objects: Objects;
  importer: ContactImporter;
  exporter: ContactExporter;
};

export const createFileRuntime = (runtime: Runtime, database: Database, objects: Objects): FileRuntime => {
  const tools = { ...runtime, objects };
  return {
    ...runtime,
    objects,
    importer: new ContactImporter({ ...tools, imports: new Imports(database) }),
    exporter: new ContactExporter(tools),
  };
};

const lambdaFileRuntime = (): FileRuntime => {
  const database = lambdaDatabase();
  const runtime = createRuntime({ database, timeZone: process.env.SERVICE_TIME_ZONE ?? 'UTC' });
  const region = environment('AWS_REGION');
  return createFileRuntime(runtime, database, new Objects(s3Client({ region }), environment('BUCKET_NAME')));
};

/** As `onLambda`, for functions that move files. */
export const onFileLambda = onRuntime(lambdaFileRuntime);

declare const awslambda: { streamifyResponse: <F>(handler: F) => F };

/** As `onFileLambda`, for streamed answers: Lambda looks for its mark on the very function a module exports. */
export const onStreamingLambda: typeof onFileLambda = (create) =>
  awslambda.streamifyResponse(onFileLambda(create));
