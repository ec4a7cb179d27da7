import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { forgetWaitingContacts } from '../../../shared/contacts/waiting-contacts.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { newId, second, start } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { atEveryCall, heldUp, watchedBy } from '../../support/engines/overtaken.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';

const id = newId();
const phone = (at: number) => `+86138${String(at).padStart(8, '0')}`;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const now = start;
const keyOf = (name: string) => ({ id: name, now: now / second, expires: now / second + 3600 });

const add = (database: Database, at: number, key?: string, time = now) =>
  openStores(database).contacts.add(
    id,
    { phoneNumber: phone(at), fields: { customerName: `Ann ${at}` } },
    time,
    key === undefined ? undefined : keyOf(key),
  );

/** A contact of another process. `later`: how long after the requests of these tests it came. */
const wait = (database: Database, at: number, later = 0) =>
  database.put({
    ...keys.waitingContact(id, now + later, String(at)),
    ...{ phone: phone(at), fields: '{}', time: now + later, ttl: now / second + 60 },
  });

/** The numbers of the list, each with its guard. No contact may wait. */
const listed = async (database: Database): Promise<string[]> => {
  const { total, rows } = await openStores(database).contacts.page(id, { offset: 0, limit: 500 });
  const numbers = rows.map(({ phoneNumber }) => phoneNumber);
  expect(numbers).toHaveLength(total);
  const guards = await database.batchGet(numbers.map((number) => keys.phone(id, number)));
  expect(guards.map((guard) => guard?.seq)).toEqual(rows.map(({ seq }) => seq));
  expect(await waiting(database)).toEqual([]);
  return numbers.sort();
};

/** Those of dead processes keep their sequence number when they have been added. */
const waiting = async (database: Database) => {
  const items = await database.queryAll(partitionRange(keys.waitingContacts(id)));
  return items.filter(({ seq }) => seq === undefined);
};

const opened = async (engine = engines[0]!): Promise<OpenTable> => {
  const table = await engine.open();
  onTestFinished(table.close);
  await seedEmptyDataSource(table.database, id);
  return table;
};

const isTransaction = ({ name }: { name: string }) => name === 'TransactWrite';

const busy = () => new TransactionConflictException({ message: 'busy', $metadata: {} });

/**
 * The table as a process sees it that loses its first transaction. `onOther`: runs just before each
 * other one.
 */
const lostOnce = (table: OpenTable, onOther = async (): Promise<unknown> => undefined) => {
  let transactions = 0;
  return watchedBy(table, async (call) => {
    if (!isTransaction(call)) return;
    if (++transactions === 1) throw busy();
    await onOther();
  });
};

/**
 * The table as a process sees it that meets a transaction of another process with its first call of
 * each of these kinds.
 */
const meetsTransactions = (table: OpenTable, names: readonly string[]) => {
  const left = new Set(names);
  return watchedBy(table, async ({ name }) => {
    if (left.delete(name)) throw busy();
  });
};

/**
 * The table as a process sees it that loses every transaction; just before it deletes an item,
 * `beforeDelete` runs.
 */
const alwaysLost = (table: OpenTable, beforeDelete = async (): Promise<unknown> => undefined) =>
  watchedBy(table, async (call) => {
    if (call.name === 'Delete') await beforeDelete();
    if (isTransaction(call)) throw busy();
  });

