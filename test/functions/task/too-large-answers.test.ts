import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { withFiles } from '../../../shared/app/runtime/files.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import type { ByteRange, OpenObject } from '../../../shared/platform/objects/objects.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { directoryPages } from '../../support/engines/seed-contacts.ts';
import { expectError, useApi } from '../../support/service/api.ts';
import { anObjectStore, bucketName } from '../../support/service/object-store.ts';
import { WholeBucket } from '../../support/service/whole-bucket.ts';

/** Keeps what was opened of it. */
class WatchedBucket extends WholeBucket {
  readonly opened: Readable[] = [];

  override async open(key: string, range?: ByteRange): Promise<OpenObject> {
    const found = await super.open(key, range);
    this.opened.push(found.body);
    return found;
  }
}

describe('more contacts than one answer can cover', () => {
  const api = useApi();

  /** Only its directory has them: an answer that reads contacts would find none. */
  const aListOf = async (count: number) => {
    const id = String((await api.aDataSource()).id);
    await api.database.putAll([...directoryPages(id, count)]);
    return id;
  };

  it('are refused by a pre-flight, which names the way round', async () => {
    const dataSourceId = await aListOf(4_000_001);
    const answer = await api.post('/api/task/preflight', { taskName: 'large', dataSourceId });
    expectError(answer, 413, /4000001 contacts.* split the list/);
  });

  it('are refused by an export, which names the way round', async () => {
    const id = await aListOf(1_200_001);
    const answer = await api.get(`/api/dataSource/${id}/contact/batchExport?format=csv`);
    expectError(answer, 413, /1200001 contacts.* page by page/);
  });
});

describe('a file that is too large for one answer', () => {
  const api = useApi();
  const day = Date.UTC(2026, 4, 4);

  const exportersFor = async (fileBytesAtMost: number) => {
    const { database } = api;
    const objects = new WatchedBucket(anObjectStore().client, bucketName);
    const stores = createRuntime(serviceSettings({}), database);
    const files = withFiles(stores, { database, objects: async () => objects, fileBytesAtMost });
    return { ...files, objects };
  };

  it('is refused before a call is read, by the number of calls in the time that is asked for', async () => {
    const { tasks, callExporter } = await exportersFor(200_000_000);
    const task = await tasks.find(String((await api.aTask()).id));
    await api.database.put({ ...keys.timelineDay(task.id, day), q4s: 400_000, q5f: 200_000, q5d: 9_000_000 });
    await expect(callExporter.callsOf(task, { format: 'csv' })).rejects.toMatchObject({
      word: 'FILE_TOO_LARGE',
      message: 'the file has 201 MB, and an answer at most 200: export a shorter time, with from and to',
    });
    const hour = 3_600_000;
    // A stretch that begins within the hours of the calls has all of them.
    await expect(callExporter.callsOf(task, { format: 'csv', from: day + 1.2 * hour })).rejects.toThrow(
      /201 MB/,
    );
    for (const part of [
      { format: 'excel' as const },
      { format: 'csv' as const, from: day + 3 * hour },
      { format: 'csv' as const, to: day + hour },
    ])
      (await callExporter.callsOf(task, part)).body.destroy();
  });

  it('is refused by its size, where that could not be foreseen', async () => {
    const { dataSources, exporter, objects } = await exportersFor(120);
    const source = await dataSources.find(String((await api.aDataSource()).id));
    const exported = exporter.contactsOf(source, { format: 'csv' });
    (await exported).body.destroy();
    await api.aContact(source.id, { phoneNumber: '13800000000', customerName: 'n'.repeat(40) });
    await expect(exporter.contactsOf(source, { format: 'csv' })).rejects.toThrow(/split the list/);
    // What stays open keeps a connection to the bucket, or the file in local mode.
    expect(objects.opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });
});
