import timers from 'node:timers/promises';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { Database, type TableClient } from '../../../../shared/platform/table/database.ts';
import { partitionRange } from '../../../../shared/platform/table/expressions.ts';
import { optimistic, transactNamed, unlessLost } from '../../../../shared/platform/table/optimistic.ts';
import { engines } from '../../../support/engines/engines.ts';
import { grudging } from '../../../support/engines/grudging.ts';

vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
afterEach(() => void vi.clearAllMocks());

/** A table that answers so at first, and then as if all were well. */
const answering = (first: () => unknown, times = 1) => {
  let calls = 0;
  const send = async () => (++calls <= times ? first() : {});
  return { database: new Database({ send } as unknown as TableClient, 'table'), calls: () => calls };
};
const cancelled = (...codes: string[]) => {
  throw new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
};
const step = { pk: 'a', sk: 'b' };
const passing = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

it.each([...passing, 'ValidationError'])(
  'a transaction that is refused for %s was not written',
  async (code) => {
    const { database } = answering(() => cancelled('None', code));
    const steps = { one: database.deleteOf(step), other: database.deleteOf(step) };
    await expect(transactNamed(database, steps)).rejects.toMatchObject({ refusals: ['None', code] });
  },
);

it('a transaction that failed for another reason than its items tells that one', async () => {
  const error = new Error('no line');
  const failing = (thrown: unknown) =>
    answering(() => {
      throw thrown;
    }).database.transact([]);
  await expect(failing(error)).rejects.toBe(error);
  const unexplained = new TransactionCanceledException({ message: 'cancelled', $metadata: {} });
  await expect(failing(unexplained)).rejects.toMatchObject({ refusals: [] });
});

it('a transaction tells the steps whose condition did not hold', async () => {
  const { database } = answering(() => cancelled('None', 'ConditionalCheckFailed', 'TransactionConflict'));
  const steps = {
    one: database.deleteOf(step),
    other: database.deleteOf(step),
    third: database.deleteOf(step),
  };
  expect([...(await transactNamed(database, steps))]).toEqual(['other']);
});

it.each([
  ...passing.map((code) => [code, 2, true] as const),
  ['ConditionalCheckFailed', 2, false] as const,
  ['ValidationError', 1, false] as const,
])('after %s a write is tried %i times, and unless it was lost once more: %s', async (code, tries, again) => {
  const decided = answering(() => cancelled(code));
  await optimistic(() => decided.database.transact([])).catch(() => undefined);
  expect(decided.calls()).toBe(tries);
  const one = answering(() => cancelled(code));
  await unlessLost(() => one.database.transact([])).catch(() => undefined);
  expect(one.calls()).toBe(again ? 2 : 1);
});

it('one write that meets a transaction at its item is made again, 40 times at most', async () => {
  const met = () => {
    throw new TransactionConflictException({ message: 'busy', $metadata: {} });
  };
  const once = answering(met);
  await unlessLost(() => once.database.put(step));
  expect(once.calls()).toBe(2);
  const always = answering(met, Number.POSITIVE_INFINITY);
  await expect(optimistic(() => always.database.put(step))).rejects.toMatchObject({
    word: 'TOO_MANY_CHANGES',
  });
  expect(always.calls()).toBe(40);
});

const passingInBatch = [...passing, 'RequestLimitExceeded', 'InternalServerError'];
it.each(passingInBatch)('a statement that is refused for %s is sent again', async (Code) => {
  for (const name of ['insertAll', 'updateAll'] as const) {
    const { database, calls } = answering(() => ({ Responses: [{ Error: { Code } }], $metadata: {} }));
    const item = { ...step, key: step, version: 1, set: {} };
    expect([await database[name]([item]), calls()]).toEqual([[name === 'insertAll' ? 'inserted' : true], 2]);
  }
});

it('a query gives as many items as its limit allows, in however many pages they come', async () => {
  const { database, close } = await grudging(engines[0]!).open();
  const items = [...'abcde'].map((sk) => ({ pk: 'a', sk }));
  await database.putAll(items);
  // Of three queries, one is answered in part.
  for (const Limit of [1, 1, 1, 2, 2, 2, 4, 4, 4, 6, 6, 6])
    expect(await database.queryAll({ ...partitionRange('a'), Limit })).toEqual(items.slice(0, Limit));
  await close();
});

it('a batch asks for 100 items at most', async () => {
  const asked: number[] = [];
  const send = async ({ input }: { input: { RequestItems: { table: { Keys: unknown[] } } } }) => {
    asked.push(input.RequestItems.table.Keys.length);
    return {};
  };
  const keys = Array.from({ length: 201 }, (_, i) => ({ pk: 'a', sk: String(i) }));
  await new Database({ send } as unknown as TableClient, 'table').batchGet(keys);
  expect(asked).toEqual([100, 100, 1]);
});

it.each(['insertAll', 'updateAll'] as const)('%s fails if the table refuses one of them', async (name) => {
  const refused = { Responses: [{ Error: { Code: 'ValidationError', Message: 'no' } }], $metadata: {} };
  const { database } = answering(() => refused);
  const [item] = [{ ...step, key: step, version: 1, set: {} }];
  await expect(database[name]([item])).rejects.toThrow('refused: ValidationError no');
});
