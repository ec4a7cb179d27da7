export { lazyS3Objects } from './lazy-s3-objects.ts';
export { untilAborted } from './object-parts.ts';
export * from './objects.ts';
