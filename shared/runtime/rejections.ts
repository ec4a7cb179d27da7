import type { Database } from '../store/database.ts';
import { ImportRecords } from '../store/imports/import-records.ts';
import type { LazyObjects } from '../store/objects/objects.ts';
import { Rejections } from '../transfer/rejections.ts';
import { type Basics, createBasics } from './clock-and-ids.ts';
import { lambdaObjects } from './lambda-bucket.ts';
import { lambdaDatabase, lambdaTimeZone } from './lambda-database.ts';
import { onStreamingRuntime } from './on-runtime.ts';

/** What the function that gives out rejected rows works with. */
export type RejectionsRuntime = { rejections: Rejections };

export const createRejectionsRuntime = (
  basics: Basics,
  database: Database,
  objects: LazyObjects,
): RejectionsRuntime => ({
  rejections: new Rejections({ ...basics, objects, imports: new ImportRecords(database) }),
});

/** As `onLambda`, for rejected rows as a streamed file. */
export const onRejectionsLambda = onStreamingRuntime(() =>
  createRejectionsRuntime(createBasics(lambdaTimeZone()), lambdaDatabase(), lambdaObjects()),
);
