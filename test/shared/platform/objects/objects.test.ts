import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf } from '../../../../shared/platform/objects/object-parts.ts';
import { getJson, type Objects } from '../../../../shared/platform/objects/objects.ts';
import { S3Objects, s3Client } from '../../../../shared/platform/objects/s3-objects.ts';
import { randomRuns } from '../../../support/run/extent.ts';
import { aLocalStore } from '../../../support/service/local-store.ts';
import {
  anObjectStore,
  bucketName,
  credentials,
  filesIn,
  keysOf,
  region,
} from '../../../support/service/object-store.ts';

const megabyte = 1024 * 1024;
const key = 'exports/1/k';

/** `count` chunks of 64 KB, all different. */
async function* chunks(count: number, onChunk: (index: number) => void | Promise<void> = () => {}) {
  for (let index = 0; index < count; index++) {
    await onChunk(index);
    const chunk = Buffer.alloc(64 * 1024, index % 251);
    chunk.writeUInt32BE(index);
    yield chunk;
  }
}

const down = new Error('the table is gone');
const failingAt = (failing: number) =>
  chunks(480, (index) => {
    if (index === failing) throw down;
  });

const signal = () => {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
};

const unfinishedUploads = async (client: S3Client) =>
  (await client.send(new ListMultipartUploadsCommand({ Bucket: bucketName }))).Uploads ?? [];

/** Each store, with the number of what it holds, finished or not. */
const stores: Record<string, () => Promise<{ objects: Objects; held: () => Promise<number> }>> = {
  'in S3': async () => {
    const { client, objects } = anObjectStore();
    const held = async () => (await keysOf(objects)).length + (await unfinishedUploads(client)).length;
    return { objects, held };
  },
  'in a folder': async () => {
    const { objects, folder } = await aLocalStore();
    return { objects, held: () => filesIn(folder) };
  },
};

describe.each(Object.entries(stores))('objects %s', (_, open) => {
  it('give back what was put, text and bytes, whole and in part, with its size', async () => {
    const { objects } = await open();
    for (const content of ['naïve text', Uint8Array.of(0, 255, 13, 10), '']) {
      await objects.put(key, content, 'text/plain; charset=utf-8');
      const bytes = Buffer.from(content as string);
      expect(Buffer.from(await objects.get(key))).toEqual(bytes);
      expect(await objects.head(key)).toMatchObject({ size: bytes.length });
    }
    await objects.put(key, 'abcdef', 'text/plain');
    const { body, size } = await objects.open(key, { start: 2, end: 5 });
    expect([(await buffer(body)).toString(), size]).toEqual(['cde', 3]);
  });

  it('say notFound for a missing object, and undefined for its head', async () => {
    const { objects } = await open();
    await objects.put('uploads/a/b', 'x', 'text/plain');
    for (const missing of ['uploads/none', 'uploads/none/b', 'uploads/a/b/c']) {
      await expect(objects.get(missing)).rejects.toMatchObject({ name: 'ServiceError', code: 'notFound' });
      await expect(objects.open(missing)).rejects.toMatchObject({ name: 'ServiceError', code: 'notFound' });
      expect(await objects.head(missing)).toBeUndefined();
    }
    expect(await objects.head('uploads/a')).toBeUndefined();
  });

  it('larger than maxBytes are not read, and those of exactly that size are', async () => {
    const { objects } = await open();
    await objects.put(key, Buffer.alloc(1001), 'application/octet-stream');
    await expect(objects.get(key, 1000)).rejects.toMatchObject({ code: 'tooLarge' });
    expect((await objects.get(key, 1001)).byteLength).toBe(1001);
  });

  it('stream out as they were when opened, also when replaced meanwhile', async () => {
    const { objects } = await open();
    const bytes = Buffer.alloc(3 * megabyte, 'abc');
    await objects.put(key, bytes, 'application/octet-stream');
    const { body, size } = await objects.open(key);
    await objects.put(key, 'other', 'application/octet-stream');
    expect(size).toBe(bytes.length);
    expect((await buffer(body)).equals(bytes)).toBe(true);
    expect(await objects.head(key)).toMatchObject({ size: 5 });
  });

  it('below a prefix are removed together, and no others', async () => {
    const { objects } = await open();
    const keys = ['uploads/1/a', 'uploads/1/b/c', 'uploads/12/a', 'imports/1/a'];
    for (const each of keys) await objects.put(each, 'x', 'text/plain');
    expect(await objects.removeAll('uploads/1/', () => false)).toBe(true);
    expect(await objects.removeAll('uploads/nothing/', () => false)).toBe(true);
    const left = await Promise.all(keys.map(async (each) => (await objects.head(each)) !== undefined));
    expect(left).toEqual([false, false, true, true]);
  });

  it.each([0, 1, 5 * megabyte, 10 * megabyte, 10 * megabyte + 1])(
    'are stored from a stream of %i bytes, byte for byte, and the size is answered',
    async (size) => {
      const { objects, held } = await open();
      const bytes = (await buffer(chunks(161))).subarray(0, size);
      const source = async function* () {
        for (let at = 0; at < size; at += 100_000) yield bytes.subarray(at, at + 100_000);
      };
      expect(await objects.putStream(key, source(), 'text/csv')).toBe(size);
      expect(Buffer.from(await objects.get(key)).equals(bytes)).toBe(true);
      expect(await held()).toBe(1);
    },
  );

  it.each([10, 400])('are left as they were when the source fails at chunk %i', async (failing) => {
    const { objects, held } = await open();
    await expect(objects.putStream(key, failingAt(failing), 'text/csv')).rejects.toThrow(down);
    expect(await held()).toBe(0);
    await objects.put(key, 'previous', 'text/csv');
    await expect(objects.putStream(key, failingAt(failing), 'text/csv')).rejects.toThrow(down);
    expect(Buffer.from(await objects.get(key)).toString()).toBe('previous');
    expect(await held()).toBe(1);
  });

  it('are not stored when the client goes while the source is silent, and the source is let go', async () => {
    const { objects, held } = await open();
    const controller = new AbortController();
    const spoke = signal();
    const released = signal();
    const source = async function* () {
      try {
        yield* chunks(400);
        setImmediate(() => controller.abort(new Error('the client went away')));
        await spoke.given;
      } finally {
        released.give();
      }
    };
    const upload = objects.putStream(key, source(), 'text/csv', { signal: controller.signal });
    await expect(upload).rejects.toThrow('the client went away');
    expect(await held()).toBe(0);
    spoke.give();
    await released.given;
  });

  it('are not stored when the client has gone already', async () => {
    const { objects, held } = await open();
    const gone = { signal: AbortSignal.abort(new Error('too late')) };
    await expect(objects.putStream(key, chunks(1), 'text/csv', gone)).rejects.toThrow('too late');
    expect(await held()).toBe(0);
  });
});

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