describe('a contact that loses to another writer', () => {
  it.each(['the same', 'another'])('is added once, wherever %s number overtakes it', async (which) => {
    await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
      await seedEmptyDataSource(table.database, id);
      const other = which === 'another' ? 2 : 1;
      const expected = new Set([phone(1)]);
      overtake(async () => {
        await add(table.database, other);
        expected.add(phone(other));
      });
      const answer = await add(slow, 1).catch(({ word }) => word);
      expect(await listed(table.database)).toEqual([...expected].sort());
      const { rows } = await openStores(table.database).contacts.page(id, { offset: 0, limit: 9 });
      if (typeof answer === 'string') expect([which, answer]).toEqual(['the same', 'PHONE_NUMBER_TAKEN']);
      else expect(rows).toContainEqual(answer);
    });
  });

  it('is added with all that wait, in one transaction', async () => {
    const table = await opened();
    for (const at of upTo(20)) await wait(table.database, at + 1, 1);
    let transactions = 0;
    await add(
      lostOnce(table, async () => transactions++),
      0,
    );
    expect(await listed(table.database)).toEqual(upTo(21).map(phone));
    expect(transactions).toBe(1);
  });

  it('waits at once where others wait, so that these are not overtaken for ever', async () => {
    const table = await opened();
    await wait(table.database, 0);
    const writes: string[] = [];
    const watched = watchedBy(table, ({ name, written }) => void (written.length > 0 && writes.push(name)));
    await add(watched, 1);
    expect(await listed(table.database)).toEqual([0, 1].map(phone));
    await add(watched, 2);
    expect(writes).toEqual(['Put', 'TransactWrite', 'Delete', 'Put', 'TransactWrite', 'Delete']);
  });

  it('is known by its request key when the request comes again', async () => {
    const table = await opened();
    const { database, reached, resume } = heldUp(table, isTransaction);
    const slow = add(database, 0, 'a');
    await reached;
    await add(table.database, 1);
    resume();
    expect(await add(table.database, 0, 'a')).toEqual(await slow);
    expect(await listed(table.database)).toEqual([0, 1].map(phone));
  });

  it('is not added again by a process that died after an earlier one had added it', async () => {
    const table = await opened();
    const { id: contactId } = await add(table.database, 0, 'a');
    const [record] = await table.database.batchGet([keys.effect('a', 'contact#add')]);
    await openStores(table.database).contacts.remove(id, contactId, now);
    await wait(table.database, 0);
    const [entry] = await waiting(table.database);
    const Put = { TableName: table.tableName, Item: record, ConditionExpression: 'attribute_not_exists(pk)' };
    await table.database.put({ ...entry!, record: { Put } });
    await add(lostOnce(table), 1);
    expect(await listed(table.database)).toEqual([phone(1)]);
  });
});

describe('a request that cannot be answered in time', () => {
  it('is turned away, and has added nothing', async () => {
    const table = await opened();
    await expect(add(alwaysLost(table), 0)).rejects.toMatchObject({ word: 'TOO_MANY_CHANGES' });
    expect(await listed(table.database)).toEqual([]);
  });

  it('is answered, if another process adds its contact at the last moment', async () => {
    const table = await opened();
    const late = alwaysLost(table, () => add(lostOnce(table), 1));
    expect(await add(late, 0)).toMatchObject({ phoneNumber: phone(0) });
    expect(await listed(table.database)).toEqual([0, 1].map(phone));
  });

  it('takes its contact back from the process that is about to add it', async () => {
    const table = await opened();
    await wait(table.database, 0);
    const slow = lostOnce(table, async () => {
      const [first] = await waiting(table.database);
      if (first?.phone === phone(0)) await table.database.delete({ pk: first.pk, sk: first.sk });
    });
    await add(slow, 1);
    expect(await listed(table.database)).toEqual([phone(1)]);
  });

  it.each([
    ['the database fails', async () => Promise.reject(new Error('broken')), 'broken'],
    [
      'its list is deleted',
      (database: Database) => openStores(database).dataSources.remove(id, now),
      'data source does not exist',
    ],
  ] as const)('takes its contact back, if %s while it waits', async (_, happen, message) => {
    const table = await opened();
    let waits = false;
    const watched = watchedBy(table, async ({ name }) => {
      if (isTransaction({ name }) && !waits) throw busy();
      if (name === 'Put') waits = true;
      else if (waits && name === 'Query') {
        waits = false;
        await happen(table.database);
      }
    });
    await expect(add(watched, 0)).rejects.toThrow(message);
    expect(await waiting(table.database)).toEqual([]);
  });

  it('is turned away at once, without a write, if as many wait as one transaction adds', async () => {
    const table = await opened();
    for (const at of upTo(24)) await wait(table.database, at);
    const writes: string[] = [];
    const watched = watchedBy(table, (call) => {
      if (isTransaction(call)) throw busy();
      if (call.written.length > 0) writes.push(call.name);
    });
    await expect(add(watched, 50)).rejects.toMatchObject({ word: 'TOO_MANY_CHANGES' });
    expect(writes).toEqual([]);
  });
});

it('a contact that waits meets the transactions of other processes without an error', async () => {
  const table = await opened();
  const meeting = meetsTransactions(table, ['TransactWrite', 'Put']);
  expect(await add(meeting, 0)).toMatchObject({ phoneNumber: phone(0) });
  await wait(table.database, 1);
  const forgetting = meetsTransactions(table, ['Delete']);
  await forgetWaitingContacts(forgetting, [id], [phone(1)]);
  expect(await listed(table.database)).toEqual([phone(0)]);
});
