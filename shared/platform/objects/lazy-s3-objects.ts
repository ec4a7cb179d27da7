import type { LazyObjects, Objects } from './objects.ts';
import type { S3Bucket } from './s3-objects.ts';

/** The S3 client is a third of a function's code, so it is loaded with the first file. */
export const lazyS3Objects = (bucket: () => S3Bucket): LazyObjects => {
  let objects: Promise<Objects> | undefined;
  return () => {
    objects ??= import('./s3-objects.ts').then(({ openBucket }) => openBucket(bucket()));
    return objects;
  };
};
