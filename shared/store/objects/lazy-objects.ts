import type { Objects } from './objects.ts';
import type { S3Settings } from './s3-client.ts';

/** The bucket, opened when first asked for. */
export type LazyObjects = () => Promise<Objects>;

type Bucket = S3Settings & { bucket: string };

const openBucket = async ({ bucket, ...settings }: Bucket): Promise<Objects> => {
  const [{ Objects }, { s3Client }] = await Promise.all([import('./objects.ts'), import('./s3-client.ts')]);
  return new Objects(s3Client(settings), bucket);
};

/** The S3 client, a third of a function's code, is loaded when a request gets as far as its file. */
export const lazyObjects = (bucket: () => Bucket): LazyObjects => {
  let objects: Promise<Objects> | undefined;
  return () => {
    objects ??= openBucket(bucket());
    return objects;
  };
};
