import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PresignedUpload, UploadRequest } from '../../shared/platform/objects/objects.ts';
import { MethodNotAllowed, ServiceError } from '../../shared/platform/rules/errors.ts';
import type { Instant } from '../../shared/platform/time/time.ts';
import { chunksOf } from '../gateway/request.ts';

const uploadPath = '/upload/';

type Dependencies = {
  /** Where clients reach the service: `http://host:port`. */
  origin: string;
  /** The access token, so that addresses stay valid after a restart. */
  secret: string;
  now: () => Instant;
};

type Store = (key: string, chunks: AsyncIterable<Uint8Array>) => Promise<unknown>;

const refused = (message: string) => new ServiceError('FORBIDDEN', message);

const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

/**
 * Addresses to which one file of an exact size can be uploaded until they expire, like S3's
 * presigned URLs.
 */
export class SignedUploads {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  sign({ key, size, expiresInSeconds }: UploadRequest): PresignedUpload {
    const { origin, now } = this.#deps;
    const path = `${uploadPath}${key.split('/').map(encodeURIComponent).join('/')}`;
    const signed = { size: String(size), expires: String(Math.ceil(now() / 1000) + expiresInSeconds) };
    const signature = this.#signature(path, signed.size, signed.expires).toString('hex');
    const query = new URLSearchParams({ ...signed, signature });
    return { url: `${origin}${path}?${query}`, method: 'PUT', headers: { 'content-length': signed.size } };
  }

  /**
   * Stores the file of a request to an upload address. Nothing is stored if the request is refused
   * or breaks off.
   * @returns the file; undefined for other addresses
   * @throws ServiceError
   */
  async receive(
    request: IncomingMessage,
    url: URL,
    store: Store,
  ): Promise<{ key: string; size: number } | undefined> {
    if (!url.pathname.startsWith(uploadPath)) return undefined;
    if (request.method !== 'PUT') throw new MethodNotAllowed(request.method ?? '', 'PUT');
    const upload = this.#verify(url);
    const length = request.headers['content-length'] ?? 'unknown';
    if (length !== String(upload.size)) {
      throw refused(`the upload address takes exactly ${upload.size} bytes; the length sent is ${length}`);
    }
    await store(upload.key, chunksOf(request));
    return upload;
  }

  #signature(path: string, size: string, expires: string): Buffer {
    return createHmac('sha256', this.#deps.secret).update(`PUT\n${path}\n${size}\n${expires}`).digest();
  }

  #verify({ pathname, searchParams }: URL): { key: string; size: number } {
    const parameter = (name: string) => searchParams.get(name) ?? '';
    const size = parameter('size');
    const expires = parameter('expires');
    const given = Buffer.from(parameter('signature'), 'hex');
    if (!isEqual(given, this.#signature(pathname, size, expires))) {
      throw refused(
        'the signature does not match the upload address; use the address exactly as it was given',
      );
    }
    if (this.#deps.now() > Number(expires) * 1000) {
      throw refused('the upload address has expired; request a new one');
    }
    return { key: decodeURIComponent(pathname.slice(uploadPath.length)), size: Number(size) };
  }
}
