import { describe, expect, it } from 'vitest';
import { doDue } from '../../../../shared/app/runtime/due-work.ts';
import { erasureWork } from '../../../../shared/people/erasures.ts';
import { Agenda } from '../../../../shared/platform/agenda/agenda.ts';
import { type Worker, workOff } from '../../../../shared/platform/agenda/due-work.ts';
import { hour, minute, start } from '../../../support/dialing/dialing.ts';
import { engines } from '../../../support/engines/engines.ts';

const opened = async () => {
  const { database, close } = await engines[0]!.open();
  const agenda = new Agenda(database);
  const ages: number[] = [];
  const failed: string[] = [];
  const report = {
    age: (_kind: string, ms: number) => void ages.push(ms),
    failure: (_kind: string, id: string) => void failed.push(id),
  };
  const run = (worker: Worker, now: number, limits: { isTimeUp?: () => boolean; takesOver?: boolean } = {}) =>
    workOff(
      agenda,
      [worker],
      { now: () => now, isTimeUp: () => false, takesOver: false, ...limits },
      report,
    ).catch((error: unknown) => error);
  return { agenda, run, ages, failed, close };
};

const aWorker = (work: (id: string) => Promise<'done'>): Worker => ({
  kind: 'erasure',
  claimMs: minute,
  work: ({ id }) => work(id),
});

describe('due work', () => {
  it('that fails holds up no other, is tried again when its claim ends, and shows its age', async () => {
    const { agenda, run, ages, failed, close } = await opened();
    for (const id of ['a', 'b', 'c']) await agenda.add(erasureWork(id), start);
    const done: string[] = [];
    const worker = aWorker(async (id) => {
      if (id === 'a' && done.length < 3) throw new Error('of no use');
      done.push(id);
      return 'done';
    });
    expect(await run(worker, start)).toBeInstanceOf(AggregateError);
    expect([done, failed]).toEqual([['b', 'c'], ['a']]);
    expect(await run(worker, start + minute - 1)).toBeUndefined();
    for (let at = 1; at <= 20; at++)
      expect(await run(worker, start + at * minute)).toBeInstanceOf(AggregateError);
    expect(ages.at(-1)).toBe(20 * minute);
    done.push('the cause is gone');
    expect(await run(worker, start + 21 * minute)).toBeUndefined();
    expect(done).toContain('a');
    expect(await agenda.listed('erasure')).toEqual([]);
    expect(await run(worker, start + 22 * minute)).toBeUndefined();
    expect(ages.at(-1)).toBe(0);
    await close();
  });

  it('is begun as long as ten seconds are left, and by the next run', async () => {
    const { agenda, close } = await opened();
    await agenda.add(erasureWork('a'), start);
    const done: string[] = [];
    const worker = aWorker(async (id) => {
      done.push(id);
      return 'done';
    });
    const run = (leftMs: number) => doDue({ agenda, now: () => start }, [worker], () => leftMs);
    await run(9_999);
    expect(done).toEqual([]);
    await run(10_000);
    expect(done).toEqual(['a']);
    await close();
  });

  it('is done once by many runs at the same time, and all of it by one', async () => {
    const { agenda, run, close } = await opened();
    const ids = Array.from({ length: 230 }, (_, at) => String(at));
    for (const id of ids) await agenda.add(erasureWork(id), start);
    const done: string[] = [];
    const worker = aWorker(async (id) => {
      done.push(id);
      return 'done';
    });
    await Promise.all([1, 2, 3].map(() => run(worker, start)));
    expect(done.toSorted()).toEqual(ids.toSorted());
    await close();
  });

  it('stops when its time is up, and a process that is alone takes over what another has claimed', async () => {
    const { agenda, run, close } = await opened();
    for (const id of ['a', 'b']) await agenda.add(erasureWork(id), start);
    let left = 1;
    const worker = aWorker(async () => 'done');
    await run(worker, start, { isTimeUp: () => left-- <= 0 });
    const [entry, ...none] = await agenda.listed('erasure');
    expect(none).toEqual([]);
    await agenda.claim(entry!, start + hour);
    await run(worker, start);
    expect(await agenda.listed('erasure')).toHaveLength(1);
    await agenda.add(erasureWork('0'), start + 2 * hour);
    const order: string[] = [];
    const noting = aWorker(async (id) => {
      order.push(id);
      return 'done';
    });
    await run(noting, start, { takesOver: true });
    expect(order, 'the first one that is due first').toEqual([entry!.id, '0']);
    expect(await agenda.listed('erasure')).toEqual([]);
    await close();
  });
});
