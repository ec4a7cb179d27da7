import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agenda, removalWork } from '../../../../shared/platform/agenda/index.ts';
import { keys, NumberedList, packBytes } from '../../../../shared/platform/table/index.ts';
import { ListGaps } from '../../../../shared/platform/table/numbered-list.ts';
import { newId } from '../../../support/dialing/dialing.ts';
import { engines } from '../../../support/engines/engines.ts';
import { meter } from '../../../support/engines/meter.ts';
import { seedContacts } from '../../../support/engines/seed-contacts.ts';
import { sweepRemovals, watched } from '../../../support/service/removal.ts';

const now = 1_700_000_000_000;
const later = now + 3_600_000;

describe('what deletion costs', () => {
  const shelf = watched(engines[0]!);
  let measure: ReturnType<typeof meter>['measure'];
  beforeAll(async () => {
    const { client } = await shelf.open();
    ({ measure } = meter(client));
  });
  afterAll(() => shelf.table.close());

  /** A deleted data source of that many contacts. */
  const deleted = async (count: number) => {
    const { database } = shelf.table;
    const id = newId();
    await seedContacts(database, id, count);
    await database.delete(keys.directoryPage(id, 0));
    await database.delete(keys.dataSource(id));
    await new Agenda(database).add(removalWork('dataSource', id), now, { end: count });
    return id;
  };
  const left = async (id: string) =>
    (await shelf.items()).filter(({ pk, sk }) => pk.startsWith(`DS#${id}`) || sk.includes(id));

  it('2.2 write units a contact, and no contact is read', async () => {
    const count = 6_000;
    const id = await deleted(count);
    const { wcu, rcu } = await measure(() => sweepRemovals(shelf.table, () => later));
    expect(wcu).toBeLessThanOrEqual(2.2 * count);
    expect(wcu).toBeGreaterThanOrEqual(2 * count);
    expect(rcu).toBeLessThan(0.01 * count);
    expect(await left(id)).toEqual([]);
  });

  it('hardly more in many short runs that break off than in one', async () => {
    const count = 12_000;
    const id = await deleted(count);
    let total = 0;
    let runs = 0;
    while ((await new Agenda(shelf.table.database).find(removalWork('dataSource', id))) !== undefined) {
      let steps = 0;
      const { wcu } = await measure(() =>
        sweepRemovals(shelf.table, () => later, { isTimeUp: () => steps++ > 4 }),
      );
      total += wcu;
      expect(++runs).toBeLessThan(count);
    }
    expect(runs).toBeGreaterThan(2);
    expect(await left(id)).toEqual([]);
    expect(total).toBeLessThanOrEqual(2.2 * count);
  });

  it.each([
    { tasks: 1_000, isRemoved: (number: number) => number % 2 === 0 },
    { tasks: 120_000, isRemoved: (number: number) => number % 2 === 0 },
    { tasks: 120_000, isRemoved: (number: number) => (number * 7919) % 13 < 6 },
    { tasks: 1_000_000, isRemoved: (number: number) => number < 900_000 },
  ])('3 read units more at most for a page of $tasks tasks', async ({ tasks, isRemoved }) => {
    const { database } = shelf.table;
    const [whole, holey] = [newId(), newId()];
    const bits = new Uint8Array(Math.ceil(tasks / 8));
    let removed = 0;
    for (let number = 0; number < tasks; number++) {
      if (!isRemoved(number)) continue;
      bits[number >> 3]! |= 1 << (number & 7);
      removed++;
    }
    const header = { id: newId(), name: 'A campaign with a usual name', status: 1 };
    await database.put({ ...keys.listCount(whole), count: tasks });
    await database.put({ ...keys.listCount(holey), count: tasks, removed, gaps: packBytes(bits) });
    const read = async (list: string, offset: number) => {
      const gaps = list === holey ? new ListGaps(packBytes(bits)) : new ListGaps();
      const { first, last } = gaps.range(tasks, offset, 20);
      const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      const live = numbers.filter((number) => !gaps.has(number));
      await database.putAll(live.map((number) => ({ ...keys.header(list, number), ...header })));
      const usage = await measure(async () => {
        const { ids, total } = await new NumberedList(database, list).page(offset, 20);
        expect(ids).toHaveLength(20);
        expect(total).toBe(list === holey ? tasks - removed : tasks);
      });
      return usage.rcu;
    };
    for (const offset of [0, 320, 12]) {
      expect(await read(holey, offset)).toBeLessThanOrEqual((await read(whole, offset)) + 3);
    }
  });
});
