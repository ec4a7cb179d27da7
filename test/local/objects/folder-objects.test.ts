import { createHash } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLocalObjects } from '../../../local/objects/local-objects.ts';
import { reportKey } from '../../../shared/imports/import-objects.ts';
import { aLocalStore } from '../../support/service/local-store.ts';
import { aFolder, filesIn } from '../../support/service/object-store.ts';

const megabyte = 1024 * 1024;
const minute = 60_000;

/** `count` chunks of 64 KB, all different. */
async function* chunks(count: number, onChunk: (index: number) => void | Promise<void> = () => {}) {
  for (let index = 0; index < count; index++) {
    await onChunk(index);
    const chunk = Buffer.alloc(64 * 1024, index % 251);
    chunk.writeUInt32BE(index);
    yield chunk;
  }
}

describe('objects in a folder', () => {
  it('give back what was put, text and bytes, with its size', async () => {
    const { objects } = await aLocalStore();
    await objects.put('uploads/a/text.txt', 'naïve text', 'text/plain; charset=utf-8');
    await objects.put('uploads/a/bytes', Uint8Array.of(0, 255, 13, 10), 'application/octet-stream');
    await objects.put('uploads/a/empty', '', 'text/plain');
    expect(Buffer.from(await objects.get('uploads/a/text.txt')).toString()).toBe('naïve text');
    expect([...(await objects.get('uploads/a/bytes'))]).toEqual([0, 255, 13, 10]);
    expect((await objects.get('uploads/a/empty')).byteLength).toBe(0);
    expect(await objects.head('uploads/a/text.txt')).toEqual({ size: 11 });
  });

  it('are plain files, at the path of their key below the data folder', async () => {
    const { objects, folder } = await aLocalStore();
    await objects.put('imports/1/june.csv.result.json', '{}', 'application/json');
    expect(await readdir(path.join(folder, 'imports/1'))).toEqual(['june.csv.result.json']);
    await writeFile(path.join(folder, 'imports/1/july.csv'), 'phoneNumber\n');
    expect(Buffer.from(await objects.get('imports/1/july.csv')).toString()).toBe('phoneNumber\n');
  });

  it('say notFound for a missing object and undefined for its head, also where a folder lies', async () => {
    const { objects } = await aLocalStore();
    await objects.put('uploads/a/b', 'x', 'text/plain');
    for (const key of ['uploads/none', 'uploads/none/b', 'uploads/a/b/c']) {
      await expect(objects.get(key)).rejects.toMatchObject({ name: 'ServiceError', code: 'notFound' });
      await expect(objects.open(key)).rejects.toMatchObject({ name: 'ServiceError', code: 'notFound' });
      expect(await objects.head(key)).toBeUndefined();
    }
    expect(await objects.head('uploads/a')).toBeUndefined();
  });

  it('larger than maxBytes are not read, and those of exactly that size are', async () => {
    const { objects } = await aLocalStore();
    await objects.put('uploads/big', Buffer.alloc(1001), 'application/octet-stream');
    await expect(objects.get('uploads/big', 1000)).rejects.toMatchObject({ code: 'tooLarge' });
    expect((await objects.get('uploads/big', 1001)).byteLength).toBe(1001);
  });

  it('stream out as they were when opened, also when replaced meanwhile', async () => {
    const { objects } = await aLocalStore();
    const bytes = Buffer.alloc(3 * megabyte, 'abc');
    await objects.put('exports/1/stream', bytes, 'application/octet-stream');
    const { body, size } = await objects.open('exports/1/stream');
    await objects.put('exports/1/stream', 'other', 'application/octet-stream');
    expect(size).toBe(bytes.length);
    expect((await buffer(body)).equals(bytes)).toBe(true);
    expect(await objects.head('exports/1/stream')).toEqual({ size: 5 });
  });

  it('put many times at once hold one whole object', async () => {
    const { objects, folder } = await aLocalStore();
    const keys = Array.from({ length: 20 }, (_, i) => `uploads/same/${i}`);
    const bodies = Array.from({ length: 12 }, (_, i) => Buffer.alloc(20_000 + i, i));
    await Promise.all(keys.flatMap((key) => bodies.map((body) => objects.put(key, body, 'text/plain'))));
    for (const key of keys) {
      const stored = Buffer.from(await objects.get(key));
      expect(bodies.some((body) => body.equals(stored))).toBe(true);
    }
    expect(await filesIn(folder)).toBe(keys.length);
  });

  it('older than an age are swept below a prefix, with the folders they leave empty', async () => {
    const { objects, folder, sweep } = await aLocalStore();
    const keys = ['exports/1/old', 'exports/2/new', 'uploads/1/old', 'uploads/1/new', 'imports/1/old'];
    for (const key of keys) await objects.put(key, 'x', 'text/plain');
    const then = new Date(Date.now() - 10 * minute);
    for (const key of keys.filter((each) => each.endsWith('old')))
      await utimes(path.join(folder, key), then, then);
    await sweep('exports/', 5 * minute);
    await sweep('uploads/', 5 * minute);
    expect(await readdir(path.join(folder, 'exports'), { recursive: true })).toEqual(['2', '2/new']);
    expect(await readdir(path.join(folder, 'uploads'), { recursive: true })).toEqual(['1', '1/new']);
    expect(await objects.head('imports/1/old')).toBeDefined();
    await objects.put('exports/1/old', 'x', 'text/plain');
    expect(await objects.head('exports/1/old')).toBeDefined();
  });
});

