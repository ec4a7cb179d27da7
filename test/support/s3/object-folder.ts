import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Blob, commit, type OpenBlob, openBlob, readBlob, type Staged } from './blob-file.ts';
import { fileNameOf, keyOfFileName } from './file-name.ts';

/** Files opened at a time while listing. */
const listConcurrency = 64;

const byUtf8 = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The objects of the bucket, one file each in one folder. The disk is the only truth: nothing is cached. */
export class ObjectFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #file = (key: string) => path.join(this.#folder, fileNameOf(key));

  put(staged: Staged): Promise<void> {
    return commit(staged, this.#file(staged.blob.key));
  }

  head(key: string): Promise<Blob | undefined> {
    return readBlob(this.#file(key));
  }

  open(key: string): Promise<OpenBlob | undefined> {
    return openBlob(this.#file(key));
  }

  async delete(key: string): Promise<void> {
    await rm(this.#file(key), { force: true });
  }

  /** Keys below the prefix and after `after`, in the order of their UTF-8 bytes. */
  async keys(prefix: string, after = ''): Promise<string[]> {
    const keys: string[] = [];
    for (const name of await readdir(this.#folder)) {
      const key = keyOfFileName(name) ?? (await readBlob(path.join(this.#folder, name)))?.key;
      if (key?.startsWith(prefix) && (after === '' || byUtf8(key, after) > 0)) keys.push(key);
    }
    return keys.sort(byUtf8);
  }

  /** In the order of the keys; those deleted meanwhile are left out. */
  async describe(keys: readonly string[]): Promise<Blob[]> {
    const blobs: Blob[] = [];
    for (let from = 0; from < keys.length; from += listConcurrency) {
      const some = await Promise.all(keys.slice(from, from + listConcurrency).map((key) => this.head(key)));
      blobs.push(...some.filter((blob) => blob !== undefined));
    }
    return blobs;
  }
}
