import { describe, expect, it, vi } from 'vitest';
import { contactId, statusAt } from '../../../shared/contacts/rules.ts';
import { readTallies } from '../../../shared/dialing/index.ts';
import { TaskContacts } from '../../../shared/dialing/records/task-contacts.ts';
import { type Database, keys, packBytes, seqsPerPage } from '../../../shared/platform/table/index.ts';
import { status } from '../../../shared/tasks/rules.ts';
import {
  aDataSource,
  aDraft,
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
import { openDialing } from '../../support/dialing/open-dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import {
  contactAndGuard,
  seedEmptyDataSource,
  seededFields,
  seededPhone,
} from '../../support/engines/seed-contacts.ts';

const day = 24 * hour;

describe.each(engines)('dialing on $name', ({ open, sized }) => {
  let database: Database;
  let service: Service;
  const running = openDialing('all', { open }, (opened, its) => {
    [database, service] = [opened.database, its];
  });
  const statusOf = async ({ id }: { id: string }) => (await service.tasks.find(id)).status;
  const tallyOf = async ({ id }: { id: string }) => (await readTallies(service.database, [id])).get(id);
  const contactAt = async (task: { dataSourceId: string }, seq: number) =>
    service.contacts.find(task.dataSourceId, contactId(task.dataSourceId, seq));

  describe('a lease', () => {
    it('hands out the contacts in order, each with all a dialer needs', async () => {
      const task = await running({ contactCount: 3, priority: 2 });
      const calls = await leaseFrom(service, task, start, { limit: 2 });
      expect(calls).toEqual([
        {
          callId: expect.stringMatching(new RegExp(`^${task.id}-0-[0-9a-z]{10}$`)),
          taskId: task.id,
          contactId: contactId(task.dataSourceId, 0),
          dataSourceId: task.dataSourceId,
          phoneNumber: seededPhone(0),
          callerNumber: null,
          fields: seededFields(0),
          attempt: 1,
          priority: 2,
          leaseExpireTime: start + 120 * second,
          task: { taskName: task.taskName, callSettings: {} },
        },
        expect.objectContaining({ contactId: contactId(task.dataSourceId, 1) }),
      ]);
      expect(seqsOf(await leaseFrom(service, task, start, { limit: 2 }))).toEqual([2]);
      expect(await leaseFrom(service, task, start)).toEqual([]);
    });

    it('comes from running tasks only', async () => {
      const draft = await aDraft(service, await aDataSource(database, 2));
      expect(await leaseFrom(service, draft, start)).toEqual([]);
      for (const operation of ['pause', 'stop'] as const) {
        const task = await running();
        await move(service, task, operation);
        expect(await leaseFrom(service, task, start)).toEqual([]);
        await expect(
          service.dialer.leases.lease({ limit: 1, leaseSeconds: 10, taskId: newId() }, start),
        ).rejects.toMatchObject({ code: 'notFound' });
      }
    });

    it('keeps to the daily window in the time zone of the service', async () => {
      const shanghai = aService(database, 'Asia/Shanghai');
      const task = await running({ dailyStartTime: '09:00', dailyEndTime: '18:00' });
      const nine = Date.UTC(2024, 0, 10, 1, 0, 0);
      expect(await leaseFrom(shanghai, task, nine - 1)).toEqual([]);
      expect(await leaseFrom(shanghai, task, nine + 9 * hour)).toEqual([]);
      expect(await leaseFrom(service, task, nine)).toEqual([]);
      expect(await leaseFrom(shanghai, task, nine, { limit: 1 })).toHaveLength(1);
      expect(await leaseFrom(shanghai, task, nine + 9 * hour - 1, { limit: 1 })).toHaveLength(1);
    });

    it('takes contacts that were added while the task runs, and none that were deleted', async () => {
      const task = await running({ contactCount: 3 });
      await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 1), start);
      const added = await service.contacts.add(task.dataSourceId, { phoneNumber: '110', fields: {} }, start);
      expect(seqsOf(await leaseFrom(service, task, start))).toEqual([0, 2, added.seq]);
    });

    it('finds contacts however far apart the others were deleted', async () => {
      const dataSourceId = newId();
      const first = Array.from({ length: 16 }, (_, page) => page * seqsPerPage);
      await seedEmptyDataSource(database, dataSourceId);
      await database.putAll(
        first.flatMap((seq, page) => [
          {
            ...keys.directoryPage(dataSourceId, page),
            bytes: packBytes(Uint8Array.of(1)),
            v: 1,
            next: seqsPerPage,
          },
          ...contactAndGuard(dataSourceId, seq),
        ]),
      );
      const task = await move(service, await aDraft(service, dataSourceId), 'publish');
      expect(seqsOf(await leaseFrom(service, task, start, { limit: 100 }))).toEqual(first);
    });

    it('that runs out frees its contacts at once, however many others ended before it', async () => {
      const half = sized(65, 20);
      const task = await running({ contactCount: 2 * half });
      const calls = [];
      for (let at = 0; at < 2 * half; at += 10) calls.push(...(await leaseFrom(service, task, start)));
      const [early, late] = [calls.slice(0, half), calls.slice(half)];
      await reportAll(service, [...early.slice(0, -5), ...late.slice(0, -5)], 'success', start);
      const freed = await leaseFrom(service, task, start + 2 * minute, { limit: 100 });
      expect(seqsOf(freed)).toEqual(seqsOf([...early.slice(-5), ...late.slice(-5)]));
    });

    it('that runs out frees its contacts at its own time, wherever the cursor has got to', async () => {
      const task = await running({ contactCount: 50, maxDialCount: 1 });
      const leaseSeconds = [40, 10, 25];
      for (let at = 0; at < 9; at++)
        await leaseFrom(service, task, start, { limit: 2, leaseSeconds: leaseSeconds[at % 3]! });
      await leaseFrom(service, task, start, { limit: 32 });
      const freedAt = async (seconds: number) =>
        seqsOf(await leaseFrom(service, task, start + seconds * second));
      expect(await freedAt(9)).toEqual([]);
      expect(await freedAt(10)).toEqual([2, 3, 8, 9, 14, 15]);
      expect(await freedAt(24)).toEqual([]);
      expect(await freedAt(25)).toEqual([4, 5, 10, 11, 16, 17]);
      expect(await freedAt(40)).toEqual([0, 1, 6, 7, 12, 13]);
    });
  });

  describe('the order of calls', () => {
    it('is kept where the next in line were deleted', async () => {
      const task = await running({ contactCount: 12, callInterval: 0 });
      await reportAll(service, await leaseFrom(service, task, start, { limit: 12 }), 'failed', start);
      for (let seq = 0; seq < 4; seq++)
        await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, seq), start);
      // A dialer that stepped aside for others would take the last it may.
      const random = vi.spyOn(Math, 'random').mockReturnValue(0.99);
      expect(seqsOf(await leaseFrom(service, task, start, { limit: 1 }))).toEqual([4]);
      random.mockRestore();
    });
  });

  describe('a result', () => {
    it('sent twice counts once and is answered alike, also long after', async () => {
      const task = await running({ contactCount: 1 });
      const [call] = await leaseFrom(service, task, start);
      const report = { callId: call?.callId ?? '', outcome: 'failed' as const, duration: 7 };
      const first = await service.dialer.results.report(report, start);
      expect(await service.dialer.results.report(report, start)).toEqual(first);
      const [next] = await leaseFrom(service, task, start + hour);
      await service.dialer.results.report(
        { callId: next?.callId ?? '', outcome: 'success', duration: 1 },
        start + hour,
      );
      expect(await service.dialer.results.report(report, start + day)).toMatchObject({
        contactStatus: 2,
        final: false,
      });
      expect(await tallyOf(task)).toMatchObject({ callCount: 2, duration: 8 });
    });

    it('of no known call is not found', async () => {
      const task = await running({ contactCount: 1 });
      const ids = ['', 'x', 'a-b-c', `${task.id}-0-x`, `${task.id}-zz-0123456789`, `${newId()}-0-0123456789`];
      for (const callId of ids) {
        const report = service.dialer.results.report({ callId, outcome: 'success', duration: 0 }, start);
        await expect(report).rejects.toMatchObject({ code: 'notFound' });
      }
    });

    it.each(['pause', 'stop', 'fail'] as const)(
      'still counts after a %s, and leaves the state alone',
      async (operation) => {
        const task = await running({ contactCount: 1, maxDialCount: 1 });
        const calls = await leaseFrom(service, task, start);
        const { status: state } = await move(service, task, operation);
        expect(await reportAll(service, calls, 'failed', start)).toMatchObject([
          { final: true, taskStatus: state },
        ]);
        expect(await statusOf(task)).toBe(state);
        expect(await tallyOf(task)).toMatchObject({ callCount: 1 });
      },
    );

    it('for a contact that was deleted during the call counts, and the contact stays away', async () => {
      const task = await running({ contactCount: 2, callInterval: 0 });
      const calls = await leaseFrom(service, task, start);
      await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 0), start);
      await reportAll(service, calls, 'failed', start, 2);
      expect(await contactAt(task, 0)).toBeUndefined();
      expect(seqsOf(await leaseFrom(service, task, start + 1))).toEqual([1]);
      expect(await tallyOf(task)).toMatchObject({ callCount: 2, duration: 4 });
    });

    it('for the last contact, deleted during the call, ends the task', async () => {
      const task = await running({ contactCount: 1 });
      const calls = await leaseFrom(service, task, start);
      await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 0), start);
      const [result] = await reportAll(service, calls, 'failed', start);
      expect(result).toMatchObject({ contactStatus: 2, final: true, taskStatus: status.completed });
      expect(await reportAll(service, calls, 'failed', start + 1)).toEqual([result]);
    });

    it('that comes late takes nothing from the allowance of a recall in between', async () => {
      const task = await running({ contactCount: 1, maxDialCount: 1, callInterval: 60 });
      const late = await leaseFrom(service, task, start, { leaseSeconds: 10 });
      const contactIds = late.map((call) => call.contactId);
      await service.dialer.recalls.recall(task.id, { contactIds, priority: 2 }, start + minute);
      const [result] = await reportAll(service, late, 'success', start + 2 * minute, 90);
      expect(result).toMatchObject({ contactStatus: 1, final: false, taskStatus: status.running });
      expect(await reportAll(service, late, 'success', start + 2 * minute, 90)).toEqual([result]);
      expect(await leaseFrom(service, task, start + 3 * minute - 1)).toEqual([]);
      const again = await leaseFrom(service, task, start + 3 * minute);
      expect(again).toMatchObject([{ attempt: 1, priority: 2 }]);
      const [last] = await reportAll(service, again, 'failed', start + 4 * minute);
      expect(last).toMatchObject({ final: true, taskStatus: status.completed });
      expect(await tallyOf(task)).toMatchObject({ callCount: 2, successCount: 1, failCount: 1 });
    });
  });

  describe('what a task tells its dialer', () => {
    it('comes with each call, and a contact is always called from the same number', async () => {
      const callerNumbers = ['+49 30 1234', '(030) 5678', '+49301234'];
      const callSettings = { flow: 'renewal', 'agent name': '莉' };
      const task = await running({ contactCount: 4, callInterval: 0, callSettings, callerNumbers });
      const callers = async () => {
        const calls = await leaseFrom(service, task, start);
        for (const call of calls) expect(call.task).toEqual({ taskName: task.taskName, callSettings });
        await reportAll(service, calls, 'failed', start);
        return new Map(calls.map(({ contactId, callerNumber }) => [contactId, callerNumber]));
      };
      const first = await callers();
      expect([...first.values()].sort()).toEqual(['+49301234', '+49301234', '0305678', '0305678']);
      expect(await callers()).toEqual(first);
    });
  });

  describe('a lease that is extended', () => {
    it('keeps its contact until then, in the first call and in later ones', async () => {
      const task = await running({ contactCount: 2, callInterval: 0 });
      for (const [attempt, now] of [start, start + hour].entries()) {
        const [long, short] = await leaseFrom(service, task, now, { leaseSeconds: 10 });
        const until = now + 60 * second;
        expect(
          await service.dialer.liveLeases.extend({ callId: long!.callId, until }, now + 5 * second),
        ).toEqual({
          callId: long!.callId,
          leaseExpireTime: until,
        });
        expect(seqsOf(await leaseFrom(service, task, now + 10 * second))).toEqual(seqsOf([short!]));
        expect(statusAt((await contactAt(task, seqsOf([long!])[0]!))!, until - 1)).toBe(4);
        const freed = await leaseFrom(service, task, until, { leaseSeconds: 10 });
        expect(seqsOf(freed)).toEqual(seqsOf([long!]));
        expect(freed[0]).toMatchObject({ attempt: attempt + 1 });
        const late = service.dialer.liveLeases.extend({ callId: long!.callId, until: now + hour }, until);
        await expect(late).rejects.toMatchObject({ word: 'LEASE_LOST' });
        const last = await leaseFrom(service, task, now + hour / 2);
        await reportAll(service, last, 'failed', now + hour / 2);
      }
    });
  });

  describe('a call that is given back', () => {
    it('comes due again at once, in its old place, and is not counted', async () => {
      const task = await running({ contactCount: 3 });
      const [first, second] = await leaseFrom(service, task, start, { limit: 2 });
      expect(await service.dialer.liveLeases.release(first!, start)).toEqual({
        callId: first!.callId,
        taskId: task.id,
        contactId: first!.contactId,
      });
      expect(statusAt((await contactAt(task, 0))!, start)).toBe(0);
      expect(statusAt((await contactAt(task, 1))!, start)).toBe(4);
      const again = await leaseFrom(service, task, start);
      expect(seqsOf(again)).toEqual([0, 2]);
      expect(again[0]).toMatchObject({ attempt: 1 });
      await reportAll(service, [...again, second!], 'success', start);
      expect(await tallyOf(task)).toMatchObject({ callCount: 3, successCount: 3 });
      expect(await statusOf(task)).toBe(status.completed);
    });

    it('is left alone when it was reported, or its lease has run out', async () => {
      const task = await running({ contactCount: 2, maxDialCount: 1 });
      const [lost, reported] = await leaseFrom(service, task, start, { leaseSeconds: 10 });
      await reportAll(service, [reported!], 'failed', start);
      const late = { ...lost!, notBefore: start + hour };
      await expect(service.dialer.liveLeases.release(late, start + 10 * second)).rejects.toMatchObject({
        word: 'LEASE_LOST',
      });
      const [again] = await leaseFrom(service, task, start + 10 * second);
      for (const call of [lost!, reported!])
        await expect(service.dialer.liveLeases.release(call, start + 10 * second)).rejects.toMatchObject({
          word: 'LEASE_LOST',
        });
      await expect(service.dialer.liveLeases.release({ callId: 'nonsense' }, start)).rejects.toMatchObject({
        word: 'CALL_NOT_FOUND',
      });
      expect(await leaseFrom(service, task, start + 11 * second)).toEqual([]);
      await reportAll(service, [again!], 'success', start + 11 * second);
      expect(await tallyOf(task)).toMatchObject({ callCount: 2 });
      expect(await statusOf(task)).toBe(status.completed);
    });
  });

  describe('a contact', () => {
    it('shows its call, its latest outcome in any task, and its calls in all tasks', async () => {
      const one = await running({ contactCount: 1, maxDialCount: 1 });
      const two = await move(service, await aDraft(service, one.dataSourceId), 'publish');
      const first = await leaseFrom(service, one, start);
      const second = await leaseFrom(service, two, start, { leaseSeconds: 600 });
      expect(await contactAt(one, 0)).toMatchObject({ callUntil: start + 600_000, status: 0 });
      await reportAll(service, first, 'failed', start);
      expect(await contactAt(one, 0)).toMatchObject({ callUntil: start + 600_000, status: 2, callCount: 1 });
      await reportAll(service, second, 'success', start);
      const contact = await contactAt(one, 0);
      expect(contact).toMatchObject({ status: 1, callCount: 2 });
      expect(contact?.callUntil).toBeUndefined();
    });

    it('is in a call as long as any task calls it, whichever call ends first', async () => {
      const one = await running({ contactCount: 1, maxDialCount: 1 });
      const two = await move(service, await aDraft(service, one.dataSourceId), 'publish');
      const long = await leaseFrom(service, one, start, { leaseSeconds: 600 });
      await leaseFrom(service, two, start, { leaseSeconds: 10 });
      expect(await contactAt(one, 0)).toMatchObject({ callUntil: start + 600_000 });
      const [again] = await leaseFrom(service, two, start + 10 * second, { leaseSeconds: 900 });
      await reportAll(service, again ? [again] : [], 'failed', start + 20 * second);
      expect(await contactAt(one, 0)).toMatchObject({ callUntil: start + 600_000, status: 2 });
      await reportAll(service, long, 'success', start + 30 * second);
      expect((await contactAt(one, 0))?.callUntil).toBeUndefined();
    });

    it('has its own standing in each task', async () => {
      const task = await running({ contactCount: 4, maxDialCount: 1 });
      const calls = await leaseFrom(service, task, start, { limit: 3 });
      await reportAll(service, calls.slice(0, 1), 'success', start + 1, 9);
      await reportAll(service, calls.slice(1, 2), 'noAnswer', start + 2);
      const ended = (standing: string) => ({ standing, reason: null });
      const summaries = await new TaskContacts(database).summaries(task.id, 0, 4, start + 3);
      expect([...summaries.values()].map(({ calls }) => calls.map(({ outcome }) => outcome))).toEqual([
        ['success'],
        ['noAnswer'],
        [],
      ]);
      expect(new Map([...summaries].map(([seq, { calls, ...summary }]) => [seq, summary]))).toEqual(
        new Map([
          [0, { status: 1, callCount: 1, callDuration: 9, lastCallTime: start + 1, ...ended('success') }],
          [1, { status: 3, callCount: 1, callDuration: 0, lastCallTime: start + 2, ...ended('noAnswer') }],
          [2, { status: 4, callCount: 0, callDuration: 0, lastCallTime: null, ...ended('inCall') }],
        ]),
      );
      const later = await new TaskContacts(database).summaries(task.id, 2, 3, start + hour);
      expect(later.get(2)?.status).toBe(0);
    });
  });

  describe('a task', () => {
    it('is complete with the last final outcome, and counts its contacts then', async () => {
      const task = await running({ contactCount: 2, maxDialCount: 1 });
      const calls = await leaseFrom(service, task, start);
      const [first] = await reportAll(service, calls.slice(0, 1), 'failed', start);
      expect(first).toMatchObject({ final: true, taskStatus: status.running });
      const [last] = await reportAll(service, calls.slice(1), 'success', start + 5);
      expect(last).toMatchObject({ final: true, taskStatus: status.completed });
      expect(await service.tasks.find(task.id)).toMatchObject({
        status: status.completed,
        endTime: start + 5,
        contactCount: 2,
      });
      expect(await leaseFrom(service, task, start + hour)).toEqual([]);
    });

    it('of an empty data source waits for contacts', async () => {
      const task = await running({ contactCount: 0 });
      expect(await leaseFrom(service, task, start)).toEqual([]);
      expect(await statusOf(task)).toBe(status.running);
      await service.contacts.add(task.dataSourceId, { phoneNumber: '110', fields: {} }, start);
      await reportAll(service, await leaseFrom(service, task, start), 'success', start);
      expect(await statusOf(task)).toBe(status.completed);
    });

    it('whose last result came while it was paused is complete once it runs again', async () => {
      const task = await running({ contactCount: 1 });
      const calls = await leaseFrom(service, task, start);
      await move(service, task, 'pause');
      await reportAll(service, calls, 'success', start);
      expect(await statusOf(task)).toBe(status.paused);
      await move(service, task, 'resume');
      expect(await leaseFrom(service, task, start + 9)).toEqual([]);
      expect(await service.tasks.find(task.id)).toMatchObject({
        status: status.completed,
        endTime: start + 9,
      });
    });

    it.each([
      ['was never dialed', 2],
      ['waits for its next attempt', 1],
    ])('is complete once the last contact is deleted that %s', async (_, contactCount) => {
      const task = await running({ contactCount, maxDialCount: 2 });
      const calls = await leaseFrom(service, task, start, { limit: 1 });
      await reportAll(service, calls, contactCount === 2 ? 'success' : 'failed', start);
      await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, contactCount - 1), start);
      expect(await leaseFrom(service, task, start + 1)).toEqual([]);
      expect(await service.tasks.find(task.id)).toMatchObject({
        status: status.completed,
        contactCount: contactCount - 1,
      });
    });

    it('is not complete while an import is under way', async () => {
      const task = await running({ contactCount: 1 });
      const openImport = keys.openRange(task.dataSourceId, 128);
      await database.transact([
        database.putOf({ ...openImport, importId: 'x', endSeq: 256 }),
        database.updateOf(keys.directoryPage(task.dataSourceId, 0), {
          UpdateExpression: 'SET #next = :next',
          ExpressionAttributeNames: { '#next': 'next' },
          ExpressionAttributeValues: { ':next': 256 },
        }),
      ]);
      await reportAll(service, await leaseFrom(service, task, start), 'success', start);
      expect(await statusOf(task)).toBe(status.running);
      await database.delete(openImport);
      await leaseFrom(service, task, start);
      expect(await statusOf(task)).toBe(status.completed);
    });

    it('fails as a whole when the dialer says so, from running and paused only', async () => {
      const task = await running({ contactCount: 2 });
      expect(await service.dialer.ends.fail(task.id, 'no trunk', start)).toMatchObject({
        status: status.failed,
        endTime: start,
        reason: 'no trunk',
        contactCount: 2,
      });
      expect(await leaseFrom(service, task, start)).toEqual([]);
      await expect(service.dialer.ends.fail(task.id, 'again', start)).rejects.toMatchObject({
        code: 'notAllowed',
      });
      await expect(service.dialer.ends.fail(newId(), 'what', start)).rejects.toMatchObject({
        code: 'notFound',
      });
    });
  });
});
