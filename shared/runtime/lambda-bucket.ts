import type { LazyObjects, Objects } from '../store/objects/objects.ts';
import { neededSetting } from './environment.ts';

const openBucket = async (): Promise<Objects> => {
  const [{ Objects }, { s3Client }] = await Promise.all([
    import('../store/objects/objects.ts'),
    import('../store/objects/s3-client.ts'),
  ]);
  return new Objects(s3Client({ region: neededSetting('AWS_REGION') }), neededSetting('BUCKET_NAME'));
};

/** The S3 client, a third of a function's code, is loaded when a request gets as far as its file. */
export const lambdaObjects = (): LazyObjects => {
  let objects: Promise<Objects> | undefined;
  return () => {
    objects ??= openBucket();
    return objects;
  };
};
