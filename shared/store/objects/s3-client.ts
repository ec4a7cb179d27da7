import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

export type S3RequestHandler = NonNullable<S3ClientConfig['requestHandler']>;

export type S3Settings = {
  region: string;
  /** Only off AWS: where the endpoint answers, as the clients of presigned URLs see it. */
  endpoint?: string;
  /** On AWS the role of the function signs. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  requestHandler?: S3RequestHandler;
};

/**
 * Checksums only when an operation demands one: the SDK's default bakes the checksum of an empty body
 * into presigned uploads, which then refuse every real file.
 */
export const s3Client = ({ region, endpoint, credentials, requestHandler }: S3Settings): S3Client =>
  new S3Client({
    region,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(requestHandler === undefined ? {} : { requestHandler }),
  });
