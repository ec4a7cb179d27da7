import { describe, expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { callbackLevel } from '../../../shared/dialing/rules/dial-state.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { type Item, keys } from '../../../shared/platform/table/keys.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { callbacksOf } from '../../../shared/tasks/task-work.ts';
import {
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
    it('is about the number that was called, though another one was given back before', async () => {
      const task = await running({ contactCount: 1 });
      const first = await one(task, start);
      await service.dialer.liveLeases.release(first, start);
      const patch = { phoneNumber: '+491', changes: new Map() };
      await service.contacts.update(task.dataSourceId, first.contactId, patch, start);
      await report(await one(task, start), { doNotCall: true }, start);
      expect(await table.database.get(keys.phone(doNotCall.id, '+491'))).toBeDefined();
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
