import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

/**
 * Checksums only when an operation demands one: the SDK's default bakes the checksum of an empty body
 * into presigned uploads, which then refuse every real file.
 */
export const s3Client = (config: S3ClientConfig): S3Client =>
  new S3Client({
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...config,
  });
