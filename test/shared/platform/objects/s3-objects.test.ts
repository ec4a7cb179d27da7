import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf } from '../../../../shared/platform/objects/object-parts.ts';
import { s3Client } from '../../../../shared/platform/objects/s3-client.ts';
import { S3Objects } from '../../../../shared/platform/objects/s3-objects.ts';
import { randomRuns } from '../../../support/run/extent.ts';
import { stage } from '../../../support/s3/blob-file.ts';
import { Bucket } from '../../../support/s3/bucket.ts';
import {
  aFolder,
  anObjectStore,
  bucketName,
  credentials,
  keysOf,
  region,
} from '../../../support/service/object-store.ts';

const megabyte = 1024 * 1024;

const unfinishedUploads = async (client: S3Client) =>
  (await client.send(new ListMultipartUploadsCommand({ Bucket: bucketName }))).Uploads ?? [];

/** `count` chunks of 64 KB, all different. */
async function* chunks(count: number, onChunk: (index: number) => void | Promise<void> = () => {}) {
  for (let index = 0; index < count; index++) {
    await onChunk(index);
    const chunk = Buffer.alloc(64 * 1024, index % 251);
    chunk.writeUInt32BE(index);
    yield chunk;
  }
}

type Command = { input: { Body?: Uint8Array; PartNumber?: number } };

/** A client whose commands pass `around`, which sends them. */
const through = (
  client: S3Client,
  around: (command: Command, send: () => Promise<object>) => Promise<object>,
): S3Client =>
  new Proxy(client, {
    get: (target, name) =>
      name !== 'send'
        ? Reflect.get(target, name)
        : (command: Command, options: object) =>
            around(command, () => target.send(command as never, options) as Promise<object>),
  });

/** As it is after a put of each key: the way there, an event for each among it, costs ten times as much. */
const aFolderOf = async (keys: readonly string[]): Promise<string> => {
  const folder = await aFolder();
  const { staging, objects } = await Bucket.open(folder, () => {});
  const body = async function* (key: string) {
    yield Buffer.from(key);
  };
  for (const key of keys) {
    const staged = await stage(staging, body(key), ({ size, md5 }) => {
      return { key, size, eTag: md5.toString('hex'), contentType: 'text/plain', modified: Date.now() };
    });
    await objects.put(staged);
  }
  return folder;
};

describe('objects', () => {
  it('gives back what was put, text and bytes, with size and ETag', async () => {
    const { objects } = await anObjectStore();
    await objects.put('a/text.txt', 'naïve text', 'text/plain; charset=utf-8');
    await objects.put('a/bytes', Uint8Array.of(0, 255, 13, 10), 'application/octet-stream');
    await objects.put('a/empty', '', 'text/plain');
    expect(Buffer.from(await objects.get('a/text.txt')).toString()).toBe('naïve text');
    expect([...(await objects.get('a/bytes'))]).toEqual([0, 255, 13, 10]);
    expect((await objects.get('a/empty')).byteLength).toBe(0);
    const md5 = createHash('md5').update('naïve text').digest('hex');
    expect(await objects.head('a/text.txt')).toEqual({ size: 11, eTag: `"${md5}"` });
  });

  it('says notFound for a missing object, undefined for its head, and deletes it without complaint', async () => {
    const { objects } = await anObjectStore();
    await expect(objects.get('none')).rejects.toMatchObject({ name: 'ServiceError', code: 'notFound' });
    await expect(objects.open('none')).rejects.toMatchObject({ name: 'ServiceError', code: 'notFound' });
    expect(await objects.head('none')).toBeUndefined();
    await objects.delete('none');
    await objects.put('some', 'x', 'text/plain');
    await objects.delete('some');
    expect(await objects.head('some')).toBeUndefined();
  });

  it('refuses to read an object larger than maxBytes, and reads one of exactly that size', async () => {
    const { objects } = await anObjectStore();
    await objects.put('big', Buffer.alloc(1001), 'application/octet-stream');
    await expect(objects.get('big', 1000)).rejects.toMatchObject({ code: 'tooLarge' });
    expect((await objects.get('big', 1001)).byteLength).toBe(1001);
  });

  it('streams an object out', async () => {
    const { objects } = await anObjectStore();
    const bytes = Buffer.alloc(3 * megabyte, 'abc');
    await objects.put('stream', bytes, 'application/octet-stream');
    const { body, size } = await objects.open('stream');
    expect(size).toBe(bytes.length);
    expect((await buffer(body)).equals(bytes)).toBe(true);
  });

  it('lists every object below a prefix across pages, in order', async () => {
    const keys = Array.from({ length: 1203 }, (_, i) => `list/${String(i).padStart(5, '0')}`);
    const { objects } = await anObjectStore({ path: await aFolderOf(keys) });
    await objects.put('other/1', 'x', 'text/plain');
    expect(await keysOf(objects, 'list/')).toEqual(keys);
    expect(await keysOf(objects, 'list/0120')).toEqual(keys.slice(1200));
    expect(await keysOf(objects)).toHaveLength(1204);
  });
});

