import type { Readable } from 'node:stream';
import { ServiceError } from '../rules/errors.ts';

export type PresignedUpload = { url: string; method: 'PUT'; headers: Record<string, string> };
export type UploadRequest = { key: string; size: number; expiresInSeconds: number; contentType?: string };
export type ByteRange = { start: number; end: number };
export type OpenObject = { body: Readable; size: number };

/** The files of the service, by key: a bucket on AWS, a folder in local mode. */
export interface Objects {
  put(key: string, body: Uint8Array | string, contentType: string): Promise<void>;

  /**
   * Stores what `chunks` yields, with a few megabytes in memory whatever the size. If the source,
   * the storage or the signal ends it early, it throws and no object appears.
   * @returns the size in bytes
   */
  putStream(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    contentType: string,
    options?: { signal?: AbortSignal },
  ): Promise<number>;

  /** The whole object. @throws ServiceError notFound; tooLarge, before any of its bytes is read */
  get(key: string, maxBytes?: number): Promise<Uint8Array>;

  /**
   * The caller reads `body` to its end or destroys it. With `range`, it has only the bytes from
   * `start` to before `end`, which must be at least one.
   * @throws ServiceError notFound
   */
  open(key: string, range?: ByteRange): Promise<OpenObject>;

  head(key: string): Promise<{ size: number } | undefined>;

  /**
   * Removes the objects below a prefix that ends with `/`, until the time is up.
   * @returns whether no object is left
   */
  removeAll(prefix: string, isTimeUp: () => boolean): Promise<boolean>;

  /** An address to which one file of exactly `size` bytes can be uploaded. */
  presignUpload(request: UploadRequest): Promise<PresignedUpload>;
}

/** Opens the objects when a request first needs them. */
export type LazyObjects = () => Promise<Objects>;

const defaultMaxBytes = 64 * 1024 * 1024;

/** @throws ServiceError tooLarge, before any byte is read */
export const readWhole = async (
  { body, size }: OpenObject,
  maxBytes = defaultMaxBytes,
): Promise<Uint8Array> => {
  if (size > maxBytes) {
    body.destroy();
    throw new ServiceError('FILE_TOO_LARGE', `the file has ${size} bytes, more than the ${maxBytes} allowed`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export const putJson = async (objects: LazyObjects, key: string, value: unknown): Promise<void> =>
  (await objects()).put(key, JSON.stringify(value), 'application/json');

/** @returns undefined if the object does not exist, for example because it has expired */
export const getJson = async <T>(objects: LazyObjects, key: string): Promise<T | undefined> => {
  try {
    const bytes = await (await objects()).get(key, Number.POSITIVE_INFINITY);
    return JSON.parse(Buffer.from(bytes).toString()) as T;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'notFound') return undefined;
    throw error;
  }
};