describe('objects below a prefix', () => {
  it('are removed together, and no others', async () => {
    const { objects } = await aLocalStore();
    const keys = ['uploads/1/a', 'uploads/1/b/c', 'uploads/12/a', 'imports/1/a'];
    for (const key of keys) await objects.put(key, 'x', 'text/plain');
    expect(await objects.removeAll('uploads/1/', () => false)).toBe(true);
    expect(await objects.removeAll('uploads/nothing/', () => false)).toBe(true);
    const left = await Promise.all(keys.map(async (key) => (await objects.head(key)) !== undefined));
    expect(left).toEqual([false, false, true, true]);
  });
});

describe('keys', () => {
  it('that lead out of the folders of objects are refused, and nothing is written', async () => {
    const parent = await aFolder();
    const folder = path.join(parent, 'data');
    await mkdir(folder);
    const { objects } = await aLocalStore({ dataDir: folder });
    const hostile = [
      ...[
        '',
        '.',
        '..',
        '/etc/passwd',
        '../../escape',
        'dynamodb/CURRENT',
        'format.json',
        'uploads',
        'uploads/',
      ],
      ...[
        'uploads/..',
        'uploads/../format.json',
        'uploads/../../escape',
        'uploads//etc/passwd',
        'uploads/./a',
      ],
      ...['uploads/a/../../../b', 'uploads/nul\0', 'Uploads/a', 'imports/1/..'],
    ];
    for (const key of hostile) {
      await expect(objects.put(key, 'x', 'text/plain')).rejects.toThrow('is not allowed');
      await expect(objects.putStream(key, chunks(1), 'text/plain')).rejects.toThrow('is not allowed');
      await expect(objects.get(key)).rejects.toThrow('is not allowed');
      await expect(objects.head(key)).rejects.toThrow('is not allowed');
    }
    expect(await readdir(parent)).toEqual(['data']);
    expect(await filesIn(folder)).toBe(0);
  });

  it('may hold what names of files may hold', async () => {
    const { objects, folder } = await aLocalStore();
    const names = [
      ...[
        '~',
        'con',
        "it's (1)*!",
        'tab\there',
        'line\r\nend',
        '😀',
        '<&>"',
        '%2e%2e%2f',
        '...',
        '.hidden',
        'a\\..\\b',
      ],
      ...['x'.repeat(255), `${'y'.repeat(254)}1`, `${'y'.repeat(254)}2`],
    ];
    for (const name of names) await objects.put(`uploads/1/${name}`, name, 'text/plain');
    for (const name of names) {
      expect(Buffer.from(await objects.get(`uploads/1/${name}`)).toString()).toBe(name);
    }
    expect((await readdir(path.join(folder, 'uploads/1'))).sort()).toEqual(names.sort());
  });

  it('of reports are shortened where a file system has no room for the name', async () => {
    const { objects, folder } = await aLocalStore();
    const names = ['x'.repeat(255), `${'y'.repeat(254)}1`, `${'y'.repeat(254)}2`, '表'.repeat(85)];
    for (const name of names) await objects.put(reportKey(`imports/1/${name}`), name, 'text/plain');
    for (const name of names) {
      expect(Buffer.from(await objects.get(reportKey(`imports/1/${name}`))).toString()).toBe(name);
    }
    const written = await readdir(path.join(folder, 'imports/1'));
    expect(written).toHaveLength(names.length);
    for (const name of written) expect(name).toMatch(/^(x+|y+|表+)-[0-9a-f]{16}\.result\.json$/);
  });
});

