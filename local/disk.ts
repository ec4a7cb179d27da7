import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { log } from '../shared/platform/observability/log.ts';
import { ServiceError } from '../shared/platform/rules/errors.ts';

/** Makes one level at a time, because Node's own recursive mkdir never ends below /proc. */
export const makeFolder = async (folder: string): Promise<void> => {
  const absolute = path.resolve(folder);
  const parent = path.dirname(absolute);
  try {
    await mkdir(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(absolute)).isDirectory()) return;
    if (code !== 'ENOENT' || parent === absolute || (await exists(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(absolute);
  }
};

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Messages of Node.js, and of LevelDB, which has no codes. For a client a quota and a limit of file
 * sizes are the same.
 */
const words = /no space left on device|disk quota exceeded|file too large/i;

/** Whether the cause of a failed write is a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (words.test(error.message) || isDiskFull(error.cause));

/** The error for a client. */
export const storageFull = () =>
  new ServiceError('STORAGE_FULL', 'the disk of the service is full; retry when there is room');

export const logFullDisk = (folder: string) => log.error('the disk is full', { folder });

/**
 * Drafts are in `staging`. With `durable`, files are synced so that they outlive a crash of the
 * machine. `isFull`: the last file was refused because the disk was full, and that was logged.
 */
export type Disk = { staging: string; durable: boolean; isFull?: boolean };

export const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** For `catch`: returns the value in place of a file that does not exist. */
export const orIfMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeDraft = async (draft: string, chunks: AsyncIterable<Uint8Array>, durable: boolean) => {
  const file = await open(draft, 'wx');
  try {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      await file.writeFile(chunk);
    }
    if (durable) await file.sync();
    return size;
  } finally {
    await file.close();
  }
};

/** Makes the folder only if it is missing, because it usually exists. */
const moveTo = async (draft: string, target: string, durable: boolean): Promise<void> => {
  const folder = path.dirname(target);
  let made: string | undefined;
  await rename(draft, target).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    made = await mkdir(folder, { recursive: true });
    await rename(draft, target);
  });
  if (!durable) return;
  // A new folder is an entry of the folder above it, which must be synced too.
  const last = made === undefined ? folder : path.dirname(made);
  for (let at = folder; ; at = path.dirname(at)) {
    await syncFolder(at);
    if (at === last) return;
  }
};

/**
 * Readers see the previous file or the whole new one, also after a crash. If `chunks` throws,
 * nothing is left behind.
 * @returns the size in bytes
 * @throws ServiceError if the disk is full
 */
export const writeWhole = async (
  disk: Disk,
  target: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> => {
  const { staging, durable } = disk;
  const draft = path.join(staging, randomUUID());
  try {
    const size = await writeDraft(draft, chunks, durable);
    await moveTo(draft, target, durable);
    disk.isFull = false;
    return size;
  } catch (error) {
    await rm(draft, { force: true });
    if (!isDiskFull(error)) throw error;
    if (!disk.isFull) logFullDisk(path.dirname(target));
    disk.isFull = true;
    throw storageFull();
  }
};

export async function* inOneChunk(body: Uint8Array | string): AsyncGenerator<Uint8Array> {
  yield typeof body === 'string' ? Buffer.from(body) : body;
}
