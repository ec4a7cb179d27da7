import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { s3Client } from '../../../shared/platform/objects/s3-client.ts';
import { openEmbeddedS3 } from '../s3/embedded-s3.ts';
import type { ObjectCreated } from '../s3/object-created.ts';
import { WholeBucket } from './whole-bucket.ts';

export const bucketName = 'contact-files';
export const region = 'eu-west-1';
export const credentials = { accessKeyId: 'AKIALOCAL', secretAccessKey: 'local-secret' };

type Settings = { path?: string; onObjectCreated?: (event: ObjectCreated) => void };

/** An embedded S3 behind a real HTTP server and a client that talks to it in process; gone after the test. */
export const anObjectStore = async (settings: Settings = {}) => {
  const s3 = await openEmbeddedS3({ ...settings, bucket: bucketName, credentials, region });
  const server = createServer(s3.handleHttp).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = s3Client({
    ...{ region, endpoint, credentials, forcePathStyle: true },
    requestHandler: s3.requestHandler,
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await s3.close();
  });
  return { s3, endpoint, client, objects: new WholeBucket(client, bucketName) };
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
  const folder = await mkdtemp(path.join(os.tmpdir(), 'embedded-s3-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

export const filesIn = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile()).length;
