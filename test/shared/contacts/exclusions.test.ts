import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys, timeKey } from '../../../shared/platform/table/keys.ts';
import { hour, second, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall, heldUp, watchedBy } from '../../support/engines/overtaken.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';

const phone = (at: number) => `+86138${String(at).padStart(8, '0')}`;
/** Two days after the last number came. */
const ttl = (start + 48 * hour) / second;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const contactsOf = (database: Database) => openStores(database).contacts;

/**
 * The numbers on the list, which must be as many as it counts, each with its guard, and none may
 * wait.
 */
const listed = async (database: Database): Promise<string[]> => {
  const contacts = contactsOf(database);
  const { total, rows } = await contacts.page(doNotCall.id, { offset: 0, limit: 1000 });
  const numbers = rows.map(({ phoneNumber }) => phoneNumber);
  expect(numbers).toHaveLength(total);
  const guards = await database.batchGet(numbers.map((number) => keys.phone(doNotCall.id, number)));
  expect(guards.map((guard) => guard?.seq)).toEqual(rows.map(({ seq }) => seq));
  expect(await contacts.search(doNotCall.id, 'none')).toEqual([]);
  const waiting = await database.get(keys.waitingNumbers(doNotCall.id));
  expect(waiting?.numbers).toBeUndefined();
  if (waiting !== undefined) expect(waiting.ttl).toBe(ttl);
  return numbers.sort();
};

describe('a number that is excluded', () => {
  const engine = engines[0]!;

  it.each(['the same', 'another'])(
    'is on the list when the request is answered, wherever %s number overtakes it',
    async (which) => {
      await atEveryCall(engine, async ({ table, slow, overtake }) => {
        const other = which === 'another' ? phone(2) : phone(1);
        const expected = new Set([phone(1)]);
        overtake(async () => {
          await contactsOf(table.database).exclude(other, start);
          expected.add(other);
        });
        await contactsOf(slow).exclude(phone(1), start);
        expect(await listed(table.database)).toEqual([...expected].sort());
      });
    },
  );

  it('waits with others while one process adds them all', async () => {
    const table = await engine.open();
    onTestFinished(table.close);
    const { database, reached, resume } = heldUp(table, ({ name }) => name === 'TransactWrite');
    const slow = contactsOf(database).exclude(phone(0), start);
    await reached;
    // The list changes while the first process is about to write.
    await contactsOf(table.database).exclude(phone(100), start);
    resume();
    let transactions = 0;
    const counted = watchedBy(table, ({ name }) => {
      if (name === 'TransactWrite') transactions++;
    });
    const waiting = new Set(upTo(20).map((at) => `0000000000000#${phone(at)}`));
    await table.database.put({ ...keys.waitingNumbers(doNotCall.id), numbers: waiting, ttl });
    await Promise.all([slow, contactsOf(counted).exclude(phone(20), start)]);
    expect(await listed(table.database)).toEqual([...upTo(21), 100].map(phone).sort());
    expect(transactions).toBeLessThanOrEqual(2);
  });

  it.each([
    [5, 0],
    [5, 126],
    [200, 0],
  ])('is added with those of %d processes that died, to a list that had %d', async (count, next) => {
    const table = await engine.open();
    onTestFinished(table.close);
    await seedEmptyDataSource(table.database, doNotCall.id, next);
    const numbers = new Set(upTo(count).map((at) => `${timeKey(at)}#${phone(at)}`));
    await table.database.put({ ...keys.waitingNumbers(doNotCall.id), numbers, ttl });
    await contactsOf(table.database).exclude(phone(count), start);
    expect(await listed(table.database)).toEqual(upTo(count + 1).map(phone));
  });
});
