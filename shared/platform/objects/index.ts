export { lazyS3Objects } from './lazy-s3-objects.ts';
export { untilAborted } from './object-parts.ts';
export {
  type ByteRange,
  getJson,
  type LazyObjects,
  type Objects,
  type OpenObject,
  type PresignedUpload,
  putJson,
  readWhole,
  type UploadRequest,
} from './objects.ts';
