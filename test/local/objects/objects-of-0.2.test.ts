import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Arrival } from '../../../local/objects/arrivals.ts';
import { DropLedger } from '../../../local/objects/drop-ledger.ts';
import { FolderObjects } from '../../../local/objects/folder-objects.ts';
import { moveObjectsOf02 } from '../../../local/objects/objects-of-0.2.ts';
import { log } from '../../../shared/observability/log.ts';
import { droppedImport } from '../../../shared/transfer/import-objects.ts';
import { dataFixtures } from '../../support/engines/data-folder.ts';
import { openDiskTable } from '../../support/engines/disk-table.ts';
import { listed, phones, sendFile } from '../../support/files/contact-files.ts';
import { stage } from '../../support/s3/blob-file.ts';
import { Bucket } from '../../support/s3/bucket.ts';
import { accessToken, startApi, succeeded } from '../../support/service/api.ts';
import { aLocalStore } from '../../support/service/local-store.ts';
import { aFolder, until } from '../../support/service/object-store.ts';

const hourMs = 3_600_000;

/** Writes objects as version 0.2 did, an hour ago, and events of those that were not handled. */
const write02 = async (
  dataDir: string,
  objects: Record<string, string>,
  sequencers: Record<string, string>,
) => {
  const bucket = await Bucket.open(path.join(dataDir, 's3'), () => {});
  for (const [key, text] of Object.entries(objects)) {
    const body = async function* () {
      yield Buffer.from(text);
    };
    const staged = await stage(bucket.staging, body(), ({ size, md5 }) => {
      const modified = Date.now() - hourMs;
      return { key, size, eTag: md5.toString('hex'), contentType: 'text/csv', modified };
    });
    await bucket.objects.put(staged);
  }
  const events = path.join(dataDir, 's3/events');
  await mkdir(events);
  for (const [i, [key, sequencer]] of Object.entries(sequencers).entries()) {
    const event = { id: String(i), detail: { object: { key, size: objects[key]?.length, sequencer } } };
    await writeFile(path.join(events, `${i}.json`), JSON.stringify(event));
  }
};

/** Whatever was to arrive before a file that is dropped now. */
const markArrives = async (dataDir: string, arrived: readonly Arrival[]) => {
  const mark = 'imports/1/mark.csv';
  await writeFile(path.join(dataDir, 'draft'), 'phoneNumber\n');
  await rename(path.join(dataDir, 'draft'), path.join(dataDir, mark));
  await until(() => arrived.some(({ key }) => key === mark));
  return arrived.filter(({ key }) => key !== mark);
};

/** Has room for that many objects. */
class FullDisk extends FolderObjects {
  #left: number;

  constructor(left: number, deps: ConstructorParameters<typeof FolderObjects>[0]) {
    super(deps);
    this.#left = left;
  }

  override async putStream(...args: Parameters<FolderObjects['putStream']>): Promise<number> {
    if (this.#left-- === 0) throw new Error('ENOSPC');
    return super.putStream(...args);
  }
}

const textOf = async (objects: { get: (key: string) => Promise<Uint8Array> }, key: string) =>
  Buffer.from(await objects.get(key)).toString();

it('moves the objects of a folder that 0.2.0 has written', async () => {
  const folder = path.join(await aFolder(), 'data');
  await cp(path.join(dataFixtures, '0.2.0'), folder, { recursive: true });
  const names = await readdir(path.join(folder, 's3/objects'));
  const { objects } = await aLocalStore({ dataDir: folder });
  expect(names).toHaveLength(3);
  const [file = '', rejected = '', report = ''] = names.map((name) => decodeURIComponent(name.slice(0, -7)));
  expect((await textOf(objects, file)).split('\r\n')).toHaveLength(301);
  expect(JSON.parse(await textOf(objects, rejected))).toMatchObject({ rows: [] });
  expect(JSON.parse(await textOf(objects, report))).toMatchObject({ status: 'DONE', importCount: 300 });
  expect(existsSync(path.join(folder, 's3'))).toBe(false);
  // The sweep of old files goes by it.
  expect((await stat(path.join(folder, file))).mtimeMs).toBeLessThan(Date.now() - hourMs);
});

it('imports files whose events were not handled, as the imports they were, and no others', async () => {
  const dataDir = await aFolder();
  const pending = { 'imports/1/new.csv': 'A1', 'imports/1/2024/deep.csv': 'A2', 'imports/1/gone.csv': 'A3' };
  await write02(
    dataDir,
    {
      'imports/1/new.csv': 'phoneNumber\n1\n',
      'imports/1/2024/deep.csv': 'phoneNumber\n2\n',
      'imports/1/done.csv': 'phoneNumber\n3\n',
      'imports/1/done.csv.result.json': '{}',
      'imports/1/empty.csv': '',
    },
    pending,
  );
  const arrived: Arrival[] = [];
  const onArrived = (arrival: Arrival) => void arrived.push(arrival);
  const { objects } = await aLocalStore({ dataDir, onArrived });
  const found = await markArrives(dataDir, arrived);
  expect(found.sort((a, b) => (a.sequencer < b.sequencer ? -1 : 1))).toEqual([
    { key: 'imports/1/new.csv', size: 14, sequencer: 'A1' },
    { key: 'imports/1/2024/deep.csv', size: 14, sequencer: 'A2' },
  ]);
  expect(await textOf(objects, 'imports/1/done.csv')).toBe('phoneNumber\n3\n');
  expect(await textOf(objects, 'imports/1/empty.csv')).toBe('');
});

it('leaves objects whose keys no file can have, and says so', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const dataDir = await aFolder();
  const odd = ['kept/june.csv', 'imports/1/../../escape.csv'];
  // Only one of them finds its place: a name is a file's or a folder's.
  const pair = ['imports/1/a.csv', 'imports/1/a.csv/b.csv'];
  const keys = ['uploads/1/a', ...odd, ...pair];
  await write02(dataDir, Object.fromEntries(keys.map((key) => [key, key])), {
    'imports/1/../../escape.csv': 'A1',
  });
  const { objects } = await aLocalStore({ dataDir });
  expect(logged.mock.calls.map(([message]) => message)).toEqual(
    Array(3).fill('an object of version 0.2 stays where it is'),
  );
  expect(await textOf(objects, 'uploads/1/a')).toBe('uploads/1/a');
  const found = await Promise.all(pair.map((key) => objects.head(key)));
  expect(found.filter((each) => each !== undefined)).toHaveLength(1);
  expect(await readdir(path.join(dataDir, 's3/objects'))).toHaveLength(3);
});

