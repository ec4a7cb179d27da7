import { IdempotentParameterMismatchException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TransactItem } from '../../../shared/platform/table/database.ts';
import type { Item } from '../../../shared/platform/table/keys.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';

describe.each(engines)('transactions on $name', ({ open }) => {
  let table: OpenTable;
  let keys = 0;
  const newKey = () => ({ pk: `transaction-${++keys}`, sk: 'S' });
  const transact = (items: TransactItem[], ClientRequestToken?: string) =>
    table.sdk.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken }));
  const refusal = (items: TransactItem[]) =>
    transact(items).then(
      () => expect.fail('the transaction went through'),
      (error) => error,
    );
  const added = (item: Item) =>
    table.database.putOf(item, { ConditionExpression: 'attribute_not_exists(pk)' });
  const increment = (key: { pk: string; sk: string }, by = 1) =>
    table.database.updateOf(key, {
      UpdateExpression: 'ADD n :by',
      ExpressionAttributeValues: { ':by': by },
    });

  beforeAll(async () => {
    table = await open();
  });
  afterAll(() => table.close());

  it('puts, updates, deletes and checks as one', async () => {
    const [put, update, remove, check] = [newKey(), newKey(), newKey(), newKey()];
    await table.database.putAll([remove, { ...check, state: 1 }]);
    await transact([
      added({ ...put, a: 1 }),
      increment(update, 5),
      table.database.deleteOf(remove, { ConditionExpression: 'attribute_exists(pk)' }),
      table.database.checkOf(check, {
        ConditionExpression: '#state = :one',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    ]);
    expect(await table.database.batchGet([put, update, remove, check])).toEqual([
      { ...put, a: 1 },
      { ...update, n: 5 },
      undefined,
      { ...check, state: 1 },
    ]);
  });

  it('changes nothing and gives each item its reason when one condition fails', async () => {
    const [taken, other, counter] = [newKey(), newKey(), newKey()];
    await table.database.put({ ...taken, owner: 'first' });
    const error = await refusal([
      added({ ...other }),
      added({ ...taken, owner: 'second' }),
      increment(counter),
      table.database.deleteOf(newKey(), { ConditionExpression: 'attribute_exists(pk)' }),
    ]);
    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(error.message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
        '[None, ConditionalCheckFailed, None, ConditionalCheckFailed]',
    );
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    expect(error.CancellationReasons).toEqual([{ Code: 'None' }, failed, { Code: 'None' }, failed]);
    expect(await table.database.batchGet([other, taken, counter])).toEqual([
      undefined,
      { ...taken, owner: 'first' },
      undefined,
    ]);
  });

  it('has one effect for one client request token', async () => {
    const key = newKey();
    const token = `token-${key.pk}`;
    await transact([increment(key)], token);
    await transact([increment(key)], token);
    expect(await table.database.get(key)).toEqual({ ...key, n: 1 });
    await expect(transact([increment(key, 2)], token)).rejects.toBeInstanceOf(
      IdempotentParameterMismatchException,
    );
    await transact([increment(key)], `${token}-next`);
    expect(await table.database.get(key)).toEqual({ ...key, n: 2 });
  });

  it('remembers no token of a refused transaction', async () => {
    const key = newKey();
    const token = `token-${key.pk}`;
    const whenThere = table.database.updateOf(key, {
      UpdateExpression: 'ADD n :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': 1 },
    });
    await expect(transact([whenThere], token)).rejects.toBeInstanceOf(TransactionCanceledException);
    await table.database.put(key);
    await transact([whenThere], token);
    expect(await table.database.get(key)).toEqual({ ...key, n: 1 });
  });

  it('refuses two actions on one item', async () => {
    const key = newKey();
    expect(await refusal([added(key), increment(key)])).toMatchObject({
      name: 'ValidationException',
      message: 'Transaction request cannot include multiple operations on one item',
    });
    expect(await table.database.get(key)).toBeUndefined();
  });

  it('takes a hundred actions and no more', async () => {
    const puts = Array.from({ length: 101 }, () => added(newKey()));
    expect(await refusal(puts)).toMatchObject({ name: 'ValidationException' });
    await transact(puts.slice(0, 100));
    const last = puts[99]?.Put?.Item as Item;
    expect(await table.database.get(last)).toEqual(last);
  });

  it('changes nothing when a checked item does not meet its condition', async () => {
    const other = newKey();
    const missing = table.database.checkOf(newKey(), { ConditionExpression: 'attribute_exists(pk)' });
    const error = await refusal([missing, added(other)]);
    expect(error.CancellationReasons).toMatchObject([{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }]);
    expect(await table.database.get(other)).toBeUndefined();
  });

  it('changes nothing when an update cannot be applied', async () => {
    const [text, other] = [newKey(), newKey()];
    await table.database.put({ ...text, n: 'text' });
    await refusal([added(other), increment(text)]);
    expect(await table.database.get(other)).toBeUndefined();
  });

  it('refuses a malformed expression', async () => {
    const broken = table.database.checkOf(newKey(), { ConditionExpression: 'attribute_exists(' });
    expect(await refusal([broken])).toMatchObject({ name: 'ValidationException' });
  });
});
