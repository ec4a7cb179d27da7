export { lazyS3Objects } from './lazy-s3-objects.ts';
export { untilAborted } from './object-parts.ts';
export {
  type ByteRange,
  type LazyObjects,
  type Objects,
  type OpenObject,
  type PresignedUpload,
  readWhole,
  type UploadRequest,
} from './objects.ts';
