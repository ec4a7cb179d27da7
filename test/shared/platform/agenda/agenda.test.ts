import { describe, expect, it } from 'vitest';
import { erasureWork } from '../../../../shared/people/erasures.ts';
import { Agenda, parked } from '../../../../shared/platform/agenda/agenda.ts';
import { callbacksOf, callsOf, deferredOf } from '../../../../shared/tasks/task-work.ts';
import { hour, minute, newId, start } from '../../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { atEveryCall } from '../../../support/engines/overtaken.ts';

describe.each(engines)('the agenda on $name', ({ open }) => {
  const withAgenda = async (use: (agenda: Agenda, table: OpenTable) => Promise<void>) => {
    const table = await open();
    await use(new Agenda(table.database), table);
    await table.close();
  };
  const task = { id: newId(), dataSourceId: newId() };
  const calls = callsOf(task);
  const dueIds = async (agenda: Agenda, now: number, level = 3) =>
    (await agenda.due({ kind: 'calls', level }, now, 10)).map(({ id }) => id);

  it('lists work from its due time on, by kind, group and level', () =>
    withAgenda(async (agenda, { database }) => {
      await database.transact([agenda.scheduleOf({ ...calls, level: 3 }, start)]);
      expect(await dueIds(agenda, start - 1)).toEqual([]);
      expect(await dueIds(agenda, start)).toEqual([task.id]);
      expect(await dueIds(agenda, start, 2)).toEqual([]);
      expect(await agenda.listed('calls', task.dataSourceId)).toMatchObject([
        { id: task.id, level: 3, due: start },
      ]);
      expect(await agenda.listed('calls', 'other')).toEqual([]);
      await database.transact([agenda.doneOf(calls)]);
      expect(await agenda.find(calls)).toBeUndefined();
    }));

  it('brings work forward, never back, and to the more urgent level', () =>
    withAgenda(async (agenda, { database }) => {
      await database.transact([agenda.scheduleOf({ ...calls, level: 4 }, start + hour)]);
      const { token } = (await agenda.find(calls))!;
      await agenda.bringForward(calls, start + 2 * hour);
      expect(await agenda.find(calls)).toMatchObject({ due: start + hour, token });
      await agenda.bringForward(calls, start + minute);
      expect(await agenda.find(calls)).toMatchObject({ due: start + minute, level: 4 });
      await agenda.bringForward(calls, start + hour, { level: 2 });
      expect(await agenda.find(calls)).toMatchObject({ due: start + minute, level: 2 });
      await agenda.bringForward(calls, start, { level: 5 });
      expect(await agenda.find(calls)).toMatchObject({ due: start, level: 2 });
      await agenda.bringForward(callsOf({ ...task, id: newId() }), start);
      expect(await agenda.listed('calls', task.dataSourceId)).toHaveLength(1);
    }));

  it('brings work forward, wherever a checker postpones it meanwhile', () =>
    atEveryCall({ open }, async ({ table: { database }, slow, overtake }) => {
      const agenda = new Agenda(database);
      await agenda.schedule(calls, start + hour);
      overtake(async () => agenda.postpone((await agenda.find(calls))!, start + 2 * hour));
      await new Agenda(slow).bringForward(calls, start);
      expect(await agenda.find(calls)).toMatchObject({ due: start });
    }));

  it.each([start, start + hour])(
    'schedules work at the earlier of two times, wherever a second writer comes',
    (first) =>
      atEveryCall({ open }, async ({ table: { database }, slow, overtake }) => {
        const work = callbacksOf(task);
        let isOvertaken = false;
        overtake(async () => {
          isOvertaken = true;
          await new Agenda(database).schedule(work, first);
        });
        const other = start + minute;
        await new Agenda(slow).schedule(work, other);
        const due = isOvertaken ? Math.min(first, other) : other;
        expect(await new Agenda(database).find(work)).toMatchObject({ due });
      }),
  );

  it.each([callsOf(task), callbacksOf(task), deferredOf(task.id)])(
    'does not postpone, park, claim or end $kind that a writer has changed since it was read',
    (work) =>
      withAgenda(async (agenda) => {
        await agenda.schedule(work, start);
        const seen = (await agenda.find(work))!;
        // It is due already: only a change that no check can see is written.
        await agenda.schedule(work, start + minute);
        expect((await agenda.find(work))?.token).toBe(seen.token);
        await agenda.schedule(work, start + minute, { isUnseen: true });
        for (const stale of [
          () => agenda.postpone(seen, start + hour),
          () => agenda.park(seen),
          () => agenda.done(seen),
        ])
          expect(await stale()).toBe(false);
        expect(await agenda.claim(seen, start + hour)).toBeUndefined();
        expect(await agenda.find(work)).toMatchObject({ due: start });
      }),
  );

  it('keeps parked work listed, and only scheduling makes it due again', () =>
    withAgenda(async (agenda) => {
      const work = callbacksOf(task);
      await agenda.schedule(work, start);
      expect(await agenda.park((await agenda.find(work))!)).toBe(true);
      await agenda.bringForward(work, start);
      await agenda.bringGroupForward('callbacks', task.id, start);
      expect(await agenda.find(work)).toMatchObject({ due: parked });
      expect(await agenda.due({ kind: 'callbacks' }, start + hour, 10)).toEqual([]);
      await agenda.schedule(work, start + minute);
      expect(await agenda.find(work)).toMatchObject({ due: start + minute });
    }));

  it('gives claimed work to one worker, and again when the claim has ended', () =>
    withAgenda(async (agenda) => {
      const work = erasureWork(newId());
      await agenda.add(work, start, { contacts: [] });
      await agenda.add(work, start + hour, { contacts: ['another'] });
      const [due] = await agenda.due({ kind: 'erasure' }, start, 10);
      const claims = await Promise.all([1, 2, 3, 4].map(() => agenda.claim(due!, start + minute)));
      const [claimed, ...others] = claims.filter((claim) => claim !== undefined);
      expect(others).toEqual([]);
      expect(claimed).toMatchObject({ since: start, notes: { contacts: [] } });
      expect(await agenda.due({ kind: 'erasure' }, start + minute - 1, 10)).toEqual([]);
      const [again] = await agenda.due({ kind: 'erasure' }, start + minute, 10);
      // Its age counts from when it came due, not from the last claim.
      expect(await agenda.claim(again!, start + hour)).toMatchObject({ since: start });
      expect(await agenda.done(claimed!)).toBe(false);
      const last = (await agenda.find(work))!;
      expect(await agenda.postpone(last, start + 2 * hour, { seen: 1 })).toBe(true);
      expect(await agenda.find(work)).toMatchObject({ since: start + 2 * hour, notes: { seen: 1 } });
    }));
});
