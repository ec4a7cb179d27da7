import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { notFound } from '../rules/errors.ts';
import { partsOf, untilAborted } from './object-parts.ts';
import {
  type ByteRange,
  type Objects,
  type OpenObject,
  type PresignedUpload,
  readWhole,
  type UploadRequest,
} from './objects.ts';

/**
 * Adds a checksum only where an operation demands one. By default the SDK puts the checksum of an
 * empty body into presigned uploads, which then refuse every real file.
 */
export const s3Client = (config: S3ClientConfig): S3Client =>
  new S3Client({
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...config,
  });

type Target = { Bucket: string; Key: string; ContentType: string };
type Upload = { Bucket: string; Key: string; UploadId: string | undefined };

/** The smallest part that S3 takes. 10,000 parts are 50 GB. Two parts are in memory. */
const partSize = 5 * 1024 * 1024;

/**
 * Written here because lib-storage's Upload answers an abort before its clean-up has run, and
 * leaves the parts behind if the completing call fails.
 * @returns the size in bytes
 */
export const uploadInParts = async (
  client: S3Client,
  target: Target,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> => {
  const parts = partsOf(untilAborted(chunks, signal), partSize);
  try {
    const { value: first = new Uint8Array() } = await parts.next();
    const second = await parts.next();
    if (second.done) {
      await client.send(new PutObjectCommand({ ...target, Body: first }), { abortSignal: signal });
      return first.byteLength;
    }
    return await multipart(client, target, joined([first, second.value], parts), signal);
  } finally {
    await parts.return(undefined);
  }
};

async function* joined(read: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let part = read.shift(); part; part = read.shift()) yield part;
  yield* rest;
}

const multipart = async (
  client: S3Client,
  target: Target,
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> => {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload: Upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  try {
    const { size, completed } = await sendParts(client, upload, parts, signal);
    signal.throwIfAborted();
    await client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: completed } }),
    );
    return size;
  } catch (error) {
    // The first error is thrown. Parts that could not be removed expire by the bucket's lifecycle.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
};

/**
 * Sends one part while the next one fills. Returns or throws only when no part is under way any
 * more, so that an abort removes all of them.
 */
const sendParts = async (
  client: S3Client,
  upload: Upload,
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ size: number; completed: CompletedPart[] }> => {
  const completed: CompletedPart[] = [];
  let size = 0;
  let underWay = Promise.resolve();
  const send = async (PartNumber: number, Body: Uint8Array) => {
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }), {
      abortSignal: signal,
    });
    completed.push({ PartNumber, ETag });
  };
  try {
    let number = 0;
    for await (const part of parts) {
      await underWay;
      size += part.byteLength;
      underWay = send(++number, part);
      // The error is thrown when the next part is ready. Until then it must not count as unhandled.
      underWay.catch(() => {});
    }
    await underWay;
    return { size, completed };
  } finally {
    await underWay.catch(() => {});
  }
};

export type S3Bucket = { region: string; bucket: string };

/** The objects of one bucket. */
export class S3Objects implements Objects {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  async put(key: string, body: Uint8Array | string, contentType: string): Promise<void> {
    // The SDK sends an empty string without a length, which S3 refuses.
    const Body = typeof body === 'string' ? Buffer.from(body) : body;
    await this.#client.send(
      new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body, ContentType: contentType }),
    );
  }

  /** Leaves no unfinished upload behind when it throws. */
  putStream(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    contentType: string,
    { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
  ): Promise<number> {
    const target = { Bucket: this.#bucket, Key: key, ContentType: contentType };
    return uploadInParts(this.#client, target, chunks, signal);
  }

  async get(key: string, maxBytes?: number): Promise<Uint8Array> {
    return readWhole(await this.open(key), maxBytes);
  }

  async open(key: string, range?: ByteRange): Promise<OpenObject> {
    // The last byte of an HTTP range is included.
    const bytes = range && { Range: `bytes=${range.start}-${range.end - 1}` };
    try {
      const { Body, ContentLength } = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: key, ...bytes }),
      );
      return { body: Body as Readable, size: ContentLength ?? 0 };
    } catch (error) {
      if (error instanceof NoSuchKey) throw notFound('the file');
      throw error;
    }
  }

  async head(key: string): Promise<{ size: number; eTag: string } | undefined> {
    try {
      const { ContentLength, ETag } = await this.#client.send(
        new HeadObjectCommand({ Bucket: this.#bucket, Key: key }),
      );
      return { size: ContentLength ?? 0, eTag: ETag ?? '' };
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async removeAll(prefix: string, isTimeUp: () => boolean): Promise<boolean> {
    while (!isTimeUp()) {
      const { Contents = [], IsTruncated } = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix }),
      );
      for (const { Key } of Contents) {
        if (isTimeUp()) return false;
        await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key }));
      }
      if (!IsTruncated) return true;
    }
    return false;
  }

  /** Another length than `size` breaks the signature of the URL. */
  async presignUpload({ key, size, expiresInSeconds, contentType }: UploadRequest): Promise<PresignedUpload> {
    const url = await getSignedUrl(
      this.#client,
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        ContentLength: size,
        ...(contentType === undefined ? {} : { ContentType: contentType }),
      }),
      { expiresIn: expiresInSeconds },
    );
    const type = contentType === undefined ? {} : { 'content-type': contentType };
    return { url, method: 'PUT', headers: { 'content-length': String(size), ...type } };
  }
}

export const openBucket = ({ region, bucket }: S3Bucket): Objects =>
  new S3Objects(s3Client({ region }), bucket);
