import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ObjectCreated } from '../../local/s3/object-created.ts';
import { log } from '../../shared/observability/log.ts';
import {
  aFolder,
  anObjectStore,
  anUpload,
  bucketName,
  filesIn,
  region,
  until,
} from '../support/service/object-store.ts';
import { programOf } from '../support/service/program.ts';

const silenceErrors = () => {
  vi.spyOn(log, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
};

describe('"Object Created" events', () => {
  it('have the shape of EventBridge, for a put over HTTP and for a multipart upload', async () => {
    const events: ObjectCreated[] = [];
    const { objects } = await anObjectStore({ onObjectCreated: (event) => void events.push(event) });
    const key = 'imports/ds 1/ä.csv';
    const { url } = await objects.presignUpload(anUpload(key, 3));
    await fetch(url, { method: 'PUT', body: 'abc' });
    await until(() => events.length === 1);
    expect(events[0]).toEqual({
      version: '0',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      'detail-type': 'Object Created',
      source: 'aws.s3',
      account: expect.stringMatching(/^\d{12}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region,
      resources: [`arn:aws:s3:::${bucketName}`],
      detail: {
        version: '0',
        bucket: { name: bucketName },
        object: {
          key,
          size: 3,
          etag: '900150983cd24fb0d6963f7d28e17f72',
          sequencer: expect.stringMatching(/^[\dA-F]{16}$/),
        },
        'request-id': expect.any(String),
        requester: expect.stringMatching(/^\d{12}$/),
        'source-ip-address': '127.0.0.1',
        reason: 'PutObject',
      },
    });
    const source = async function* () {
      yield Buffer.alloc(9 * 1024 * 1024);
    };
    await objects.putStream('big', source(), 'text/csv');
    await until(() => events.length === 2);
    expect(events[1]?.detail.reason).toBe('CompleteMultipartUpload');
    expect(events[1]?.detail.object.size).toBe(9 * 1024 * 1024);
  });

  it('are tried three times and then again at the next start', async () => {
    const folder = await aFolder();
    silenceErrors();
    let tries = 0;
    const first = await anObjectStore({
      path: folder,
      onObjectCreated: () => {
        tries++;
        throw new Error('no table yet');
      },
    });
    await first.objects.put('k', 'x', 'text/plain');
    await until(() => tries === 3);
    await sleep(100);
    expect(tries).toBe(3);
    await first.s3.close();

    const handled: ObjectCreated[] = [];
    const second = await anObjectStore({
      path: folder,
      onObjectCreated: (event) => void handled.push(event),
    });
    await until(() => handled.length === 1);
    await second.s3.close();
    expect(handled[0]?.detail.object.key).toBe('k');
    expect(await filesIn(path.join(folder, 'events'))).toBe(0);
  });

  it('survive kill -9 between the answer to the put and the end of the handler', async () => {
    const folder = await aFolder();
    const script = await programOf('test/support/service/put-and-hang.ts');
    const child = spawn(process.execPath, [script, folder, bucketName, 'imports/1/f.csv'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const handled: ObjectCreated[] = [];
    const { objects } = await anObjectStore({ path: folder, onObjectCreated: (e) => void handled.push(e) });
    await until(() => handled.length === 1);
    expect(handled[0]?.detail.object).toMatchObject({ key: 'imports/1/f.csv', size: 12 });
    expect(Buffer.from(await objects.get('imports/1/f.csv')).toString()).toBe('acknowledged');
  });

  it('whose handler runs while close() is called are waited for, and the handler may use the store', async () => {
    let finished = false;
    const store: { objects?: Awaited<ReturnType<typeof anObjectStore>>['objects'] } = {};
    let started = false;
    const { objects, s3 } = await anObjectStore({
      onObjectCreated: async ({ detail }) => {
        if (detail.object.key !== 'k') return;
        started = true;
        await sleep(50);
        await store.objects?.put('k.result.json', '{}', 'application/json');
        finished = true;
      },
    });
    store.objects = objects;
    await objects.put('k', 'x', 'text/plain');
    await until(() => started);
    await s3.close();
    expect(finished).toBe(true);
    await expect(objects.head('k')).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  });

  it('of a put that died before its object appeared are not delivered', async () => {
    const folder = await aFolder();
    silenceErrors();
    const first = await anObjectStore({
      path: folder,
      onObjectCreated: () => {
        throw new Error('not now');
      },
    });
    await first.objects.put('gone', 'x', 'text/plain');
    await first.objects.put('here', 'x', 'text/plain');
    await first.s3.close();
    await rm(path.join(folder, 'objects', 'gone.object'));
    const handled: string[] = [];
    await anObjectStore({ path: folder, onObjectCreated: (e) => void handled.push(e.detail.object.key) });
    await until(async () => handled.length > 0 && (await filesIn(path.join(folder, 'events'))) === 0);
    expect(handled).toEqual(['here']);
  });
});
