export { type LazyObjects, lazyObjects } from './lazy-objects.ts';
export type { S3RequestHandler } from './s3-client.ts';
