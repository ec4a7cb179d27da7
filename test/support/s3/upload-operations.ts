import { discard } from './blob-file.ts';
import type { Call } from './call.ts';
import { contentTypeOf, originOf, receive } from './object-operations.ts';
import { S3Error } from './s3-error.ts';
import { noBody, type S3Response } from './s3-request.ts';
import { readPartList } from './xml.ts';
import { xmlAnswer } from './xml-answer.ts';

const maxParts = 10_000;
/** Ten thousand parts take about 1.2 MB. */
const maxPartListBytes = 4 * 1024 * 1024;

export const createUpload = async ({ bucket, bucketName, key, request }: Call): Promise<S3Response> => {
  const UploadId = await bucket.uploads.create(key, contentTypeOf(request));
  return xmlAnswer('InitiateMultipartUploadResult', { Bucket: bucketName, Key: key, UploadId });
};

export const uploadPart = async (call: Call): Promise<S3Response> => {
  const { bucket, key, request } = call;
  const number = Number(request.query.get('partNumber'));
  if (!Number.isInteger(number) || number < 1 || number > maxParts) {
    throw new S3Error('InvalidArgument', `Part number must be an integer between 1 and ${maxParts}`);
  }
  const { uploadId } = await bucket.uploads.find(request.query.get('uploadId') ?? '', key);
  const staged = await receive(call);
  try {
    await bucket.uploads.putPart(uploadId, number, staged);
  } catch (error) {
    await discard(staged);
    throw error;
  }
  return { status: 200, headers: { etag: `"${staged.blob.eTag}"` }, body: noBody() };
};

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxPartListBytes) throw new S3Error('EntityTooLarge', 'The list of parts is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

export const completeUpload = async (call: Call): Promise<S3Response> => {
  const { bucket, bucketName, key, request } = call;
  const upload = await bucket.uploads.find(request.query.get('uploadId') ?? '', key);
  const staged = await bucket.uploads.assemble(upload, readPartList(await textOf(request.body)));
  await bucket.publish(staged, 'CompleteMultipartUpload', originOf(call));
  await bucket.uploads.remove(upload.uploadId);
  return xmlAnswer('CompleteMultipartUploadResult', {
    Location: `/${bucketName}/${key}`,
    Bucket: bucketName,
    Key: key,
    ETag: `"${staged.blob.eTag}"`,
  });
};

export const abortUpload = async ({ bucket, key, request }: Call): Promise<S3Response> => {
  const { uploadId } = await bucket.uploads.find(request.query.get('uploadId') ?? '', key);
  await bucket.uploads.remove(uploadId);
  return { status: 204, headers: {}, body: noBody() };
};

export const listUploads = async ({ bucket, bucketName, request }: Call): Promise<S3Response> => {
  const prefix = request.query.get('prefix') ?? '';
  const uploads = (await bucket.uploads.list(prefix)).map(({ key, uploadId, initiated }) => ({
    Key: key,
    UploadId: uploadId,
    Initiated: new Date(initiated).toISOString(),
    StorageClass: 'STANDARD',
  }));
  return xmlAnswer('ListMultipartUploadsResult', {
    Bucket: bucketName,
    Prefix: prefix,
    IsTruncated: false,
    Upload: uploads,
  });
};
