import {
  BatchWriteCommand,
  DeleteCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { randomRuns } from '../../support/run/extent.ts';

const sortKeys = ['', ...'! / 0 00 1 10 2 A a a/ aa ab b ~ é 你 😀'.split(' ')].map((text) => `k${text}`);
const inByteOrder = [...sortKeys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe.each(engines)('queries on $name', ({ open }) => {
  let table: OpenTable;
  const query = (range: object) => table.sdk.send(new QueryCommand({ TableName: table.tableName, ...range }));
  const sortKeysOf = async (range: object) => (await query(range)).Items?.map(({ sk }) => sk);
  const within = (condition: string, values: object, rest: object = {}) =>
    sortKeysOf({
      KeyConditionExpression: `pk = :pk AND ${condition}`,
      ExpressionAttributeValues: { ':pk': 'partition', ...values },
      ...rest,
    });
  const whole = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'partition' } };

  beforeAll(async () => {
    table = await open();
    const items = sortKeys.map((sk, n) => ({ pk: 'partition', sk, n }));
    const neighbours = ['partitio', 'partition/', 'partition0'].map((pk) => ({ pk, sk: 'k1' }));
    const due = Array.from({ length: 12 }, (_, i) => ({
      pk: `contact-${i}`,
      sk: 'S',
      gsi1pk: 'due',
      gsi1sk: `t${Math.floor(i / 4)}`,
    }));
    await table.database.putAll([...items, ...neighbours, ...due]);
  });
  afterAll(() => table.close());

  it('answers one partition in the order of the bytes, forwards and backwards', async () => {
    expect(await sortKeysOf(whole)).toEqual(inByteOrder);
    expect(await sortKeysOf({ ...whole, ScanIndexForward: false })).toEqual([...inByteOrder].reverse());
  });

  it('meets every condition on the sort key', async () => {
    const arbitrary = fc.constantFrom(...sortKeys);
    await fc.assert(
      fc.asyncProperty(arbitrary, arbitrary, async (a, b) => {
        const [low, high] = [a, b].sort((x, y) => inByteOrder.indexOf(x) - inByteOrder.indexOf(y));
        const from = inByteOrder.indexOf(low!);
        const to = inByteOrder.indexOf(high!);
        const v = { ':v': low };
        expect(await within('sk = :v', v)).toEqual([low]);
        expect(await within('sk < :v', v)).toEqual(inByteOrder.slice(0, from));
        expect(await within('sk <= :v', v)).toEqual(inByteOrder.slice(0, from + 1));
        expect(await within('sk > :v', v)).toEqual(inByteOrder.slice(from + 1));
        expect(await within('sk >= :v', v)).toEqual(inByteOrder.slice(from));
        expect(await within('begins_with(sk, :v)', v)).toEqual(
          inByteOrder.filter((sk) => sk.startsWith(low!)),
        );
        expect(await within('sk BETWEEN :v AND :w', { ...v, ':w': high })).toEqual(
          inByteOrder.slice(from, to + 1),
        );
      }),
      randomRuns(15),
    );
  });

  it('refuses a lower bound above the upper one, also of an expression that it has seen before', async () => {
    const between = (low: string, high: string) =>
      within('sk BETWEEN :v AND :w', { ':v': `k${low}`, ':w': `k${high}` });
    expect(await between('a', 'b')).toEqual(['ka', 'ka/', 'kaa', 'kab', 'kb']);
    await expect(between('b', 'a')).rejects.toThrow('requires upper bound to be greater than or equal to');
    expect(await between('b', 'b')).toEqual(['kb']);
  });

  it('scans every item in one of several segments, page by page', async () => {
    const TotalSegments = 3;
    const names: string[] = [];
    for (let Segment = 0; Segment < TotalSegments; Segment++) {
      let ExclusiveStartKey: Record<string, unknown> | undefined;
      do {
        const scan = { TableName: table.tableName, Segment, TotalSegments, Limit: 4, ExclusiveStartKey };
        const page = await table.sdk.send(new ScanCommand(scan));
        names.push(...(page.Items ?? []).map(({ pk, sk }) => `${pk} ${sk}`));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
    }
    const all = await table.sdk.send(new ScanCommand({ TableName: table.tableName }));
    expect(names.sort()).toEqual((all.Items ?? []).map(({ pk, sk }) => `${pk} ${sk}`).sort());
  });

  it.each([true, false])('goes on after the last key of a page (forward: %s)', async (ScanIndexForward) => {
    const seen: unknown[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await query({ ...whole, ScanIndexForward, Limit: 5, ExclusiveStartKey });
      expect(page.Items?.length).toBeLessThanOrEqual(5);
      seen.push(...(page.Items ?? []).map(({ sk }) => sk));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    expect(seen).toEqual(ScanIndexForward ? inByteOrder : [...inByteOrder].reverse());
  });

  it('answers a last key exactly when the limit ended the page', async () => {
    expect((await query({ ...whole, Limit: sortKeys.length })).LastEvaluatedKey).toEqual({
      pk: 'partition',
      sk: inByteOrder.at(-1),
    });
    expect((await query({ ...whole, Limit: sortKeys.length + 1 })).LastEvaluatedKey).toBeUndefined();
    expect((await query({ ...whole, Limit: 2 })).LastEvaluatedKey).toEqual({
      pk: 'partition',
      sk: inByteOrder[1],
    });
  });

  it('ends a page at one megabyte', async () => {
    const text = 'x'.repeat(100_000);
    const items = Array.from({ length: 15 }, (_, i) => ({
      pk: 'large',
      sk: String(i).padStart(2, '0'),
      text,
    }));
    for (const Item of items) {
      await table.sdk.send(
        new BatchWriteCommand({ RequestItems: { [table.tableName]: [{ PutRequest: { Item } }] } }),
      );
    }
    const range = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'large' } };
    const { Items, LastEvaluatedKey } = await query(range);
    expect(Items).toHaveLength(11);
    expect(LastEvaluatedKey).toEqual({ pk: 'large', sk: '10' });
    expect(await table.database.queryAll(range)).toHaveLength(15);
  });

  const due = {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsi1pk = :due',
    ExpressionAttributeValues: { ':due': 'due' },
  };
  const numbers = (items: Record<string, unknown>[] = []) =>
    items.map(({ pk }) => Number(String(pk).replace('contact-', ''))).sort((a, b) => a - b);

  it('finds items by the index, page by page, also when many share a key', async () => {
    for (const ScanIndexForward of [true, false]) {
      const pages: Record<string, unknown>[] = [];
      let ExclusiveStartKey: Record<string, unknown> | undefined;
      do {
        const page = await query({ ...due, ScanIndexForward, Limit: 3, ExclusiveStartKey });
        pages.push(...(page.Items ?? []));
        ExclusiveStartKey = page.LastEvaluatedKey;
        if (ExclusiveStartKey)
          expect(Object.keys(ExclusiveStartKey).sort()).toEqual(['gsi1pk', 'gsi1sk', 'pk', 'sk']);
      } while (ExclusiveStartKey);
      expect(numbers(pages)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      const times = pages.map(({ gsi1sk }) => String(gsi1sk));
      expect(times).toEqual(ScanIndexForward ? [...times].sort() : [...times].sort().reverse());
    }
    const until = await query({
      ...due,
      KeyConditionExpression: 'gsi1pk = :due AND gsi1sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':due': 'due', ':from': 't1', ':to': 't2' },
    });
    expect(numbers(until.Items)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('keeps the index sparse, in step with the items and without what it does not project', async () => {
    const key = { pk: 'moving', sk: 'S' };
    const indexed = async (partition: string) =>
      (await query({ ...due, ExpressionAttributeValues: { ':due': partition } })).Items;
    const update = (UpdateExpression: string, values?: Record<string, unknown>) =>
      table.sdk.send(
        new UpdateCommand({
          TableName: table.tableName,
          Key: key,
          UpdateExpression,
          ...(values && { ExpressionAttributeValues: values }),
        }),
      );
    await update('SET gsi1pk = :p', { ':p': 'queue' });
    expect(await indexed('queue')).toEqual([]);
    await update('SET gsi1sk = :s, n = :n, v = :n', { ':s': 't', ':n': 1 });
    expect(await indexed('queue')).toEqual([{ ...key, gsi1pk: 'queue', gsi1sk: 't', v: 1 }]);
    await update('SET gsi1pk = :p, n = :n, v = :n', { ':p': 'done', ':n': 2 });
    expect(await indexed('queue')).toEqual([]);
    expect(await indexed('done')).toEqual([{ ...key, gsi1pk: 'done', gsi1sk: 't', v: 2 }]);
    await update('REMOVE gsi1sk');
    expect(await indexed('done')).toEqual([]);
    await update('SET gsi1sk = :s', { ':s': 'u' });
    expect(await indexed('done')).toHaveLength(1);
    await table.sdk.send(new DeleteCommand({ TableName: table.tableName, Key: key }));
    expect(await indexed('done')).toEqual([]);
  });

  it.each([
    ['an unknown index', { ...due, IndexName: 'gsi2' }],
    ['a consistent read of the index', { ...due, ConsistentRead: true }],
    ['a range over partitions', { ...whole, KeyConditionExpression: 'pk > :pk' }],
    ['a filter on the key', { ...whole, FilterExpression: 'sk = :pk' }],
    ['a start outside the partition', { ...whole, ExclusiveStartKey: { pk: 'other', sk: 'k1' } }],
    ['no partition', { ...whole, KeyConditionExpression: 'sk = :pk' }],
  ])('refuses %s', async (_, range) => {
    await expect(query(range)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
