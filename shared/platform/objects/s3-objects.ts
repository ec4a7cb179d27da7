import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { notFound } from '../rules/index.ts';
import { uploadInParts } from './object-upload.ts';
import {
  type ByteRange,
  type Objects,
  type OpenObject,
  type PresignedUpload,
  readWhole,
  type UploadRequest,
} from './objects.ts';
import { s3Client } from './s3-client.ts';

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
    // The last byte of an HTTP range is part of it.
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
