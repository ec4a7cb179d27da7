import {
  BatchExecuteStatementCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  PutItemCommand,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTableInput } from '../../../shared/platform/table/table.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';

describe.each(engines)('single items on $name', ({ open }) => {
  let table: OpenTable;
  let keys = 0;
  const newKey = () => ({ pk: `item-${++keys}`, sk: 'S' });
  const read = ({ pk, sk }: { pk: string; sk: string }) => table.database.get({ pk, sk });
  const put = (item: Record<string, unknown>, rest: object = {}) =>
    table.sdk.send(new PutCommand({ TableName: table.tableName, Item: item, ...rest }));
  const update = (Key: { pk: string; sk: string }, UpdateExpression: string, rest: object = {}) =>
    table.sdk.send(new UpdateCommand({ TableName: table.tableName, Key, UpdateExpression, ...rest }));
  const verdict = async (item: Record<string, unknown>, ConditionExpression: string, values = {}) => {
    const key = newKey();
    await put({ ...item, ...key });
    const ExpressionAttributeValues = Object.keys(values).length === 0 ? undefined : values;
    try {
      await put({ ...item, ...key }, { ConditionExpression, ExpressionAttributeValues });
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  beforeAll(async () => {
    table = await open();
  });
  afterAll(() => table.close());

  it('refuses to create a table twice', async () => {
    await expect(
      table.sdk.send(new CreateTableCommand(createTableInput(table.tableName))),
    ).rejects.toBeInstanceOf(ResourceInUseException);
  });

  it('says that a table is missing', async () => {
    const missing = { TableName: 'no-such-table' };
    await expect(table.sdk.send(new GetCommand({ ...missing, Key: newKey() }))).rejects.toBeInstanceOf(
      ResourceNotFoundException,
    );
  });

  it('gives back every kind of value', async () => {
    const item = {
      ...newKey(),
      text: 'Grüße 你好 😀',
      empty: '',
      number: -12.5,
      yes: true,
      no: false,
      nothing: null,
      bytes: new Uint8Array([0, 1, 254, 255]),
      words: new Set(['a', 'b']),
      numbers: new Set([1, 2.5]),
      list: [1, 'two', [3]],
      map: { a: { b: [] } },
    };
    await put(item);
    expect(await read(item)).toEqual(item);
  });

  it('keeps an attribute named __proto__', async () => {
    const Key = { pk: { S: 'proto' }, sk: { S: 'S' } };
    const Item = Object.fromEntries([...Object.entries(Key), ['__proto__', { S: 'plain' }]]);
    await table.sdk.send(new PutItemCommand({ TableName: table.tableName, Item }));
    // The SDK's own reader drops such a name; a condition sees what is stored.
    const overwrite = (value: string) =>
      table.sdk.send(
        new PutItemCommand({
          TableName: table.tableName,
          Item: Key,
          ConditionExpression: '#name = :value',
          ExpressionAttributeNames: { '#name': '__proto__' },
          ExpressionAttributeValues: { ':value': { S: value } },
        }),
      );
    await expect(overwrite('other')).rejects.toBeInstanceOf(ConditionalCheckFailedException);
    await overwrite('plain');
  });

  it.each([
    ['attribute_exists(a)', {}, true],
    ['attribute_exists(z)', {}, false],
    ['attribute_not_exists(z)', {}, true],
    ['a = :v', { ':v': 5 }, true],
    ['a = :v', { ':v': 5.0 }, true],
    ['a = :v', { ':v': '5' }, false],
    ['z = :v', { ':v': 5 }, false],
    ['z <> :v', { ':v': 5 }, true],
    ['a <> :v', { ':v': 5 }, false],
    ['a < :v', { ':v': 10 }, true],
    ['a < :v', { ':v': 5 }, false],
    ['a <= :v', { ':v': 5 }, true],
    ['a > :v', { ':v': -10 }, true],
    ['a > :v', { ':v': 5 }, false],
    ['a >= :v', { ':v': 5 }, true],
    ['a >= :v', { ':v': 5.5 }, false],
    ['a < :v', { ':v': 'text' }, false],
    ['z < :v', { ':v': 1 }, false],
    ['NOT z < :v', { ':v': 1 }, true],
    ['s < :v', { ':v': 'b' }, true],
    ['s BETWEEN :v AND :w', { ':v': 'apple', ':w': 'apple' }, true],
    ['a BETWEEN :v AND :w', { ':v': 6, ':w': 9 }, false],
    ['a IN (:v, :w)', { ':v': 1, ':w': 5 }, true],
    ['a IN (:v)', { ':v': 1 }, false],
    ['off IN (:v)', { ':v': false }, true],
    ['blank = :v', { ':v': '' }, true],
    ['size(blank) = :v', { ':v': 0 }, true],
    ['size(s) = :v', { ':v': 5 }, true],
    ['size(words) = :v', { ':v': 2 }, true],
    ['size(bytes) = :v', { ':v': 3 }, true],
    ['size(l) > :v', { ':v': 1 }, true],
    ['size(z) = :v', { ':v': 0 }, false],
    ['contains(s, :v)', { ':v': 'ppl' }, true],
    ['contains(words, :v)', { ':v': 'one' }, true],
    ['contains(words, :v)', { ':v': 'on' }, false],
    ['contains(l, :v)', { ':v': 2 }, true],
    ['contains(z, :v)', { ':v': 'x' }, false],
    ['begins_with(s, :v)', { ':v': 'app' }, true],
    ['begins_with(z, :v)', { ':v': 'app' }, false],
    ['attribute_type(a, :v)', { ':v': 'N' }, true],
    ['l = :v', { ':v': [1, 2] }, true],
    ['l = :v', { ':v': [2, 1] }, false],
    ['m = :v', { ':v': { k: 'v', n: { d: true } } }, true],
    ['m.n.d = :v', { ':v': true }, true],
    ['l[1] = :v', { ':v': 2 }, true],
    ['words = :v', { ':v': new Set(['two', 'one']) }, true],
    ['bytes = :v', { ':v': new Uint8Array([1, 2, 3]) }, true],
    ['bytes < :v', { ':v': new Uint8Array([1, 3]) }, true],
    ['(a = :v OR z = :v) AND NOT attribute_exists(z)', { ':v': 5 }, true],
    ['a = :v OR attribute_exists(z) AND attribute_exists(y)', { ':v': 5 }, true],
  ])('judges %s with %o: %s', async (condition, values, outcome) => {
    const item = {
      a: 5,
      s: 'apple',
      blank: '',
      off: false,
      words: new Set(['one', 'two']),
      bytes: new Uint8Array([1, 2, 3]),
      l: [1, 2],
      m: { k: 'v', n: { d: true } },
    };
    expect(await verdict(item, condition, values)).toBe(outcome);
  });

  it.each([
    ['SET a = :v', { a: 1 }, { ':v': 2 }, { a: 2 }],
    ['SET a = a + :v', { a: 1 }, { ':v': 2 }, { a: 3 }],
    ['SET a = a - :v', { a: 1 }, { ':v': 2.5 }, { a: -1.5 }],
    ['SET a = if_not_exists(a, :v) + :v', {}, { ':v': 2 }, { a: 4 }],
    ['SET a = if_not_exists(a, :v)', { a: 1 }, { ':v': 2 }, { a: 1 }],
    ['SET a = b, b = :v', { a: 1, b: 2 }, { ':v': 3 }, { a: 2, b: 3 }],
    ['SET a = b ADD b :v', { b: 2 }, { ':v': 3 }, { a: 2, b: 5 }],
    ['SET l = list_append(l, :v)', { l: [1] }, { ':v': [2, 3] }, { l: [1, 2, 3] }],
    ['SET l = list_append(if_not_exists(l, :e), :v)', {}, { ':e': [], ':v': ['x'] }, { l: ['x'] }],
    ['REMOVE a, z', { a: 1, b: 2 }, {}, { b: 2 }],
    ['ADD n :v', {}, { ':v': 5 }, { n: 5 }],
    ['ADD n :v', { n: 5 }, { ':v': -7 }, { n: -2 }],
    ['ADD s :v', {}, { ':v': new Set(['a']) }, { s: new Set(['a']) }],
    ['ADD s :v', { s: new Set(['a']) }, { ':v': new Set(['a', 'b']) }, { s: new Set(['a', 'b']) }],
    ['DELETE s :v', { s: new Set(['a', 'b']) }, { ':v': new Set(['a', 'c']) }, { s: new Set(['b']) }],
    ['DELETE s :v', { s: new Set(['a']), a: 1 }, { ':v': new Set(['a']) }, { a: 1 }],
    ['DELETE s :v', { a: 1 }, { ':v': new Set(['a']) }, { a: 1 }],
    ['SET b = :v', {}, { ':v': new Uint8Array([9]) }, { b: new Uint8Array([9]) }],
  ])('applies %s to %o', async (expression, before, values, after) => {
    const key = newKey();
    await put({ ...key, ...before });
    const ExpressionAttributeValues = Object.keys(values).length === 0 ? undefined : values;
    const { Attributes } = await update(key, expression, {
      ExpressionAttributeValues,
      ReturnValues: 'ALL_NEW',
    });
    expect(Attributes).toEqual({ ...key, ...after });
    expect(await read(key)).toEqual({ ...key, ...after });
  });

  it.each([
    ['SET a = z + :v', { ':v': 1 }, /refers to an attribute that does not exist in the item/],
    ['SET a = t + :v', { ':v': 1 }, /incorrect data type/],
    ['ADD t :v', { ':v': 1 }, /incorrect data type/],
    ['SET pk = :v', { ':v': 'x' }, /part of the key/],
    ['SET a = :missing', { ':v': 1 }, /expression attribute value used in expression is not defined/],
    ['SET a = :v, a = :v', { ':v': 1 }, /Two document paths overlap/],
    ['SET status = :v', { ':v': 1 }, /reserved keyword/],
    ['SET gsi1pk = :v', { ':v': '' }, /empty string value/],
    ['SET a = :v, b = :v', { ':v': 'x'.repeat(210_000) }, /size to update has exceeded/],
  ])('refuses %s', async (expression, values, message) => {
    const item = { ...newKey(), t: 'text' };
    await put(item);
    const { pk, sk } = item;
    const error = await update({ pk, sk }, expression, { ExpressionAttributeValues: values }).catch((e) => e);
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(message);
    expect(await read(item)).toEqual(item);
  });

  it('answers old and new attributes of an update', async () => {
    const key = newKey();
    const set = (ReturnValues: string, value: number) =>
      update(key, 'SET a = :v', { ExpressionAttributeValues: { ':v': value }, ReturnValues });
    expect((await set('ALL_OLD', 1)).Attributes).toBeUndefined();
    expect((await set('ALL_OLD', 2)).Attributes).toEqual({ ...key, a: 1 });
    expect((await set('ALL_NEW', 4)).Attributes).toEqual({ ...key, a: 4 });
    expect((await set('NONE', 5)).Attributes).toBeUndefined();
  });

  it('deletes under a condition and answers what was there', async () => {
    const item = { ...newKey(), version: 3 };
    const { pk, sk } = item;
    await put(item);
    const remove = (version: number) =>
      table.sdk.send(
        new DeleteCommand({
          TableName: table.tableName,
          Key: { pk, sk },
          ConditionExpression: 'version = :v',
          ExpressionAttributeValues: { ':v': version },
          ReturnValues: 'ALL_OLD',
        }),
      );
    await expect(remove(2)).rejects.toBeInstanceOf(ConditionalCheckFailedException);
    await expect(remove(2)).rejects.toThrow('The conditional request failed');
    expect((await remove(3)).Attributes).toEqual(item);
    expect(await read(item)).toBeUndefined();
  });

  it('refuses an item above 400 KB, counted in bytes', async () => {
    await put({ ...newKey(), text: 'x'.repeat(400_000) });
    const error = await put({ ...newKey(), text: '你'.repeat(140_000) }).catch((e) => e);
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(/size has exceeded/);
  });

  it.each([
    { pk: 'only' },
    { pk: 'empty', sk: '' },
    { pk: 1, sk: 'number' },
    { pk: 'index', sk: 'S', gsi1pk: 5, gsi1sk: 'x' },
    { pk: 'index', sk: 'S', gsi1pk: '', gsi1sk: 'x' },
  ])('refuses the keys of %o', async (item) => {
    await expect(put(item)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('writes and reads in batches', async () => {
    const items = Array.from({ length: 25 }, (_, i) => ({ pk: 'batch', sk: `${i}`, i }));
    const batch = (requests: object[]) =>
      table.sdk.send(new BatchWriteCommand({ RequestItems: { [table.tableName]: requests } }));
    const answer = await batch(items.map((Item) => ({ PutRequest: { Item } })));
    expect(answer.UnprocessedItems).toEqual({});
    await batch([{ DeleteRequest: { Key: { pk: 'batch', sk: '7' } } }]);
    const { Responses, UnprocessedKeys } = await table.sdk.send(
      new BatchGetCommand({
        RequestItems: { [table.tableName]: { Keys: items.map(({ pk, sk }) => ({ pk, sk })) } },
      }),
    );
    expect(UnprocessedKeys).toEqual({});
    const found = Responses?.[table.tableName]?.sort((a, b) => a.i - b.i);
    expect(found).toEqual(items.filter(({ i }) => i !== 7));
    // Beyond 16 MB the others are named as not read.
    const large = Array.from({ length: 45 }, (_, i) => ({ pk: 'large', sk: `${i}` }));
    for (const key of large) await put({ ...key, text: 'x'.repeat(400_000) });
    expect((await table.database.batchGet(large)).every((item) => item !== undefined)).toBe(true);
  });

  it('refuses batches that are too long or name an item twice', async () => {
    const requests = Array.from({ length: 26 }, (_, i) => ({
      PutRequest: { Item: { pk: 'long', sk: `${i}` } },
    }));
    const batch = (items: object[]) =>
      table.sdk.send(new BatchWriteCommand({ RequestItems: { [table.tableName]: items } }));
    await expect(batch(requests)).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(batch([requests[0]!, requests[0]!])).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Provided list of item keys contains duplicates',
    });
    expect(await read({ pk: 'long', sk: '0' })).toBeUndefined();
  });

  it('inserts by statements and reports each duplicate by its index', async () => {
    const statement = (phone: string, seq: number) => ({
      Statement: `INSERT INTO "${table.tableName}" VALUE {'pk': ?, 'sk': ?, 'seq': ?, 'importId': ?}`,
      Parameters: [{ S: phone }, { S: 'P' }, { N: `${seq}` }, { S: 'import' }],
    });
    const insert = async (statements: ReturnType<typeof statement>[]) => {
      const answer = await table.sdk.send(new BatchExecuteStatementCommand({ Statements: statements }));
      return answer.Responses?.map(
        ({ Error: error }) => error && { Code: error.Code, Message: error.Message },
      );
    };
    const duplicate = { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' };
    expect(await insert([statement('p1', 1), statement('p2', 2)])).toEqual([undefined, undefined]);
    const second = await insert([statement('p0', 3), statement('p1', 4), statement('p3', 5)]);
    expect(second).toEqual([undefined, duplicate, undefined]);
    expect(await read({ pk: 'p1', sk: 'P' })).toEqual({ pk: 'p1', sk: 'P', seq: 1, importId: 'import' });
    expect(await read({ pk: 'p3', sk: 'P' })).toMatchObject({ seq: 5 });
    const change = (phone: string, from: number, to: number) => ({
      Statement: `UPDATE "${table.tableName}" SET "seq" = ? WHERE "pk" = ? AND "sk" = ? AND "seq" = ?`,
      Parameters: [{ N: `${to}` }, { S: phone }, { S: 'P' }, { N: `${from}` }],
    });
    const refused = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    const changes = [change('p1', 1, 7), change('p2', 1, 7), change('none', 1, 7)];
    expect(await insert(changes as never)).toEqual([undefined, refused, refused]);
    expect(await read({ pk: 'p1', sk: 'P' })).toMatchObject({ seq: 7 });
    expect(await read({ pk: 'p2', sk: 'P' })).toMatchObject({ seq: 2 });
    const many = Array.from({ length: 26 }, (_, i) => statement(`many-${i}`, i));
    await expect(insert(many)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('serialises concurrent updates of one item', async () => {
    const key = newKey();
    await Promise.all(
      Array.from({ length: 50 }, () =>
        update(key, 'ADD n :one', { ExpressionAttributeValues: { ':one': 1 } }),
      ),
    );
    expect(await read(key)).toMatchObject({ n: 50 });
    const puts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        put({ pk: 'race', sk: 'S', i }, { ConditionExpression: 'attribute_not_exists(pk)' }),
      ),
    );
    expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
