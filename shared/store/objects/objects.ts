import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { notFound, ServiceError } from '../../domain/errors.ts';
import { uploadInParts } from './object-upload.ts';

export type PresignedUpload = { url: string; method: 'PUT'; headers: Record<string, string> };
export type UploadRequest = { key: string; size: number; expiresInSeconds: number; contentType?: string };

const defaultMaxBytes = 64 * 1024 * 1024;

/** The objects of one bucket. Reading a missing object throws `notFound`. */
export class Objects {
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

  /**
   * Stores what `chunks` yields, with a few parts in memory whatever the size, and answers the size in
   * bytes. When the source, S3 or the signal ends it early, it throws, no object appears and no
   * unfinished upload is left.
   */
  putStream(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    contentType: string,
    { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
  ): Promise<number> {
    const target = { Bucket: this.#bucket, Key: key, ContentType: contentType };
    return uploadInParts(this.#client, target, chunks, signal);
  }

  /** The whole object. @throws ServiceError notFound; tooLarge, before any of its bytes is read */
  async get(key: string, maxBytes = defaultMaxBytes): Promise<Uint8Array> {
    const { body, size } = await this.open(key);
    if (size > maxBytes) {
      body.destroy();
      throw new ServiceError(
        'FILE_TOO_LARGE',
        `the file has ${size} bytes, more than the ${maxBytes} allowed`,
      );
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** The caller reads `body` to its end or destroys it. @throws ServiceError notFound */
  async open(key: string): Promise<{ body: Readable; size: number }> {
    try {
      const { Body, ContentLength } = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: key }),
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

  /** A URL that takes one file of exactly `size` bytes; any other length breaks its signature. */
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
