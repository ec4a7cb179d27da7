import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { s3Client } from '../../../shared/platform/objects/s3-objects.ts';
import { embeddedS3, type ObjectCreated } from '../s3/embedded-s3.ts';
import { WholeBucket } from './whole-bucket.ts';

export const bucketName = 'contact-files';
export const region = 'eu-west-1';
export const credentials = { accessKeyId: 'AKIALOCAL', secretAccessKey: 'local-secret' };

/** An embedded S3 and a client that talks to it in process. */
export const anObjectStore = (onObjectCreated?: (event: ObjectCreated) => void) => {
  const { requestHandler } = embeddedS3(bucketName, onObjectCreated);
  const client = s3Client({
    ...{ region, endpoint: 'http://bucket.local', credentials, forcePathStyle: true },
    requestHandler,
  });
  return { client, objects: new WholeBucket(client, bucketName) };
};

/** Only so that a hang ends: no machine is that slow. */
const patienceMs = 600_000;

export const until = async (condition: () => boolean | Promise<boolean>) => {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

export const keysOf = async (objects: WholeBucket, prefix = ''): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix)) keys.push(key);
  return keys;
};

export const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'a-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

export const filesIn = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile()).length;
