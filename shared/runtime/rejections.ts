import { serviceSettings } from '../settings/environment.ts';
import { ImportRecords } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import type { Database } from '../store/table/index.ts';
import { Rejections } from '../transfer/rejections.ts';
import { type ClockAndIds, clockAndIds } from './clock-and-ids.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onStreamingRuntime } from './on-runtime.ts';

/** What the function that gives out rejected rows works with. */
export type RejectionsRuntime = { rejections: Rejections };

export const createRejectionsRuntime = (
  shared: ClockAndIds,
  database: Database,
  objects: LazyObjects,
): RejectionsRuntime => ({
  rejections: new Rejections({ ...shared, objects, imports: new ImportRecords(database) }),
});

/** As `onLambda`, for rejected rows as a streamed file. */
export const onRejectionsLambda = onStreamingRuntime(() =>
  createRejectionsRuntime(clockAndIds(serviceSettings().timeZone), lambdaDatabase(), lambdaObjects()),
);
