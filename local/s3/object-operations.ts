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

/** The body on disk and whole: as long as announced, with the digest announced if any. */
export const receive = ({ bucket, key, request }: Call): Promise<Staged> => {
  const length = announcedLength(request);
  const contentType = contentTypeOf(request);
  return stage(bucket.disk, upTo(request.body, length), ({ size, md5 }) => {
    if (size !== length) throw new S3Error('IncompleteBody', 'The body is shorter than its Content-Length');
    const announced = request.headers['content-md5'];
    if (announced !== undefined && announced !== md5.toString('base64')) {
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.');
    }
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
  'accept-ranges': 'bytes',
  'content-length': String(length),
  'content-type': contentType,
  etag: `"${eTag}"`,
  'last-modified': new Date(modified).toUTCString(),
});

/** First and last byte; undefined for the whole object, also where the header is no single byte range. */
const rangeOf = (header: string | undefined, size: number): [number, number] | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (from > to) throw new S3Error('InvalidRange', 'The requested range is not satisfiable');
  return [from, to];
};

export const getObject = async ({ bucket, key, request }: Call): Promise<S3Response> => {
  const opened = await bucket.objects.open(key);
  if (opened === undefined) throw noSuchKey();
  const { blob, stream } = opened;
  try {
    const range = rangeOf(request.headers.range, blob.size);
    if (range === undefined) {
      return { status: 200, headers: headersOf(blob, blob.size), body: await stream(0, blob.size - 1) };
    }
    const [from, to] = range;
    const headers = {
      ...headersOf(blob, to - from + 1),
      'content-range': `bytes ${from}-${to}/${blob.size}`,
    };
    return { status: 206, headers, body: await stream(from, to) };
  } catch (error) {
    await stream(0, -1);
    throw error;
  }
};

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
