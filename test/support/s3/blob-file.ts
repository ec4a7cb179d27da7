import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';

/**
 * A body and what is known about it in one file, so that one rename replaces both: the bytes, then the
 * description as JSON, then the length of that JSON in four bytes. Version 0.2 kept its objects so.
 */
export type Blob = {
  key: string;
  size: number;
  /** Without quotes. */
  eTag: string;
  contentType: string;
  /** Milliseconds since 1970. */
  modified: number;
};

export type Staged = { path: string; blob: Blob };
export type Measured = { size: number; md5: Buffer };

const lengthBytes = 4;
const readBytes = 512 * 1024;
/** A key takes at most 2 KB as JSON and a content type 256 bytes. */
const trailerBytes = 4096;

/** Writes the body into `staging`; nothing is left behind when the body or `describe` throws. */
export const stage = async (
  staging: string,
  body: AsyncIterable<Uint8Array>,
  describe: (measured: Measured) => Blob,
): Promise<Staged> => {
  const temporary = path.join(staging, randomUUID());
  const file = await open(temporary, 'wx');
  try {
    const hash = createHash('md5');
    let size = 0;
    for await (const chunk of body) {
      hash.update(chunk);
      size += chunk.byteLength;
      await file.writeFile(chunk);
    }
    const blob = describe({ size, md5: hash.digest() });
    const description = Buffer.from(JSON.stringify(blob));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(description.length);
    await file.writeFile(Buffer.concat([description, length]));
    await file.close();
    return { path: temporary, blob };
  } catch (error) {
    await file.close();
    await discard({ path: temporary });
    throw error;
  }
};

export const discard = (staged: Pick<Staged, 'path'>): Promise<void> => rm(staged.path, { force: true });

/** The file appears whole under its name, in place of what was there. */
export const commit = (staged: Staged, target: string): Promise<void> => rename(staged.path, target);

const describedBy = async (file: FileHandle): Promise<Blob> => {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, trailerBytes));
  await file.read(tail, 0, tail.length, size - tail.length);
  const end = tail.length - lengthBytes;
  return JSON.parse(tail.toString('utf8', end - tail.readUInt32BE(end), end)) as Blob;
};

const missing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const opened = async <T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> => {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (missing(error)) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    return await use(handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
};

export const readBlob = (file: string): Promise<Blob | undefined> =>
  opened(file, async (handle) => {
    const blob = await describedBy(handle);
    await handle.close();
    return blob;
  });

export type OpenBlob = { blob: Blob; body: Readable };

/** The body is read as it is now, also when the file is replaced; the caller reads it or destroys it. */
export const openBlob = (file: string): Promise<OpenBlob | undefined> =>
  opened(file, async (handle) => {
    const blob = await describedBy(handle);
    if (blob.size > 0) {
      return { blob, body: handle.createReadStream({ end: blob.size - 1, highWaterMark: readBytes }) };
    }
    await handle.close();
    return { blob, body: Readable.from([]) };
  });
