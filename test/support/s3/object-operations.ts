import { Readable } from 'node:stream';
import { type Blob, type Staged, stage } from './blob-file.ts';
import type { Call } from './call.ts';
import { S3Error } from './s3-error.ts';
import { noBody, type S3Request, type S3Response } from './s3-request.ts';
import { xmlAnswer } from './xml-answer.ts';

const maxPutBytes = 5 * 1024 ** 3;
const maxContentTypeLength = 256;
const maxListedKeys = 1000;

export const contentTypeOf = ({ headers }: S3Request): string => {
  const contentType = headers['content-type'] ?? 'binary/octet-stream';
  if (contentType.length > maxContentTypeLength) {
    throw new S3Error('InvalidArgument', 'The Content-Type is too long');
  }
  return contentType;
};

const announcedLength = ({ headers }: S3Request): number => {
  const length = headers['content-length'];
  if (length === undefined || !/^\d+$/.test(length)) {
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  if (Number(length) > maxPutBytes) {
    throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  return Number(length);
};

async function* upTo(body: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const chunk of body) {
    left -= chunk.byteLength;
    if (left < 0) throw new S3Error('IncompleteBody', 'The body is longer than its Content-Length');
    yield chunk;
  }
}

/** The body on disk and whole: as long as announced. */
export const receive = ({ bucket, key, request }: Call): Promise<Staged> => {
  const length = announcedLength(request);
  const contentType = contentTypeOf(request);
  return stage(bucket.staging, upTo(request.body, length), ({ size, md5 }) => {
    if (size !== length) throw new S3Error('IncompleteBody', 'The body is shorter than its Content-Length');
    return { key, size, eTag: md5.toString('hex'), contentType, modified: Date.now() };
  });
};

export const putObject = async (call: Call): Promise<S3Response> => {
  const staged = await receive(call);
  await call.bucket.publish(staged, 'PutObject', originOf(call));
  return { status: 200, headers: { etag: `"${staged.blob.eTag}"` }, body: noBody() };
};

export const originOf = ({ region, bucketName, requestId, request }: Call) => ({
  region,
  bucket: bucketName,
  requestId,
  sourceIp: request.sourceIp,
});

const noSuchKey = () => new S3Error('NoSuchKey', 'The specified key does not exist.');

const headersOf = ({ contentType, eTag, modified }: Blob, length: number): Record<string, string> => ({
  'content-length': String(length),
  'content-type': contentType,
  etag: `"${eTag}"`,
  'last-modified': new Date(modified).toUTCString(),
});

/** The bytes that a request asks for, from `start` to before `end`. */
const rangeOf = ({ headers: { range } }: S3Request, size = Number.POSITIVE_INFINITY) => {
  if (range === undefined) return undefined;
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  if (first === undefined)
    throw new S3Error('NotImplemented', 'Only a range from one byte to another is built');
  if (Number(first) >= size) throw new S3Error('InvalidArgument', 'The requested range is not satisfiable');
  return { start: Number(first), end: Math.min(size, Number(last) + 1) };
};

export const getObject = async ({ bucket, key, request }: Call): Promise<S3Response> => {
  rangeOf(request);
  const opened = await bucket.objects.open(key);
  if (opened === undefined) throw noSuchKey();
  const { blob, body } = opened;
  const range = rangeOf(request, blob.size);
  if (range === undefined) return { status: 200, headers: headersOf(blob, blob.size), body };
  const { start, end } = range;
  const headers = {
    ...headersOf(blob, end - start),
    'content-range': `bytes ${start}-${end - 1}/${blob.size}`,
  };
  return { status: 206, headers, body: Readable.from(between(body, start, end)) };
};

async function* between(chunks: AsyncIterable<Buffer>, start: number, end: number) {
  let at = 0;
  for await (const chunk of chunks) {
    if (at >= end) return;
    yield chunk.subarray(Math.max(0, start - at), end - at);
    at += chunk.length;
  }
}

export const headObject = async ({ bucket, key }: Call): Promise<S3Response> => {
  const blob = await bucket.objects.head(key);
  if (blob === undefined) throw noSuchKey();
  return { status: 200, headers: headersOf(blob, blob.size), body: noBody() };
};

export const deleteObject = async ({ bucket, key }: Call): Promise<S3Response> => {
  await bucket.objects.delete(key);
  return { status: 204, headers: {}, body: noBody() };
};

export const listObjects = async ({ bucket, bucketName, request: { query } }: Call): Promise<S3Response> => {
  if (query.get('list-type') !== '2')
    throw new S3Error('NotImplemented', 'Only ListObjectsV2 is implemented');
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === undefined ? query.get('start-after') : Buffer.from(token, 'base64url').toString();
  const limit = Number(query.get('max-keys') ?? maxListedKeys);
  if (!Number.isInteger(limit) || limit < 0) throw new S3Error('InvalidArgument', 'max-keys is no count');
  const keys = await bucket.objects.keys(prefix, after);
  const page = keys.slice(0, Math.min(limit, maxListedKeys));
  const last = page.at(-1);
  const truncated = last !== undefined && keys.length > page.length;
  const contents = (await bucket.objects.describe(page)).map(({ key, size, eTag, modified }) => ({
    Key: key,
    LastModified: new Date(modified).toISOString(),
    ETag: `"${eTag}"`,
    Size: size,
    StorageClass: 'STANDARD',
  }));
  return xmlAnswer('ListBucketResult', {
    Name: bucketName,
    Prefix: prefix,
    KeyCount: contents.length,
    MaxKeys: Math.min(limit, maxListedKeys),
    IsTruncated: truncated,
    ...(truncated ? { NextContinuationToken: Buffer.from(last).toString('base64url') } : {}),
    Contents: contents,
  });
};