describe('objects in S3', () => {
  it('below a prefix are removed across pages; a run that must stop is continued by the next', async () => {
    const { client, objects } = anObjectStore();
    const inPages = through(client, (command, send) => {
      if (command.constructor.name === 'ListObjectsV2Command') Object.assign(command.input, { MaxKeys: 4 });
      return send();
    });
    const paged = new S3Objects(inPages, bucketName);
    const many = Array.from({ length: 10 }, (_, i) => `uploads/1/${i}`);
    for (const each of ['imports/1/a', ...many]) await objects.put(each, 'x', 'text/plain');
    let left = 3;
    expect(await paged.removeAll('uploads/1/', () => left-- <= 0)).toBe(false);
    expect(await keysOf(objects)).toHaveLength(1 + many.length - 2);
    expect(await paged.removeAll('uploads/1/', () => false)).toBe(true);
    expect(await keysOf(objects)).toEqual(['imports/1/a']);
  });

  it('do not count as missing when S3 fails', async () => {
    const broken = through(anObjectStore().client, () => Promise.reject(new Error('S3 is down')));
    const objects = new S3Objects(broken, bucketName);
    await expect(objects.head('k')).rejects.toThrow('S3 is down');
    await expect(getJson(async () => objects, 'k')).rejects.toThrow('S3 is down');
  });

  it('keep two parts in memory however large their stream is', async () => {
    let produced = 0;
    let stored = 0;
    let furthest = 0;
    const counting = through(anObjectStore().client, async ({ input }) => {
      // The source goes as far meanwhile as it is let.
      await turn();
      stored += input.Body?.byteLength ?? 0;
      return {};
    });
    const source = chunks(80 * 16, () => {
      produced += 64 * 1024;
      furthest = Math.max(furthest, produced - stored);
    });
    const size = await new S3Objects(counting, bucketName).putStream('big', source, 'text/csv');
    expect([size, stored]).toEqual([80 * megabyte, 80 * megabyte]);
    expect(furthest).toBeLessThanOrEqual(2 * 5 * megabyte + 64 * 1024);
  });

  it('are not stored when the client goes as soon as the last part is stored', async () => {
    const { client, objects } = anObjectStore();
    const controller = new AbortController();
    const gone = through(client, async ({ input }, send) => {
      const answer = await send();
      if (input.PartNumber === 2) controller.abort(new Error('the client went away'));
      return answer;
    });
    const upload = new S3Objects(gone, bucketName).putStream('k', chunks(100), 'text/csv', controller);
    await expect(upload).rejects.toThrow('the client went away');
    expect(await objects.head('k')).toBeUndefined();
    expect(await unfinishedUploads(client)).toEqual([]);
  });

  it.each([
    ['UploadPartCommand', 3],
    ['CompleteMultipartUploadCommand', undefined],
  ])('are not stored when S3 fails at %s while the source is slow', async (failing, partNumber) => {
    const { client, objects } = anObjectStore();
    const broken = through(client, async (command, send) => {
      if (command.constructor.name === failing && command.input.PartNumber === partNumber)
        throw new Error('S3 is down');
      return send();
    });
    const source = chunks(480, async (index) => {
      if (index % 128 === 64) await turn();
    });
    const upload = new S3Objects(broken, bucketName).putStream('k', source, 'text/csv');
    await expect(upload).rejects.toThrow('S3 is down');
    expect(await objects.head('k')).toBeUndefined();
    expect(await unfinishedUploads(client)).toEqual([]);
  });

  it('let go of their source when S3 fails before the first part', async () => {
    const broken = through(anObjectStore().client, async (command, send) => {
      if (command.constructor.name === 'CreateMultipartUploadCommand') throw new Error('S3 is down');
      return send();
    });
    let isLetGo = false;
    const source = async function* () {
      try {
        while (true) yield Buffer.alloc(megabyte);
      } finally {
        isLetGo = true;
      }
    };
    const upload = new S3Objects(broken, bucketName).putStream('k', source(), 'text/csv');
    await expect(upload).rejects.toThrow('S3 is down');
    await turn();
    expect(isLetGo).toBe(true);
  });

  it('are uploaded at an address that signs the exact length and no checksum of an empty body', async () => {
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

it('any chunks are cut into parts of one size without losing a byte', async () => {
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
