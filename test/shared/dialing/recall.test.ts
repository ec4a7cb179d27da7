import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { splitCounter } from '../../../shared/dialing/split-counters.ts';
import { shards } from '../../../shared/dialing/task-counters.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  newId,
  reportAll,
  type Service,
  second,
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { openDialing, type RunningTaskSettings } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { atEveryCall, watchedBy } from '../../support/engines/overtaken.ts';
import { sizeOf } from '../../support/run/extent.ts';
import { between } from '../../support/service/crash-point.ts';

describe.each(engines)('recall on $name', ({ open, sized }) => {
  let table: OpenTable;
  let database: Database;
  let service: Service;
  const publish = openDialing('all', { open }, (opened, its) => {
    [table, database, service] = [opened, opened.database, its];
  });
  const running = (settings: RunningTaskSettings = {}) => publish({ maxDialCount: 1, ...settings });
  const ids = (task: { dataSourceId: string }, ...seqs: number[]) =>
    seqs.map((seq) => contactId(task.dataSourceId, seq));

  it('under many dialers calls exactly those again that it answers', async () => {
    const contactCount = sizeOf(40, sized(100, 12));
    const task = await running({ contactCount, callInterval: 0 });
    const dialers = Array.from({ length: sizeOf(8, sized(16, 4)) }, () => aService(database));
    const calls: LeasedCall[] = [];
    const answered: string[] = [];
    const dial = async (dialer: Service) => {
      for (let idle = 0; idle < 3; ) {
        const leased = await leaseFrom(dialer, task, start, { limit: 3 });
        idle = leased.length === 0 ? idle + 1 : 0;
        calls.push(...leased);
        await reportAll(dialer, leased, 'failed', start);
      }
    };
    const recall = async (times: number) => {
      for (let at = 0; at < times; at++) {
        const { recallCount, recallIds } = await service.dialer.recalls.recall(
          task.id,
          { priority: 5 },
          start,
        );
        expect(recallIds).toHaveLength(recallCount);
        answered.push(...recallIds);
      }
    };
    await Promise.all([...dialers.map(dial), recall(sized(6, 3))]);
    await dial(service);
    const again = calls.map((call) => call.contactId).sort();
    expect(again).toEqual(
      [...ids(task, ...Array.from({ length: contactCount }, (_, seq) => seq)), ...answered].sort(),
    );
  });

  it.each([
    [0, [], [0, 1]],
    [2, [0], [1]],
  ])(
    'includes what failed after a recall that %d others overtook and whose process died',
    async (others, before, after) => {
      const task = await running({ contactCount: 2, callInterval: 0 });
      const [one, other] = await leaseFrom(service, task, start);
      await reportAll(service, [one!], 'failed', start);
      const recall = (by = service) => by.dialer.recalls.recall(task.id, { priority: 5 }, start);
      const overtake = async () => {
        for (let at = 0; at < others; at++) await recall();
      };
      let overtaking: Promise<void> | undefined;
      const dying = watchedBy(table, async ({ name, written }) => {
        if (name === 'TransactWrite') throw new Error('the process ended');
        if (written.length === 0) return;
        overtaking ??= overtake();
        await overtaking;
      });
      await expect(recall(aService(dying))).rejects.toThrow('ended');
      await reportAll(service, [other!], 'failed', start);
      expect(seqsOf(await leaseFrom(service, task, start))).toEqual(before);
      expect(await recall()).toMatchObject({ recallCount: after.length });
      expect(seqsOf(await leaseFrom(service, task, start))).toEqual(after);
    },
  );

  it('lists what failed though the index shows it a moment later', async () => {
    const task = await running({ contactCount: 2 });
    await reportAll(service, await leaseFrom(service, task, start), 'failed', start);
    let readsThatLag = 4;
    const index = between(table.client, (send) => async (command) => {
      const answer = await send(command);
      const lags = 'IndexName' in (command.input as object) && readsThatLag-- > 0;
      return lags ? { ...answer, Items: [] } : answer;
    });
    const { recallIds } = await service.dialer.recalls.recall(task.id, { priority: 5 }, start);
    index.restore();
    expect(recallIds).toEqual(ids(task, 0, 1));
  });

  it('leaves out the rows of an import that has not ended', async () => {
    const task = await running({ contactCount: 1 });
    const { dataSourceId } = task;
    const { importRecords, importedContacts } = openStores(database);
    const file = { importId: newId(), objectKey: 'x', fileName: 'x', fileSize: 1, createTime: start };
    await importRecords.create({ dataSourceId, ...file });
    const hold = { owner: 'one', now: start, until: start + hour };
    const { import: held } = await importRecords.begin(dataSourceId, file.importId, hold);
    const rows = [{ line: 2, phoneNumber: '13900000000', fields: {} }];
    const { reservation } = await importedContacts.writeRows(held, { rows, importCount: 1 }, start);
    const contactIds = ids(task, reservation!.firstSeq);
    const recalled = await service.dialer.recalls.recall(task.id, { contactIds, priority: 5 }, start);
    expect(recalled).toEqual({ recallCount: 0, recallIds: [] });
  });
});

it('a recall that overtakes another one calls each failed contact again, and once', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const settings = { contactCount: 3, maxDialCount: 1, callInterval: 0 };
    const task = await aRunningTask(table.database, service, settings);
    await reportAll(service, await leaseFrom(service, task, start), 'failed', start);
    const recall = (by: Service) => by.dialer.recalls.recall(task.id, { priority: 5 }, start + second);
    overtake(() => recall(service));
    await recall(aService(slow));
    const calls = await leaseFrom(service, task, start + minute);
    expect(seqsOf(calls)).toEqual([0, 1, 2]);
    await reportAll(service, calls, 'failed', start + minute);
    expect(await leaseFrom(service, task, start + hour)).toEqual([]);
  });
});

it.each([false, true])(
  'a recall calls those again that it answers, wherever it overtakes a result; split: %s',
  async (isSplit) => {
    await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
      const service = aService(table.database);
      const settings = { contactCount: shards + 1, maxDialCount: 1, callInterval: 0 };
      const task = await aRunningTask(table.database, service, settings);
      const calls = await leaseFrom(service, task, start, { limit: shards + 1 });
      if (isSplit) await splitCounter(table.database, { taskId: task.id, seq: 0 });
      await reportAll(service, calls.slice(0, 1), 'failed', start);
      let recalled: string[] = [];
      overtake(async () => {
        recalled = (await service.dialer.recalls.recall(task.id, { priority: 5 }, start)).recallIds;
      });
      await reportAll(aService(slow), calls.slice(shards), 'failed', start);
      const again = await leaseFrom(service, task, start + second);
      expect(again.map(({ contactId }) => contactId)).toEqual(recalled);
    });
  },
);

it('a contact that a recall has queued is called, wherever the process of the recall dies', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2, maxDialCount: 1 });
    const [called] = await leaseFrom(service, task, start, { leaseSeconds: 3600 });
    await reportAll(service, [called!], 'failed', start);
    overtake(() => Promise.reject(new Error('the process ended')));
    const recall = { contactIds: [called!.contactId], priority: 1 };
    await aService(slow)
      .dialer.recalls.recall(task.id, recall, start)
      .catch(({ message }) => expect(message).toBe('the process ended'));
    const [contact] = await openStores(table.database).taskContacts.read(task.id, [0]);
    const calls = await leaseFrom(service, undefined, start + minute);
    expect(seqsOf(calls)).toEqual(contact?.state === 'waiting' ? [0] : []);
  });
});
