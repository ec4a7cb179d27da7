import { createReadStream } from 'node:fs';
import { open, readdir, readFile, rm, rmdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { log, maskPhones } from '../../shared/observability/log.ts';
import { isContactFile } from '../../shared/transfer/import-objects.ts';
import { digestOf } from './drop-folder.ts';
import type { DropLedger } from './drop-ledger.ts';
import type { FolderObjects } from './folder-objects.ts';
import { orIfMissing } from './whole-file.ts';

/** `modified` in milliseconds since 1970. */
type Stored = { file: string; key: string; size: number; modified: number };
type Event = { detail: { object: { key: string; sequencer: string } } };

const lengthBytes = 4;
/** A key takes at most 2 KB as JSON and a content type 256 bytes. */
const trailerBytes = 4096;

/** An object was one file: its bytes, then a description as JSON, then the length of that JSON in four bytes. */
const describedBy = async (file: string): Promise<Stored> => {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, trailerBytes));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const end = tail.length - lengthBytes;
    const description = tail.toString('utf8', end - tail.readUInt32BE(end), end);
    return { ...(JSON.parse(description) as Omit<Stored, 'file'>), file };
  } finally {
    await handle.close();
  }
};

async function* bytesOf({ file, size }: Stored): AsyncGenerator<Uint8Array> {
  if (size > 0) yield* createReadStream(file, { end: size - 1 });
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(orIfMissing([]))).map((name) => path.join(folder, name));

/** Keys whose event had not been handled, with its sequencer: the import it began goes on under its id. */
const pendingIn = async (folder: string): Promise<Map<string, string>> => {
  const texts = await Promise.all((await filesIn(folder)).map((file) => readFile(file, 'utf8')));
  const events = texts.map((text) => (JSON.parse(text) as Event).detail.object);
  return new Map(
    events.sort((a, b) => (a.sequencer < b.sequencer ? -1 : 1)).map((e) => [e.key, e.sequencer]),
  );
};

/** False for a key that no file can have: operators could choose any. */
const isMoved = async (object: Stored, objects: FolderObjects): Promise<boolean> => {
  if (!objects.allows(object.key)) return false;
  try {
    await objects.putStream(object.key, bytesOf(object));
  } catch (error) {
    // A file has the name of a folder. Whatever else fails ends the start.
    if (['EEXIST', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
  await utimes(objects.fileOf(object.key), new Date(), new Date(object.modified));
  await rm(object.file);
  return true;
};

/**
 * Moves what version 0.2 kept in `s3/` to where this version looks for it. Broken off, it goes on at the
 * next start. Files that were imported are noted first, so that they are not imported again.
 */
export const moveObjectsOf02 = async (
  root: string,
  objects: FolderObjects,
  ledger: DropLedger,
): Promise<void> => {
  const folder = path.join(root, 's3');
  const stored: Stored[] = [];
  for (const file of await filesIn(path.join(folder, 'objects'))) stored.push(await describedBy(file));
  const pending = await pendingIn(path.join(folder, 'events'));
  for (const object of stored.filter(({ key }) => isContactFile(key) && objects.allows(key))) {
    const { key } = object;
    const drop = { sequencer: pending.get(key) ?? '', isImported: !pending.has(key) };
    ledger.drops.set(key, { ...drop, digest: await digestOf(bytesOf(object)) });
  }
  if (stored.length > 0) await ledger.save();
  for (const object of stored) {
    if (!(await isMoved(object, objects))) {
      log.error('an object of version 0.2 stays where it is', { key: maskPhones(object.key) });
    }
  }
  for (const part of ['events', 'uploads', 'staging']) {
    await rm(path.join(folder, part), { recursive: true, force: true });
  }
  // They stay while objects are left in them.
  for (const emptied of [path.join(folder, 'objects'), folder]) await rmdir(emptied).catch(() => {});
};