it('goes on where it was broken off', async () => {
  const dataDir = await aFolder();
  const keys = ['imports/1/done.csv', 'imports/1/new.csv', 'uploads/1/a', 'uploads/1/b'];
  await write02(dataDir, Object.fromEntries(keys.map((key) => [key, key])), { 'imports/1/new.csv': 'A1' });
  for (let moved = 0; moved < keys.length; moved++) {
    const root = path.join(await aFolder(), 'copy');
    await cp(dataDir, root, { recursive: true });
    const disk = { staging: path.join(root, 'staging'), durable: false };
    await mkdir(disk.staging);
    const full = new FullDisk(moved, { root, disk, signUpload: () => expect.unreachable() });
    await expect(moveObjectsOf02(root, full, await DropLedger.open(root, disk))).rejects.toThrow('ENOSPC');

    const arrived: Arrival[] = [];
    const onArrived = (arrival: Arrival) => void arrived.push(arrival);
    const { objects } = await aLocalStore({ dataDir: root, onArrived });
    for (const key of keys) expect(await textOf(objects, key)).toBe(key);
    expect(await markArrives(root, arrived)).toMatchObject([{ key: 'imports/1/new.csv', sequencer: 'A1' }]);
  }
});

describe('a service over the data folder of version 0.2', () => {
  const aService = async (dataDir: string) => {
    const api = await startApi({ dataDir, engine: { open: () => openDiskTable(dataDir) } });
    onTestFinished(() => api.stop());
    return api;
  };

  /** Objects of today where version 0.2 would have them. */
  const into02 = async (dataDir: string) => {
    const objects: Record<string, string> = {};
    for (const folder of ['imports', 'uploads']) {
      const place = path.join(dataDir, folder);
      const entries = await readdir(place, { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((each) => each.isFile())) {
        const file = path.join(entry.parentPath, entry.name);
        objects[path.relative(dataDir, file)] = await readFile(file, 'utf8');
      }
      await rm(place, { recursive: true });
    }
    return objects;
  };

  it('ends imports whose files have arrived and answers reports and rejected rows', async () => {
    const dataDir = await aFolder();
    const before = await aService(dataDir);
    const id = String((await before.aDataSource()).id);
    const base = `/api/dataSource/${id}/contact`;
    const waiting = succeeded(await before.post(`${base}/importUpload`, { fileName: 'x.csv', fileSize: 16 }));
    await sendFile(before, id, Buffer.from('phoneNumber,plan\n456,gold\nbad,silver\n'));
    const [done] = succeeded(await before.get(`${base}/imports`)).rows as unknown as { importId: string }[];
    await before.stop();
    const uploaded = `imports/${id}/${waiting.importId}/x.csv`;
    const dropped = `imports/${id}/dropped.csv`;
    await write02(
      dataDir,
      { ...(await into02(dataDir)), [uploaded]: 'phoneNumber\n123\n', [dropped]: 'phoneNumber\n789\n' },
      { [uploaded]: 'A1', [dropped]: 'A2' },
    );

    const api = await aService(dataDir);
    const importOf = async (importId: unknown) => {
      const answer = await api.get(`${base}/import/${importId}`);
      return answer.status === 404 ? undefined : succeeded(answer);
    };
    const { importId } = droppedImport(dropped, 'A2');
    for (const each of [waiting.importId, importId]) {
      await until(async () => (await importOf(each))?.status === 'DONE');
    }
    expect(phones(await listed(api, id)).sort()).toEqual(['123', '456', '789']);
    expect(await importOf(done?.importId)).toMatchObject({
      status: 'DONE',
      details: [{ row: 3, phoneNumber: 'bad', code: 'INVALID_PHONE' }],
    });
    const rejected = await fetch(`${api.url}${base}/import/${done?.importId}/rejected?format=csv`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(await rejected.text()).toContain('bad,silver');
  });
});
