import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3ClientConfig } from '@aws-sdk/client-s3';

/** What the service reads of EventBridge's "Object Created". The key is not URL-encoded. */
export type ObjectCreated = { detail: { object: { key: string; size: number; sequencer: string } } };

type Stored = { bytes: Buffer; eTag: string; contentType: string; modified: Date };
type Upload = { key: string; contentType: string; parts: Map<number, Stored> };

export type S3Request = {
  method: string;
  /** Percent-encoded: the bucket, then the key. */
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
};
export type S3Answer = { statusCode: number; headers: Record<string, string>; body: Readable };

type SdkOptions = { abortSignal?: { readonly aborted: boolean } };
export type EmbeddedS3 = {
  requestHandler: Extract<NonNullable<S3ClientConfig['requestHandler']>, { handle: unknown }>;
  answer: (request: S3Request) => Promise<S3Answer>;
};

/** A refusal in S3's own words. */
class Refusal extends Error {
  constructor(
    readonly statusCode: number,
    readonly code: string,
  ) {
    super(code);
  }
}

const minPartBytes = 5 * 1024 * 1024;

const bodyOf = async (body: unknown): Promise<Buffer> => {
  if (body === undefined || body === null) return Buffer.alloc(0);
  return body instanceof Readable ? buffer(body) : Buffer.from(body as Uint8Array);
};

const empty = (statusCode = 200, headers: Record<string, string> = {}): S3Answer => ({
  ...{ statusCode, headers },
  body: Readable.from([]),
});

