import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { importPrefix } from '../../shared/imports/import-objects.ts';
import type { Objects } from '../../shared/platform/objects/objects.ts';
import type { Instant } from '../../shared/platform/time/time.ts';
import { inMemory } from '../settings.ts';
import { type ArrivalHandler, Arrivals } from './arrivals.ts';
import { DropFolder, DropLedger } from './drop-folder.ts';
import { FolderObjects } from './folder-objects.ts';
import { SignedUploads } from './signed-uploads.ts';

type Settings = {
  dataDir: string;
  origin: string;
  accessToken: string;
  now: () => Instant;
  /** How often the drop folder is read. */
  scanMs?: number;
};

export type LocalObjects = {
  objects: Objects;
  /**
   * Takes the file of a request to an upload address.
   * @returns undefined for a request to another address
   */
  takeUpload: (
    request: IncomingMessage,
    url: URL,
  ) => Promise<{ statusCode: number; body: string } | undefined>;
  /** Passes on files that arrive, by upload or in the drop folder, each at least once. */
  start: (onArrived: ArrivalHandler) => void;
  sweep: (prefix: string, olderThanMs: number) => Promise<void>;
  /** Waits for the handlers that are running. Close the HTTP server first. */
  close: () => Promise<void>;
};

type ObjectFolder = { root: string; durable: boolean; remove: () => Promise<void> };

/**
 * A service without a data folder has a temporary one, because a second kind of storage would
 * behave differently.
 */
const folderIn = async (dataDir: string): Promise<ObjectFolder> => {
  if (dataDir !== inMemory) return { root: path.resolve(dataDir), durable: true, remove: async () => {} };
  const root = await mkdtemp(path.join(os.tmpdir(), 'outbound-objects-'));
  const removeAtExit = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const remove = async () => {
    process.off('exit', removeAtExit);
    // A request that broke off may still be writing.
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  return { root, durable: false, remove };
};

/** For one process at a time, because drafts in the folder are taken for the remains of a crash. */
export const openLocalObjects = async (settings: Settings): Promise<LocalObjects> => {
  const { dataDir, origin, accessToken, now, scanMs = 1000 } = settings;
  const { root, durable, remove } = await folderIn(dataDir);
  const disk = { staging: path.join(root, 'staging'), durable };
  await rm(disk.staging, { recursive: true, force: true });
  for (const folder of [disk.staging, path.join(root, importPrefix)])
    await mkdir(folder, { recursive: true });
  const uploads = new SignedUploads({ origin, secret: accessToken, now });
  const objects = new FolderObjects({ root, disk, signUpload: (request) => uploads.sign(request) });
  const ledger = await DropLedger.open(root, disk);
  let arrivals: Arrivals | undefined;
  let drops: DropFolder | undefined;
  return {
    objects,
    takeUpload: async (request, url) => {
      const upload = await uploads.receive(request, url, (key, chunks) => objects.putStream(key, chunks));
      if (upload === undefined) return undefined;
      arrivals?.deliver({ ...upload, sequencer: '' });
      return { statusCode: 200, body: '' };
    },
    start: (onArrived) => {
      arrivals = new Arrivals(onArrived);
      drops = new DropFolder({ root, objects, ledger, arrivals, now, scanMs });
    },
    sweep: (prefix, olderThanMs) => objects.sweep(prefix, olderThanMs),
    close: async () => {
      await drops?.stop();
      await arrivals?.close();
      await remove();
    },
  };
};