describe('streamed objects', () => {
  it('are stored byte for byte, and the size is answered', async () => {
    const { objects } = await aLocalStore();
    const hash = createHash('sha256');
    const source = async function* () {
      for await (const chunk of chunks(160)) {
        hash.update(chunk);
        yield chunk;
      }
    };
    expect(await objects.putStream('exports/1/e.csv', source(), 'text/csv')).toBe(10 * megabyte);
    const stored = createHash('sha256').update(await objects.get('exports/1/e.csv'));
    expect(stored.digest('hex')).toBe(hash.digest('hex'));
  });

  it.each([0, 1])('of %i bytes are stored', async (size) => {
    const { objects } = await aLocalStore();
    const source = async function* () {
      yield Buffer.alloc(size, 7);
    };
    expect(await objects.putStream('exports/1/k', source(), 'text/csv')).toBe(size);
    expect((await objects.get('exports/1/k')).byteLength).toBe(size);
  });

  it('leave nothing when the source fails, and the previous object stays', async () => {
    const { objects, folder } = await aLocalStore();
    const failing = () =>
      chunks(48, (index) => {
        if (index === 40) throw new Error('the table is gone');
      });
    await expect(objects.putStream('exports/1/k', failing(), 'text/csv')).rejects.toThrow(
      'the table is gone',
    );
    expect(await filesIn(folder)).toBe(0);
    await objects.put('exports/1/k', 'previous', 'text/csv');
    await expect(objects.putStream('exports/1/k', failing(), 'text/csv')).rejects.toThrow(
      'the table is gone',
    );
    expect(Buffer.from(await objects.get('exports/1/k')).toString()).toBe('previous');
    expect(await filesIn(folder)).toBe(1);
  });

  it('leave nothing when the signal fires, even while the source is silent, and let go of the source', async () => {
    const { objects, folder } = await aLocalStore();
    const controller = new AbortController();
    const woken = new AbortController();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const source = async function* () {
      try {
        yield* chunks(40);
        setImmediate(() => controller.abort(new Error('the client went away')));
        await sleep(60_000, undefined, { signal: woken.signal }).catch(() => {});
      } finally {
        release();
      }
    };
    const upload = objects.putStream('exports/1/k', source(), 'text/csv', { signal: controller.signal });
    await expect(upload).rejects.toThrow('the client went away');
    expect(await filesIn(folder)).toBe(0);
    woken.abort();
    await released;
  });

  it('do not begin when the signal has fired already', async () => {
    const { objects, folder } = await aLocalStore();
    const signal = AbortSignal.abort(new Error('too late'));
    const upload = objects.putStream('exports/1/k', chunks(1), 'text/csv', { signal });
    await expect(upload).rejects.toThrow('too late');
    expect(await filesIn(folder)).toBe(0);
  });
});

describe('the folder', () => {
  it('is rid of drafts that a crash has left', async () => {
    const folder = await aFolder();
    await mkdir(path.join(folder, 'staging'));
    await writeFile(path.join(folder, 'staging', 'draft'), 'half a fi');
    await aLocalStore({ dataDir: folder });
    expect(await filesIn(folder)).toBe(0);
  });

  it('of a service without a data folder is gone after close()', async () => {
    // Where no other test makes one meanwhile.
    const parent = await aFolder();
    vi.stubEnv('TMPDIR', parent);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await openLocalObjects({
      dataDir: ':memory:',
      origin: '',
      accessToken: 'x',
      now: Date.now,
    });
    store.start(() => {});
    await store.objects.put('uploads/k', 'x', 'text/plain');
    expect(await readdir(parent)).toEqual([expect.stringMatching(/^outbound-objects-/)]);
    await store.close();
    expect(await readdir(parent)).toEqual([]);
  });
});
