import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Blob, commit, openBlob, readBlob, type Staged, stage } from './blob-file.ts';
import { S3Error } from './s3-error.ts';
import { noBody } from './s3-request.ts';
import type { PartReference } from './xml.ts';

export type Upload = { uploadId: string; key: string; contentType: string; initiated: number };

const minPartBytes = 5 * 1024 * 1024;
const uploadIdForm = /^[\da-f]{32}$/;
const head = 'upload';

const uploadOf = (uploadId: string, { key, contentType, modified }: Blob): Upload => ({
  uploadId,
  key,
  contentType,
  initiated: modified,
});

const noSuchUpload = () =>
  new S3Error('NoSuchUpload', 'The specified upload does not exist. It may have been aborted or completed.');

const invalidPart = (partNumber: number) =>
  new S3Error('InvalidPart', `Part ${partNumber} was not found or its ETag differs.`);

/** Unfinished uploads: a folder each, with a head that says what for and one file a part. */
export class MultipartUploads {
  readonly #staging: string;
  readonly #folder: string;

  constructor(staging: string, folder: string) {
    this.#staging = staging;
    this.#folder = folder;
  }

  #path = (uploadId: string, file = '') => path.join(this.#folder, uploadId, file);
  #part = (uploadId: string, number: number) => this.#path(uploadId, String(number).padStart(5, '0'));

  async create(key: string, contentType: string): Promise<string> {
    const uploadId = randomUUID().replaceAll('-', '');
    const modified = Date.now();
    const staged = await stage(this.#staging, noBody(), () => ({
      key,
      size: 0,
      eTag: '',
      contentType,
      modified,
    }));
    await mkdir(this.#path(uploadId));
    await commit(staged, this.#path(uploadId, head));
    return uploadId;
  }

  /** @throws S3Error NoSuchUpload */
  async find(uploadId: string, key: string): Promise<Upload> {
    const blob = uploadIdForm.test(uploadId) ? await readBlob(this.#path(uploadId, head)) : undefined;
    if (blob?.key !== key) throw noSuchUpload();
    return uploadOf(uploadId, blob);
  }

  /** @throws S3Error NoSuchUpload, when the upload ended while the part was on its way */
  async putPart(uploadId: string, number: number, staged: Staged): Promise<void> {
    await rename(staged.path, this.#part(uploadId, number)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? noSuchUpload() : error;
    });
  }

  /** The whole object, staged; the upload stays until it is removed. */
  async assemble({ uploadId, key, contentType }: Upload, parts: PartReference[]): Promise<Staged> {
    await this.#check(uploadId, parts);
    const md5s = Buffer.concat(parts.map(({ eTag }) => Buffer.from(eTag, 'hex')));
    const eTag = `${createHash('md5').update(md5s).digest('hex')}-${parts.length}`;
    return stage(this.#staging, this.#bytesOf(uploadId, parts), ({ size }) => ({
      key,
      size,
      eTag,
      contentType,
      modified: Date.now(),
    }));
  }

  async #check(uploadId: string, parts: PartReference[]): Promise<void> {
    if (parts.some(({ partNumber }, index) => partNumber <= (parts[index - 1]?.partNumber ?? 0))) {
      throw new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order.');
    }
    for (const [index, { partNumber, eTag }] of parts.entries()) {
      const blob = await readBlob(this.#part(uploadId, partNumber));
      if (blob?.eTag !== eTag) throw invalidPart(partNumber);
      if (blob.size < minPartBytes && index < parts.length - 1) {
        throw new S3Error('EntityTooSmall', 'Every part but the last must have at least 5 MB.');
      }
    }
  }

  async *#bytesOf(uploadId: string, parts: PartReference[]): AsyncGenerator<Uint8Array> {
    for (const { partNumber } of parts) {
      const part = await openBlob(this.#part(uploadId, partNumber));
      if (part === undefined) throw noSuchUpload();
      yield* part.body;
    }
  }

  async remove(uploadId: string): Promise<void> {
    await rm(this.#path(uploadId), { recursive: true, force: true });
  }

  async list(prefix: string): Promise<Upload[]> {
    const uploads: Upload[] = [];
    for (const uploadId of await readdir(this.#folder)) {
      const blob = await readBlob(this.#path(uploadId, head));
      // Without a head it is being created or removed right now.
      if (blob?.key.startsWith(prefix)) uploads.push(uploadOf(uploadId, blob));
    }
    return uploads.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.initiated - b.initiated));
  }
}