const xml = (root: string, content: string, statusCode = 200): S3Answer => ({
  statusCode,
  headers: { 'content-type': 'application/xml' },
  body: Readable.from([Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><${root}>${content}</${root}>`)]),
});

const escaped = (text: string) => text.replace(/[&<>\r\n\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const headersOf = ({ bytes, eTag, contentType, modified }: Stored) => ({
  'content-length': String(bytes.length),
  'content-type': contentType,
  etag: `"${eTag}"`,
  'last-modified': modified.toUTCString(),
});

const uploadElement = ([id, { key }]: [string, Upload]) =>
  `<Upload><UploadId>${id}</UploadId><Key>${escaped(key)}</Key></Upload>`;

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

/**
 * A bucket in memory: as much of S3 as the service and its tests use, and no more lenient than S3
 * is.
 */
export const embeddedS3 = (
  bucket: string,
  onObjectCreated: (event: ObjectCreated) => void = () => {},
): EmbeddedS3 => {
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Upload>();
  let sequence = 0;

  const publish = (key: string, stored: Stored) => {
    objects.set(key, stored);
    const sequencer = (++sequence).toString(16).padStart(16, '0');
    onObjectCreated({ detail: { object: { key, size: stored.bytes.length, sequencer } } });
  };

  const received = async ({ headers, body }: S3Request): Promise<Stored> => {
    if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength');
    const bytes = await bodyOf(body);
    if (bytes.length !== Number(headers['content-length'])) throw new Refusal(400, 'IncompleteBody');
    const contentType = headers['content-type'] ?? 'binary/octet-stream';
    return { bytes, eTag: md5(bytes).toString('hex'), contentType, modified: new Date() };
  };

  const uploadOf = (id: string | undefined, key: string): Upload => {
    const upload = uploads.get(id ?? '');
    if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload');
    return upload;
  };

  const found = (key: string): Stored => {
    const stored = objects.get(key);
    if (stored === undefined) throw new Refusal(404, 'NoSuchKey');
    return stored;
  };

  const complete = async (id: string | undefined, key: string, { body }: S3Request) => {
    const upload = uploadOf(id, key);
    const listed = (await bodyOf(body)).toString().split('<Part>').slice(1);
    const parts = listed.map((part) => {
      const number = Number(/<PartNumber>(\d+)</.exec(part)?.[1]);
      const stored = upload.parts.get(number);
      if (stored === undefined || !part.includes(stored.eTag)) throw new Refusal(400, 'InvalidPart');
      return { number, stored };
    });
    if (parts.some(({ number }, at) => number <= (parts[at - 1]?.number ?? 0))) {
      throw new Refusal(400, 'InvalidPartOrder');
    }
    if (parts.slice(0, -1).some(({ stored }) => stored.bytes.length < minPartBytes)) {
      throw new Refusal(400, 'EntityTooSmall');
    }
    const digests = Buffer.concat(parts.map(({ stored }) => Buffer.from(stored.eTag, 'hex')));
    uploads.delete(id ?? '');
    publish(key, {
      bytes: Buffer.concat(parts.map(({ stored }) => stored.bytes)),
      eTag: `${md5(digests).toString('hex')}-${parts.length}`,
      contentType: upload.contentType,
      modified: new Date(),
    });
  };

  const list = (query: Record<string, string>): string => {
    const { prefix = '', 'continuation-token': token = '', 'max-keys': size = '1000' } = query;
    const after = Buffer.from(token, 'base64url');
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => Buffer.from(key));
    const left = keys.filter((key) => Buffer.compare(key, after) > 0).sort(Buffer.compare);
    const page = left.slice(0, Number(size));
    const contents = page.map((key) => {
      const { eTag, bytes, modified } = objects.get(key.toString())!;
      const facts = `<ETag>"${eTag}"</ETag><Size>${bytes.length}</Size>`;
      const time = `<LastModified>${modified.toISOString()}</LastModified>`;
      return `<Contents><Key>${escaped(key.toString())}</Key>${facts}${time}</Contents>`;
    });
    const isTruncated = left.length > page.length;
    const next = isTruncated
      ? `<NextContinuationToken>${page.at(-1)?.toString('base64url')}</NextContinuationToken>`
      : '';
    return `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`;
  };

  const get = (key: string, { headers: { range } }: S3Request): S3Answer => {
    const stored = found(key);
    const headers = headersOf(stored);
    if (range === undefined) return { statusCode: 200, headers, body: Readable.from([stored.bytes]) };
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const bytes = stored.bytes.subarray(Number(first), Number(last) + 1);
    if (bytes.length === 0) throw new Refusal(416, 'InvalidRange');
    headers['content-length'] = String(bytes.length);
    return { statusCode: 206, headers, body: Readable.from([bytes]) };
  };

  const perform = async (request: S3Request): Promise<S3Answer> => {
    const [name, ...rest] = decodeURIComponent(request.path.slice(1)).split('/');
    if (name !== bucket) throw new Refusal(404, 'NoSuchBucket');
    const key = rest.join('/');
    const { uploadId, ...query } = (request.query ?? {}) as Record<string, string>;
    const named = ['list-type', 'uploads', 'partNumber', 'uploadId'].filter(
      (name) => name in (request.query ?? {}),
    );
    switch ([request.method, key === '' ? 'bucket' : 'object', ...named].join(' ')) {
      case 'PUT object': {
        const stored = await received(request);
        publish(key, stored);
        return empty(200, { etag: `"${stored.eTag}"` });
      }
      case 'GET object':
        return get(key, request);
      case 'HEAD object':
        return empty(200, headersOf(found(key)));
      case 'DELETE object':
        objects.delete(key);
        return empty(204);
      case 'GET bucket list-type':
        return xml('ListBucketResult', list(query));
      case 'GET bucket uploads':
        return xml('ListMultipartUploadsResult', [...uploads].map(uploadElement).join(''));
      case 'POST object uploads': {
        const id = randomUUID();
        const contentType = request.headers['content-type'] ?? 'binary/octet-stream';
        uploads.set(id, { key, contentType, parts: new Map() });
        return xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`);
      }
      case 'PUT object partNumber uploadId': {
        const { parts } = uploadOf(uploadId, key);
        const stored = await received(request);
        parts.set(Number(query.partNumber), stored);
        return empty(200, { etag: `"${stored.eTag}"` });
      }
      case 'POST object uploadId':
        await complete(uploadId, key, request);
        return xml('CompleteMultipartUploadResult', '');
      case 'DELETE object uploadId':
        uploadOf(uploadId, key);
        uploads.delete(uploadId ?? '');
        return empty(204);
      default:
        throw new Refusal(501, 'NotImplemented');
    }
  };

  const answer = (request: S3Request): Promise<S3Answer> =>
    perform(request).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (request.method === 'HEAD') return empty(error.statusCode);
      return xml('Error', `<Code>${error.code}</Code><Message>${error.code}</Message>`, error.statusCode);
    });

  /** An aborted request is told so only when nothing of it runs any more. */
  const handle = async (request: S3Request, { abortSignal }: SdkOptions = {}) => {
    const checkAborted = () => {
      if (abortSignal?.aborted) throw Object.assign(new Error('Request aborted'), { name: 'AbortError' });
    };
    checkAborted();
    const response = await answer(request);
    checkAborted();
    return { response };
  };
  const requestHandler = {
    metadata: { handlerProtocol: 'http/1.1' },
    httpHandlerConfigs: () => ({}),
    updateHttpClientConfig: () => {},
    handle,
  };
  return { requestHandler, answer };
};
