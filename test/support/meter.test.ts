import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, ifAbsent, keys, Lost } from '../../shared/platform/table/index.ts';
import { engines } from './engines/engines.ts';
import { meter } from './engines/meter.ts';

describe('the capacity meter', () => {
  let database: Database;
  let close: () => Promise<unknown>;
  let measure: ReturnType<typeof meter>['measure'];
  beforeAll(async () => {
    const opened = await engines[0]!.open();
    ({ database, close } = opened);
    ({ measure } = meter(opened.client));
  });
  afterAll(() => close());

  const key = (sk: string) => ({ pk: 'p', sk });
  const range = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'p' } };

  it('sizes an item by its names and values', async () => {
    const item = { ...key('a'), text: '中', bytes: new Uint8Array(10), number: -1234, flag: true };
    const usage = await measure(() => database.put(item));
    // pk 3, sk 3, text 4 + 3, bytes 5 + 10, number 6 + 4, flag 4 + 1
    expect(usage).toEqual({ rcu: 0, wcu: 1, calls: 1, depth: 1, bytes: 43 });
    expect(await measure(() => database.get(key('a')))).toMatchObject({ rcu: 1, bytes: 43 });
  });

  it('rounds a query up once, and each item of a batch by itself', async () => {
    await database.putAll(['b', 'c', 'd'].map((sk) => ({ ...key(sk), text: 'x'.repeat(1500) })));
    expect(await measure(() => database.queryAll(range))).toMatchObject({ rcu: 2, calls: 1 });
    const keysRead = ['b', 'c', 'd', 'none'].map(key);
    expect(await measure(() => database.batchGet(keysRead))).toMatchObject({ rcu: 4, calls: 1 });
  });

  it('counts the larger of before and after, and transactions twice', async () => {
    expect(await measure(() => database.put(key('b')))).toMatchObject({ wcu: 2 });
    expect(await measure(() => database.delete(key('c')))).toMatchObject({ wcu: 2 });
    const items = [database.putOf(key('e')), database.deleteOf(key('d'))];
    expect(await measure(() => database.transact(items))).toMatchObject({ wcu: 6, calls: 1 });
    const update = { UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 'x'.repeat(1100) } };
    expect(await measure(() => database.update(key('e'), update))).toMatchObject({ wcu: 2 });
  });

  it('counts a refused write, and index items beside the table', async () => {
    const add = () => database.put(keys.format, ifAbsent);
    await add();
    expect(await measure(() => expect(add()).rejects.toThrow(Lost))).toMatchObject({ wcu: 1 });
    const indexed = (gsi1pk: string) => database.put({ ...key('g'), gsi1pk, gsi1sk: '1' });
    expect(await measure(() => indexed('q1'))).toMatchObject({ wcu: 2 });
    expect(await measure(() => indexed('q2'))).toMatchObject({ wcu: 3 });
    const rewrite = (name: string) =>
      database.update(key('g'), {
        UpdateExpression: `SET ${name} = :new`,
        ExpressionAttributeValues: { ':new': 1 },
      });
    expect(await measure(() => rewrite('a'))).toMatchObject({ wcu: 1 });
    expect(await measure(() => rewrite('v'))).toMatchObject({ wcu: 2 });
    const remove = () => database.transact([database.deleteOf(key('g'))]);
    expect(await measure(remove)).toMatchObject({ wcu: 3 });
  });

  it('knows calls in a row from calls side by side', async () => {
    const get = () => database.get(key('a'));
    expect(await measure(async () => [await get(), await get()])).toMatchObject({ calls: 2, depth: 2 });
    expect(await measure(() => Promise.all([get(), get()]))).toMatchObject({ calls: 2, depth: 1 });
  });
});
