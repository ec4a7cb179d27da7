import type { LazyObjects } from '../store/objects/objects.ts';
import { ContactExporter } from '../transfer/contact-exporter.ts';
import { createRuntime, type Runtime } from './core.ts';
import { serviceSettings } from './environment.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onStreamingRuntime } from './on-runtime.ts';

/** What functions that give out files work with; apart, so that the others are bundled without it. */
export type ExportRuntime = Runtime & { exporter: ContactExporter };

export const createExportRuntime = (runtime: Runtime, objects: LazyObjects): ExportRuntime => ({
  ...runtime,
  exporter: new ContactExporter({ ...runtime, objects }),
});

/** As `onLambda`, for streamed files. */
export const onStreamingLambda = onStreamingRuntime(() =>
  createExportRuntime(createRuntime({ database: lambdaDatabase(), ...serviceSettings() }), lambdaObjects()),
);
