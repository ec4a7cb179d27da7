import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { badFile, tooLarge } from './limits.ts';

/** The bytes of a file, in memory or in the bucket. */
export type FileSource = {
  size: number;
  /** The bytes from `start` to before `end`, in order. They can be read any number of times. */
  chunks: (start?: number, end?: number) => AsyncIterable<Buffer>;
};

/** Other requests get their turn between two chunks. */
export const chunkBytes = 64 * 1024;

/** Bytes that are in memory, in chunks. */
export async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

export const sourceOf = (file: Uint8Array): FileSource => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return { size: bytes.length, chunks: (start, end) => piecesOf(bytes.subarray(start, end)) };
};

export const readRange = async ({ size, chunks }: FileSource, start = 0, end = size): Promise<Buffer> => {
  const read: Buffer[] = [];
  for await (const chunk of chunks(start, Math.min(size, end))) read.push(chunk);
  return Buffer.concat(read);
};

/** What the transform makes of the chunks. Errors of either reach the reader, and a reader that stops ends both. */
export async function* through(chunks: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  yield* pipeline(Readable.from(chunks), transform, () => undefined);
}

export const isZlibError = (error: unknown) => /^Z_/.test((error as { code?: string }).code ?? '');

/** The content of a gzip file, at most `maxBytes`. It is read from its beginning only. */
export const gunzipped = (file: FileSource, maxBytes: number): FileSource => ({
  size: maxBytes,
  // Without an end all of it is read, so that a file that is too large is refused and not cut off.
  async *chunks(_start, end = Number.POSITIVE_INFINITY) {
    let bytes = 0;
    try {
      for await (const chunk of through(file.chunks(), createGunzip({ chunkSize: chunkBytes }))) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLarge(`it unpacks to more than ${maxBytes / 1024 / 1024} MB`);
        yield chunk;
        if (bytes >= end) return;
      }
    } catch (error) {
      throw isZlibError(error) ? badFile('the packed file is damaged') : error;
    }
  },
});
