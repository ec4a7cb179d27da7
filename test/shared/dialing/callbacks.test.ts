import { describe, expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules.ts';
import { contactId, doNotCall } from '../../../shared/contacts/rules.ts';
import { callbackLevel } from '../../../shared/dialing/rules/dial-state.ts';
import { Agenda, callbacksOf } from '../../../shared/platform/agenda/index.ts';
import { type Item, keys } from '../../../shared/platform/table/index.ts';
import type { Task } from '../../../shared/tasks/rules.ts';
import { status } from '../../../shared/tasks/rules.ts';
import {
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  reportAll,
  type Service,
  second,
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { openDialing } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';
import { between } from '../../support/service/crash-point.ts';

describe.each(engines)('what a person asks for, on $name', (engine) => {
  let table: OpenTable;
  let service: Service;
  const running = openDialing('each', engine, (opened, its) => {
    [table, service] = [opened, its];
    return seedEmptyDataSource(table.database, doNotCall.id);
  });

  const report = ({ callId }: LeasedCall, wish: object, now: number, outcome = 'failed' as const) =>
    service.dialer.results.report({ callId, outcome, duration: 0, ...wish }, now);
  const anyOne = async (now: number) => leaseFrom(service, undefined, now, { limit: 1 });
  const one = async (task: Task, now: number) => {
    const [call] = await leaseFrom(service, task, now, { limit: 1 });
    return call!;
  };

  describe('a callback', () => {
    it('is called at the first lease at or after its time, before everything else', async () => {
      const low = await running({ contactCount: 40, priority: 5, maxDialCount: 1 });
      const call = await one(low, start);
      expect(await report(call, { callbackTime: start + hour }, start)).toMatchObject({ final: false });
      const high = await running({ contactCount: 40, priority: 1, maxDialCount: 1 });
      const [before] = await anyOne(start + hour - 1);
      expect(before).toMatchObject({ taskId: high.id });
      const [back] = await anyOne(start + hour);
      expect(back).toMatchObject({ taskId: low.id, contactId: call.contactId, attempt: 2, priority: 5 });
      const [after] = await anyOne(start + hour);
      expect(after).toMatchObject({ taskId: high.id });
    });

    it('keeps its task from being closed while it is called', async () => {
      const task = await running({ contactCount: 2, maxDialCount: 1 });
      await report(await one(task, start), { callbackTime: start + hour }, start);
      await one(task, start + hour);
      await move(service, task, 'stop');
      const close = service.dialer.ends.close(task.id, start + hour + second);
      await expect(close).rejects.toMatchObject({ word: 'CALLS_IN_PROGRESS' });
    });

    it('comes first also where calls of its task are asked for', async () => {
      const task = await running({ contactCount: 5, callInterval: 0 });
      const [retried, back] = (await leaseFrom(service, task, start, { limit: 2 })) as LeasedCall[];
      await report(retried!, {}, start);
      await report(back!, { callbackTime: start + minute }, start);
      const order = seqsOf(await leaseFrom(service, task, start + minute));
      expect(order).toEqual([...seqsOf([back!]), ...seqsOf([retried!]), 2, 3, 4]);
    });

    it('is made whatever the outcome was, and ends like any other call', async () => {
      const task = await running({ contactCount: 1, maxDialCount: 1 });
      const call = await one(task, start);
      const wish = { callId: call.callId, outcome: 'success', duration: 9, callbackTime: start } as const;
      expect(await service.dialer.results.report(wish, start)).toMatchObject({ final: false, taskStatus: 1 });
      expect(await service.dialer.results.report(wish, start + hour)).toMatchObject({ final: false });
      const other = { ...wish, callbackTime: start + second };
      await expect(service.dialer.results.report(other, start)).rejects.toMatchObject({
        word: 'ALREADY_REPORTED',
      });
      const back = await one(task, start + second);
      expect(await report(back, {}, start + second)).toMatchObject({
        final: true,
        taskStatus: status.completed,
      });
    });

    it('keeps to the hours of its task and to the lists', async () => {
      const task = await running({ contactCount: 2, dailyStartTime: '22:00', dailyEndTime: '23:00' });
      const [one, listed] = (await leaseFrom(service, task, start)) as LeasedCall[];
      const midnight = Date.UTC(2023, 10, 15);
      for (const call of [one!, listed!]) await report(call, { callbackTime: midnight }, start);
      await service.contacts.add(doNotCall.id, { phoneNumber: listed!.phoneNumber, fields: {} }, start);
      expect(await anyOne(midnight)).toEqual([]);
      const [back, ...none] = await leaseFrom(service, undefined, midnight + 22 * hour);
      expect([back?.contactId, none]).toEqual([one!.contactId, []]);
    });

    it('waits while its task is paused, and is made when it is resumed', async () => {
      const task = await running({ contactCount: 1 });
      const call = await one(task, start);
      await report(call, { callbackTime: start + minute }, start);
      await move(service, task, 'pause');
      expect(await anyOne(start + hour)).toEqual([]);
      const parked = await table.database.get(keys.agendaEntry('callbacks', task.id, task.id));
      expect([parked !== undefined, parked?.gsi1pk]).toEqual([true, undefined]);
      await move(service, task, 'resume');
      expect(seqsOf(await anyOne(start + hour))).toEqual([0]);
    });

    it('is agreed five times at most', async () => {
      const task = await running({ contactCount: 1 });
      let now = start;
      for (let nth = 0; nth < 5; nth++, now += minute)
        await report(await one(task, now), { callbackTime: now + minute }, now);
      const last = await one(task, now);
      await expect(report(last, { callbackTime: now }, now)).rejects.toMatchObject({
        word: 'TOO_MANY_CALLBACKS',
        code: 'conflict',
      });
      expect(await report(last, {}, now)).toMatchObject({ final: true });
    });

    it('is at most 30 days ahead, and not together with doNotCall', async () => {
      const task = await running({ contactCount: 1 });
      const call = await one(task, start);
      const day = 24 * hour;
      const late = report(call, { callbackTime: start + 30 * day + second }, start);
      await expect(late).rejects.toMatchObject({ code: 'invalid' });
      const both = report(call, { callbackTime: start, doNotCall: true }, start);
      await expect(both).rejects.toMatchObject({ code: 'invalid' });
      expect(await report(call, { callbackTime: start + 30 * day }, start)).toMatchObject({ final: false });
    });

    it('gives way to a recall of its contact', async () => {
      const task = await running({ contactCount: 1, callInterval: 0 });
      const call = await one(task, start);
      await report(call, { callbackTime: start + 24 * hour }, start);
      const recall = { contactIds: [call.contactId], priority: 4 };
      await service.dialer.recalls.recall(task.id, recall, start + minute);
      expect(await anyOne(start + minute)).toMatchObject([{ attempt: 1, priority: 4 }]);
    });

    it('is in its old place when its call is given back', async () => {
      const task = await running({ contactCount: 1 });
      await report(await one(task, start), { callbackTime: start + minute }, start);
      const [back] = await leaseFrom(service, undefined, start + minute, { leaseSeconds: 3600 });
      // Nothing is left to call: the callbacks are to be checked when the lease ends.
      expect(await anyOne(start + minute)).toEqual([]);
      expect(await anyOne(start + minute)).toEqual([]);
      await service.dialer.liveLeases.release(back!, start + 2 * minute);
      expect(await anyOne(start + 2 * minute)).toMatchObject([{ contactId: back!.contactId, attempt: 2 }]);
    });

    it('ends with its contact', async () => {
      const task = await running({ contactCount: 1 });
      await report(await one(task, start), { callbackTime: start + hour }, start);
      await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 0), start);
      expect(await anyOne(start + hour)).toEqual([]);
      expect((await service.tasks.find(task.id)).status).toBe(status.completed);
    });

    it('leaves the agenda to the next one, and takes its entry off after the last', async () => {
      const task = await running({ contactCount: 2, maxDialCount: 1, keepOpen: true });
      for (const [at, call] of (await leaseFrom(service, task, start)).entries())
        await report(call, { callbackTime: start + (at + 1) * hour }, start);
      const dueAt = async (now: number) => {
        for (const call of await anyOne(now)) await report(call, {}, now, 'failed');
        await anyOne(now + minute);
        return (await new Agenda(table.database).find(callbacksOf(task)))?.due;
      };
      expect(await dueAt(start + minute)).toBe(start + hour);
      expect(await dueAt(start + hour)).toBe(start + 2 * hour);
      expect(await dueAt(start + 2 * hour)).toBeUndefined();
    });

    it('is found although the process died before it was noted in the agenda', async () => {
      const task = await running({ contactCount: 1 });
      const call = await one(task, start);
      await report(call, { callbackTime: start + minute }, start);
      const agenda = new Agenda(table.database);
      await agenda.done((await agenda.find(callbacksOf(task)))!);
      // Sent again, as a dialer does that was not answered.
      await report(call, { callbackTime: start + minute }, start);
      expect((await agenda.find(callbacksOf(task)))?.due).toBe(start + minute);
      await agenda.done((await agenda.find(callbacksOf(task)))!);
      // Or found when the task has nothing else to do.
      const later = start + 2 * hour;
      await leaseFrom(service, undefined, later);
      expect(seqsOf(await leaseFrom(service, undefined, later))).toEqual([0]);
    });

    it.each([
      ['that is the only one', 1, 10],
      ['that was agreed just now', 2, 2],
    ])('%s is made within a second, though the index did not show it yet', async (_, contactCount, after) => {
      const task = await running({ contactCount });
      const [call, other] = await leaseFrom(service, task, start);
      if (other) await report(other, { callbackTime: start + hour }, start);
      await report(call!, { callbackTime: start + second }, start);
      const index = between(table.client, (send) => async (command) => {
        const answer = (await send(command)) as { Items?: Item[] };
        const line = keys.line(task.id, callbackLevel);
        const hasItsPlace = ({ gsi1pk, sk }: Item) => gsi1pk === line && Number(sk) === 0;
        return answer.Items
          ? { ...answer, Items: answer.Items.filter((item) => !hasItsPlace(item)) }
          : answer;
      });
      expect(await anyOne(start + after * second)).toEqual([]);
      index.restore();
      expect(seqsOf(await anyOne(start + (after + 1) * second))).toEqual([0]);
    });
  });

  describe('to be called no more', () => {
    it('is on the list before the result is answered, and final', async () => {
      const task = await running({ contactCount: 3, maxDialCount: 3, callInterval: 0 });
      const other = await running({ contactCount: 3 });
      const call = await one(task, start);
      expect(await report(call, { doNotCall: true }, start)).toMatchObject({ final: true });
      expect(await service.contacts.count(doNotCall.id)).toBe(1);
      const [same] = await leaseFrom(service, other, start, { limit: 1 });
      expect(same?.phoneNumber).not.toBe(call.phoneNumber);
      expect(seqsOf(await leaseFrom(service, task, start))).toEqual([1, 2]);
      const recall = { contactIds: [call.contactId], priority: 1 };
      await service.dialer.recalls.recall(task.id, recall, start + hour);
      expect(await leaseFrom(service, task, start + hour, { limit: 1 })).toMatchObject([
        { contactId: contactId(task.dataSourceId, 1) },
      ]);
    });

    it('is about the number that was called, though another one was given back before', async () => {
      const task = await running({ contactCount: 1 });
      const first = await one(task, start);
      await service.dialer.liveLeases.release(first, start);
      const patch = { phoneNumber: '+491', changes: new Map() };
      await service.contacts.update(task.dataSourceId, first.contactId, patch, start);
      await report(await one(task, start), { doNotCall: true }, start);
      expect(await table.database.get(keys.phone(doNotCall.id, '+491'))).toBeDefined();
    });

    it('does no harm where the number is on the list, or the result is sent twice', async () => {
      const task = await running({ contactCount: 2 });
      const [one, two] = (await leaseFrom(service, task, start)) as LeasedCall[];
      await service.contacts.add(doNotCall.id, { phoneNumber: one!.phoneNumber, fields: {} }, start);
      for (const call of [one!, two!, two!])
        expect(await report(call, { doNotCall: true }, start)).toMatchObject({ final: true });
      await expect(report(two!, {}, start)).rejects.toMatchObject({ word: 'ALREADY_REPORTED' });
      expect(await service.contacts.count(doNotCall.id)).toBe(2);
    });

    it('holds for every dialer, however many report and lease at once', async () => {
      const contactCount = 12;
      const one = await running({ contactCount, callInterval: 0, maxDialCount: 5 });
      const calls = await leaseFrom(service, one, start, { limit: contactCount });
      const asked = new Set<string>();
      const dialers = Array.from({ length: 4 }, () => aService(table.database));
      const work = dialers.map(async ({ dialer }, i) => {
        for (const { callId, phoneNumber } of calls.filter((_, at) => at % 4 === i)) {
          await dialer.results.report({ callId, outcome: 'failed', duration: 0, doNotCall: true }, start);
          asked.add(phoneNumber);
          const known = new Set(asked);
          const { calls: next } = await dialer.leases.lease({ limit: 5, leaseSeconds: 10 }, start);
          expect(next.filter((call) => known.has(call.phoneNumber))).toEqual([]);
        }
      });
      await Promise.all(work);
      expect(await service.contacts.count(doNotCall.id)).toBe(contactCount);
    });

    it('is not noted for a result that is refused', async () => {
      const task = await running({ contactCount: 1 });
      const call = await one(task, start);
      await reportAll(service, [call], 'failed', start);
      await expect(report(call, { doNotCall: true }, start)).rejects.toMatchObject({ code: 'conflict' });
      expect(await service.contacts.count(doNotCall.id)).toBe(0);
    });
  });
});