describe('objects below a prefix', () => {
  it('are removed across pages, and no others; a run that must stop is continued by the next', async () => {
    const many = Array.from({ length: 1_005 }, (_, i) => `uploads/1/${i}`);
    const others = ['imports/1/a', 'uploads/12/a'];
    const { objects } = await anObjectStore({ path: await aFolderOf([...many, ...others]) });
    let left = 3;
    expect(await objects.removeAll('uploads/1/', () => left-- <= 0)).toBe(false);
    expect((await keysOf(objects)).length).toBe(many.length + others.length - 2);
    expect(await objects.removeAll('uploads/1/', () => false)).toBe(true);
    expect(await keysOf(objects)).toEqual(others);
  });
});

describe('streamed uploads', () => {
  it('stores 30 MB as a multipart upload, byte for byte, and answers the size', async () => {
    const { objects, client } = await anObjectStore();
    const hash = createHash('sha256');
    const source = async function* () {
      for await (const chunk of chunks(480)) {
        hash.update(chunk);
        yield chunk;
      }
    };
    expect(await objects.putStream('export.csv', source(), 'text/csv')).toBe(30 * megabyte);
    const head = await objects.head('export.csv');
    expect(head?.size).toBe(30 * megabyte);
    expect(head?.eTag).toMatch(/^"[\da-f]{32}-6"$/);
    const stored = createHash('sha256').update(await objects.get('export.csv'));
    expect(stored.digest('hex')).toBe(hash.digest('hex'));
    expect(await unfinishedUploads(client)).toEqual([]);
  });

  it('keeps two parts in memory however large the stream is', async () => {
    const { client } = await anObjectStore();
    let produced = 0;
    let stored = 0;
    let furthest = 0;
    const counting = through(client, async ({ input }, send) => {
      await sleep(20);
      const answer = await send();
      stored += input.Body?.byteLength ?? 0;
      return answer;
    });
    let peak = 0;
    const before = process.memoryUsage().arrayBuffers;
    const source = chunks(160 * 16, () => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
      produced += 64 * 1024;
      furthest = Math.max(furthest, produced - stored);
    });
    const size = await new S3Objects(counting, bucketName).putStream('big', source, 'text/csv');
    expect(size).toBe(160 * megabyte);
    expect(stored).toBe(size);
    expect(furthest).toBeLessThanOrEqual(2 * 5 * megabyte + 64 * 1024);
    expect(peak).toBeLessThan(100 * megabyte);
  });

  it.each([0, 1, 8 * megabyte, 8 * megabyte + 1])('stores %i bytes', async (size) => {
    const { objects, client } = await anObjectStore();
    const source = async function* () {
      yield Buffer.alloc(size, 7);
    };
    expect(await objects.putStream('k', source(), 'text/csv')).toBe(size);
    expect((await objects.get('k')).byteLength).toBe(size);
    expect(await unfinishedUploads(client)).toEqual([]);
  });

  it.each([10, 400])('leaves nothing when the source fails at chunk %i', async (failing) => {
    const { objects, client } = await anObjectStore();
    const source = chunks(480, (index) => {
      if (index === failing) throw new Error('the table is gone');
    });
    await expect(objects.putStream('k', source, 'text/csv')).rejects.toThrow('the table is gone');
    expect(await objects.head('k')).toBeUndefined();
    expect(await unfinishedUploads(client)).toEqual([]);
  });

  it('leaves nothing when the signal fires, even while the source is silent, and lets go of the source', async () => {
    const { objects, client } = await anObjectStore();
    const controller = new AbortController();
    const woken = new AbortController();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const source = async function* () {
      try {
        yield* chunks(400);
        setImmediate(() => controller.abort(new Error('the client went away')));
        await sleep(60_000, undefined, { signal: woken.signal }).catch(() => {});
      } finally {
        release();
      }
    };
    const upload = objects.putStream('k', source(), 'text/csv', { signal: controller.signal });
    await expect(upload).rejects.toThrow('the client went away');
    expect(await objects.head('k')).toBeUndefined();
    expect(await unfinishedUploads(client)).toEqual([]);
    woken.abort();
    await released;
  });

  it('leaves nothing when the signal fires as soon as the last part is stored', async () => {
    const { client, objects } = await anObjectStore();
    const controller = new AbortController();
    const gone = through(client, async ({ input }, send) => {
      const answer = await send();
      if (input.PartNumber === 2) controller.abort(new Error('the client went away'));
      return answer;
    });
    const { signal } = controller;
    const upload = new S3Objects(gone, bucketName).putStream('k', chunks(100), 'text/csv', { signal });
    await expect(upload).rejects.toThrow('the client went away');
    expect(await objects.head('k')).toBeUndefined();
    expect(await unfinishedUploads(client)).toEqual([]);
  });

  it('does not begin when the signal has fired already', async () => {
    const { objects } = await anObjectStore();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(objects.putStream('k', chunks(1), 'text/csv', { signal })).rejects.toThrow('too late');
    expect(await objects.head('k')).toBeUndefined();
  });

  it.each([
    ['UploadPartCommand', 3],
    ['CompleteMultipartUploadCommand', undefined],
  ])('leaves nothing when S3 fails at %s while the source is slow', async (failing, partNumber) => {
    const { client, objects } = await anObjectStore();
    const broken = through(client, async (command, send) => {
      if (command.constructor.name === failing && command.input.PartNumber === partNumber)
        throw new Error('S3 is down');
      return send();
    });
    const source = chunks(480, async (index) => {
      if (index % 128 === 64) await sleep(100);
    });
    const upload = new S3Objects(broken, bucketName).putStream('k', source, 'text/csv');
    await expect(upload).rejects.toThrow('S3 is down');
    expect(await objects.head('k')).toBeUndefined();
    expect(await unfinishedUploads(client)).toEqual([]);
  });

  it('cuts any chunks into parts of one size without losing a byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 16 }),
        async (pieces, partSize) => {
          const source = async function* () {
            yield* pieces;
          };
          const parts: Uint8Array[] = [];
          let previous: Uint8Array = new Uint8Array();
          for await (const part of partsOf(source(), partSize)) {
            // Being sent while this one was filled.
            expect(Uint8Array.from(previous)).toEqual(parts.at(-1) ?? new Uint8Array());
            previous = part;
            parts.push(Uint8Array.from(part));
          }
          expect(Buffer.concat(parts).equals(Buffer.concat(pieces))).toBe(true);
          expect(parts.slice(0, -1).every((part) => part.byteLength === partSize)).toBe(true);
          expect(parts.at(-1)?.byteLength).toBeLessThanOrEqual(partSize);
          if (parts.length > 1) expect(parts.at(-1)?.byteLength).toBeGreaterThan(0);
        },
      ),
      randomRuns(100),
    );
  });
});

describe('presigned uploads', () => {
  it('sign the exact length and carry no checksum of an empty body, on AWS too', async () => {
    const objects = new S3Objects(s3Client({ region, credentials }), bucketName);
    const upload = await objects.presignUpload({
      key: 'imports/1/a b.csv',
      size: 123,
      expiresInSeconds: 900,
      contentType: 'text/csv',
    });
    const url = new URL(upload.url);
    expect(url.host).toBe(`${bucketName}.s3.${region}.amazonaws.com`);
    expect(url.pathname).toBe('/imports/1/a%20b.csv');
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('900');
    expect([...url.searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
    expect(upload.method).toBe('PUT');
    expect(upload.headers).toEqual({ 'content-length': '123', 'content-type': 'text/csv' });
  });
});
