import type { LazyObjects, Objects } from './objects.ts';

type S3Bucket = { region: string; bucket: string };

const openBucket = async ({ region, bucket }: S3Bucket): Promise<Objects> => {
  const [{ S3Objects }, { s3Client }] = await Promise.all([
    import('./s3-objects.ts'),
    import('./s3-client.ts'),
  ]);
  return new S3Objects(s3Client({ region }), bucket);
};

/** The S3 client, a third of a function's code, is loaded when a request gets as far as its file. */
export const lazyS3Objects = (bucket: () => S3Bucket): LazyObjects => {
  let objects: Promise<Objects> | undefined;
  return () => {
    objects ??= openBucket(bucket());
    return objects;
  };
};
