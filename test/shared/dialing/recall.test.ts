import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/open-stores.ts';
import type { LeasedCall } from '../../../shared/calls/rules.ts';
import { contactId } from '../../../shared/contacts/rules.ts';
import { readTallies } from '../../../shared/dialing/index.ts';
import { shards, splitCounter } from '../../../shared/dialing/records/task-counters.ts';
import type { Database } from '../../../shared/platform/table/index.ts';
import { status } from '../../../shared/tasks/rules.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
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
  const find = ({ id }: { id: string }) => service.tasks.find(id);
  /** Contacts 0, 1 and 2 end with success, failed and no answer: the task is complete. */
  const completed = async (settings: RunningTaskSettings = {}) => {
    const task = await running(settings);
    const calls = await leaseFrom(service, task, start);
    await reportAll(service, calls.slice(0, 1), 'success', start);
    await reportAll(service, calls.slice(1, 2), 'failed', start);
    await reportAll(service, calls.slice(2), 'noAnswer', start);
    expect(await find(task)).toMatchObject({ status: status.completed });
    return task;
  };

  it('without ids calls every failed contact again and brings the task back', async () => {
    const task = await completed({ callInterval: 10 });
    expect(await openStores(database).taskContacts.failed(task.id, 0, 1)).toEqual([1]);
    const later = start + hour;
    expect(await service.dialer.recalls.recall(task.id, { priority: 5 }, later)).toEqual({
      recallCount: 2,
      recallIds: ids(task, 1, 2),
    });
    expect(await find(task)).toMatchObject({ status: status.running, endTime: null, contactCount: null });
    const calls = await leaseFrom(service, task, later);
    expect(calls.map(({ attempt, priority }) => [attempt, priority])).toEqual([
      [1, 5],
      [1, 5],
    ]);
    expect(seqsOf(calls)).toEqual([1, 2]);
    expect(await reportAll(service, calls, 'success', later)).toContainEqual(
      expect.objectContaining({ final: true, taskStatus: status.completed }),
    );
    expect((await readTallies(service.database, [task.id])).get(task.id)).toMatchObject({
      callCount: 5,
      successCount: 3,
    });
  });

  it('counts the contacts that it lists, also while results come in', async () => {
    const dialer = aService(database);
    const contactCount = sizeOf(20, sized(40, 10));
    for (let round = 0; round < sizeOf(2, 3); round++) {
      const task = await running({ contactCount, callInterval: 0 });
      const calls = await leaseFrom(service, task, start, { limit: contactCount });
      const [some, others] = [calls.slice(0, contactCount / 2), calls.slice(contactCount / 2)];
      await reportAll(dialer, some, 'failed', start);
      const reports = others.map((call) => reportAll(dialer, [call], 'failed', start));
      const { recallCount, recallIds } = await service.dialer.recalls.recall(task.id, { priority: 5 }, start);
      expect(recallIds).toHaveLength(recallCount);
      await Promise.all(reports);
      const called = await leaseFrom(service, task, start, { limit: 100 });
      expect(ids(task, ...seqsOf(called))).toEqual(expect.arrayContaining(recallIds));
    }
  });

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

  it('can be repeated: what failed again is called again, what waits to be called is not counted twice', async () => {
    const task = await completed({ callInterval: 0 });
    await service.dialer.recalls.recall(task.id, { priority: 5 }, start + 1);
    const none = { recallCount: 0, recallIds: [] };
    expect(await service.dialer.recalls.recall(task.id, { priority: 5 }, start + 1)).toEqual(none);
    const [call] = await leaseFrom(service, task, start + 1, { limit: 1 });
    await reportAll(service, [call!], 'failed', start + 2);
    expect(await service.dialer.recalls.recall(task.id, { priority: 2 }, start + 3)).toEqual({
      recallCount: 1,
      recallIds: [call?.contactId],
    });
    const calls = await leaseFrom(service, task, start + 3);
    expect(seqsOf(calls)).toEqual([1, 2]);
    expect(calls.map(({ priority }) => priority)).toEqual([2, 5]);
    await reportAll(service, calls, 'noAnswer', start + 4);
    expect(await find(task)).toMatchObject({ status: status.completed, endTime: start + 4 });
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
    const task = await completed();
    let readsThatLag = 4;
    const index = between(table.client, (send) => async (command) => {
      const answer = await send(command);
      const lags = 'IndexName' in (command.input as object) && readsThatLag-- > 0;
      return lags ? { ...answer, Items: [] } : answer;
    });
    const { recallIds } = await service.dialer.recalls.recall(task.id, { priority: 5 }, start);
    index.restore();
    expect(recallIds).toEqual(ids(task, 1, 2));
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

  it('with ids calls contacts again whatever their outcome, with a fresh allowance', async () => {
    const task = await completed({ callInterval: 0 });
    const contactIds = ids(task, 2, 0, 2);
    expect(await service.dialer.recalls.recall(task.id, { contactIds, priority: 4 }, start + 1)).toEqual({
      recallCount: 2,
      recallIds: ids(task, 2, 0),
    });
    expect(await find(task)).toMatchObject({ status: status.running, endTime: null });
    const calls = await leaseFrom(service, task, start + 1);
    expect(calls.map(({ attempt, priority }) => [attempt, priority])).toEqual([
      [1, 4],
      [1, 4],
    ]);
    expect(seqsOf(calls)).toEqual([0, 2]);
    await reportAll(service, calls, 'failed', start + 2);
    expect(await find(task)).toMatchObject({ status: status.completed });
    expect(await service.dialer.recalls.recall(task.id, { priority: 4 }, start + 3)).toMatchObject({
      recallCount: 3,
    });
  });

  it('leaves out contacts in a call right now, but not those whose lease ran out', async () => {
    const task = await running({ contactCount: 2 });
    await leaseFrom(service, task, start, { limit: 1, leaseSeconds: 10 });
    const recall = { contactIds: ids(task, 0, 1), priority: 5 };
    expect(await service.dialer.recalls.recall(task.id, recall, start)).toEqual({
      recallCount: 1,
      recallIds: ids(task, 1),
    });
    expect(await service.dialer.recalls.recall(task.id, recall, start + 10 * second)).toMatchObject({
      recallCount: 2,
    });
    const calls = await leaseFrom(service, task, start + 10 * second);
    expect(seqsOf(calls)).toEqual([0, 1]);
    await reportAll(service, calls, 'success', start + 10 * second);
    expect(await find(task)).toMatchObject({ status: status.completed });
  });

  it('of all contacts before their turn ends the task with the last of their results', async () => {
    const task = await running({ contactCount: 2, priority: 2 });
    await service.dialer.recalls.recall(task.id, { contactIds: ids(task, 1, 0), priority: 1 }, start);
    const calls = await leaseFrom(service, task, start, { limit: 2 });
    expect(seqsOf(calls).sort()).toEqual([0, 1]);
    await reportAll(service, calls.slice(0, 1), 'success', start);
    const [last] = await reportAll(service, calls.slice(1), 'success', start);
    expect(last).toMatchObject({ final: true, taskStatus: status.completed });
    expect(await find(task)).toMatchObject({ status: status.completed, contactCount: 2 });
  });

  it('of contacts never dialed calls each once, ahead of the others', async () => {
    const third = sized(40, 8);
    const recalledTo = 2.5 * third;
    const all = Array.from({ length: 3 * third }, (_, i) => i);
    const task = await running({ contactCount: all.length, priority: 3 });
    const contactIds = ids(task, ...all.slice(third, recalledTo));
    await service.dialer.recalls.recall(task.id, { contactIds, priority: 1 }, start);
    const seqs: number[] = [];
    for (let i = 0; i < 4; i++) {
      const calls = await leaseFrom(service, task, start, { limit: third });
      seqs.push(...seqsOf(calls));
      await reportAll(service, calls, 'success', start);
    }
    expect(seqs.slice(0, third).every((seq) => seq >= third && seq < recalledTo)).toBe(true);
    expect(seqs.sort((a, b) => a - b)).toEqual(all);
    expect(await find(task)).toMatchObject({ status: status.completed });
  });

  it('of an id that is no contact of the data source is invalid and queues nothing', async () => {
    const task = await completed();
    const other = await completed();
    const next = await service.contacts.nextSeq(task.dataSourceId);
    const strangers = [...ids(task, next, 999), ...ids(other, 1), 'x', ''];
    for (const stranger of strangers) {
      const recall = service.dialer.recalls.recall(
        task.id,
        { contactIds: [...ids(task, 1), stranger], priority: 5 },
        start,
      );
      await expect(recall).rejects.toMatchObject({ code: 'invalid', errors: [{ field: 'contactIds' }] });
    }
    expect(await find(task)).toMatchObject({ status: status.completed });
  });

  it('of deleted contacts leaves these out', async () => {
    const task = await completed();
    await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 2), start);
    const recall = { contactIds: ids(task, 2, 1), priority: 5 };
    expect(await service.dialer.recalls.recall(task.id, recall, start)).toEqual({
      recallCount: 1,
      recallIds: ids(task, 1),
    });
  });

  it('leaves out contacts that were deleted', async () => {
    const task = await completed();
    await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 1), start);
    expect(await service.dialer.recalls.recall(task.id, { priority: 5 }, start + hour)).toEqual({
      recallCount: 1,
      recallIds: ids(task, 2),
    });
    const calls = await leaseFrom(service, task, start + hour);
    expect(seqsOf(calls)).toEqual([2]);
    await reportAll(service, calls, 'success', start + hour);
    expect(await find(task)).toMatchObject({ status: status.completed });
  });

  it('that finds nothing to call lets an ended task run until a dialer sees its end', async () => {
    const task = await running({ contactCount: 1 });
    await reportAll(service, await leaseFrom(service, task, start), 'success', start);
    expect(await service.dialer.recalls.recall(task.id, { priority: 5 }, start)).toEqual({
      recallCount: 0,
      recallIds: [],
    });
    expect(await find(task)).toMatchObject({ status: status.running, endTime: null });
    expect(await leaseFrom(service, task, start + 1)).toEqual([]);
    expect(await find(task)).toMatchObject({ status: status.completed, endTime: start + 1 });
  });

  it('brings a failed task back with all it had left to call', async () => {
    const task = await running({ contactCount: 3 });
    await reportAll(service, await leaseFrom(service, task, start, { limit: 1 }), 'failed', start);
    await service.dialer.ends.fail(task.id, 'no trunk', start);
    expect(await service.dialer.recalls.recall(task.id, { priority: 5 }, start)).toMatchObject({
      recallCount: 1,
    });
    expect(await find(task)).toMatchObject({ status: status.running, endTime: null, reason: null });
    expect(seqsOf(await leaseFrom(service, task, start + hour))).toEqual([1, 2, 0]);
  });

  it('is not allowed in other states, and looks at the state first', async () => {
    const task = await running({ contactCount: 1 });
    await move(service, task, 'stop');
    const recall = service.dialer.recalls.recall(task.id, { contactIds: ['x'], priority: 5 }, start);
    await expect(recall).rejects.toMatchObject({ code: 'notAllowed' });
    await expect(service.dialer.recalls.recall(newId(), { priority: 5 }, start)).rejects.toMatchObject({
      code: 'notFound',
    });
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
