import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLocalObjects } from '../../../local/objects/local-objects.ts';
import { reportKey } from '../../../shared/imports/import-objects.ts';
import { aLocalStore } from '../../support/service/local-store.ts';
import { aFolder, filesIn } from '../../support/service/object-store.ts';

const minute = 60_000;

async function* anything() {
  yield Buffer.from('x');
}

describe('objects in a folder', () => {
  it('are plain files, at the path of their key below the data folder', async () => {
    const { objects, folder } = await aLocalStore();
    await objects.put('imports/1/june.csv.result.json', '{}', 'application/json');
    expect(await readdir(path.join(folder, 'imports/1'))).toEqual(['june.csv.result.json']);
    await writeFile(path.join(folder, 'imports/1/july.csv'), 'phoneNumber\n');
    expect(Buffer.from(await objects.get('imports/1/july.csv')).toString()).toBe('phoneNumber\n');
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
      await expect(objects.putStream(key, anything(), 'text/plain')).rejects.toThrow('is not allowed');
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
