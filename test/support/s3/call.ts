import type { Bucket } from './bucket.ts';
import type { S3Request } from './s3-request.ts';

/** One request with the bucket it is for. */
export type Call = {
  bucket: Bucket;
  bucketName: string;
  region: string;
  requestId: string;
  key: string;
  request: S3Request;
};
