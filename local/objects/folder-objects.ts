import { createHash } from 'node:crypto';
import { open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { importPrefix, uploadPrefix } from '../../shared/imports/import-objects.ts';
import { exportPrefix } from '../../shared/insight/export-file.ts';
import { untilAborted } from '../../shared/platform/objects/object-parts.ts';
import {
  type ByteRange,
  type Objects,
  type OpenObject,
  type PresignedUpload,
  readWhole,
  type UploadRequest,
} from '../../shared/platform/objects/objects.ts';
import { notFound } from '../../shared/platform/rules/errors.ts';
import { type Disk, inOneChunk, isMissing, orIfMissing, writeWhole } from '../disk.ts';

/** The data folder also has the table, which no key may reach. */
const prefixes = [importPrefix, uploadPrefix, exportPrefix];
/** Bytes; the limit of file systems. */
const longestName = 255;
const readBytes = 512 * 1024;

const isSafeName = (name: string) =>
  !['', '.', '..'].includes(name) && !name.includes('\0') && !name.includes(path.sep);

/** The report of a file with a very long name keeps the beginning and the end of that name. */
const nameOnDisk = (name: string): string => {
  if (Buffer.byteLength(name) <= longestName) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, 60)}-${digest}${name.slice(-12)}`;
};

type Dependencies = {
  /** The data folder, as an absolute path. */
  root: string;
  disk: Disk;
  signUpload: (request: UploadRequest) => PresignedUpload;
};

/** Objects as plain files: the key is the path below the data folder. */
export class FolderObjects implements Objects {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A key that leads out of the folders of objects is not allowed. */
  allows(key: string): boolean {
    return prefixes.some((prefix) => key.startsWith(prefix)) && key.split('/').every(isSafeName);
  }

  /** @throws Error for a key that is not allowed */
  fileOf(key: string): string {
    if (!this.allows(key)) throw new Error(`the key ${JSON.stringify(key)} is not allowed`);
    return path.join(this.#deps.root, ...key.split('/').map(nameOnDisk));
  }

  async put(key: string, body: Uint8Array | string): Promise<void> {
    await writeWhole(this.#deps.disk, this.fileOf(key), inOneChunk(body));
  }

  async putStream(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    _contentType?: string,
    { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
  ): Promise<number> {
    return writeWhole(this.#deps.disk, this.fileOf(key), untilAborted(chunks, signal));
  }

  async get(key: string, maxBytes?: number): Promise<Uint8Array> {
    return readWhole(await this.open(key), maxBytes);
  }

  /** Reads the file as it is now, even if it is replaced meanwhile. */
  async open(key: string, range?: ByteRange): Promise<OpenObject> {
    const handle = await open(this.fileOf(key), 'r').catch((error: unknown) => {
      throw isMissing(error) ? notFound('the file') : error;
    });
    const { size } = await handle.stat();
    const { start = 0, end = size } = range ?? {};
    const body = handle.createReadStream({ highWaterMark: readBytes, start, end: Math.max(0, end - 1) });
    return { body, size: Math.min(size, end) - start };
  }

  async head(key: string): Promise<{ size: number } | undefined> {
    const found = await stat(this.fileOf(key)).catch(orIfMissing(undefined));
    return found?.isFile() ? { size: found.size } : undefined;
  }

  async presignUpload(request: UploadRequest): Promise<PresignedUpload> {
    return this.#deps.signUpload(request);
  }

  async removeAll(prefix: string): Promise<boolean> {
    await rm(this.fileOf(prefix.slice(0, -1)), { recursive: true, force: true });
    return true;
  }

  /**
   * Replaces the lifecycle rules on AWS: removes the files below the prefix that are older than
   * `olderThanMs`.
   */
  async sweep(prefix: string, olderThanMs: number): Promise<void> {
    const before = Date.now() - olderThanMs;
    const folder = path.join(this.#deps.root, prefix);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(orIfMissing([]));
    for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
      const file = path.join(parentPath, name);
      if ((await stat(file)).mtimeMs >= before) continue;
      await rm(file, { force: true });
      // Fails while there are other files in it.
      await rmdir(parentPath).catch(() => {});
    }
  }
}
