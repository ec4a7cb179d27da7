import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../shared/platform/table/database.ts';
import { ClaimAttributes } from '../../../../shared/platform/table/optimistic.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';

const now = 1_700_000_000_000;
const until = now + 1000;
const claims = new ClaimAttributes('runner', 'until');

describe.each(engines)('a claim on $name', ({ open }) => {
  let table: OpenTable;
  let database: Database;
  let key: { pk: string; sk: string };
  let items = 0;
  beforeAll(async () => {
    table = await open();
    ({ database } = table);
  });
  afterAll(() => table.close());
  beforeEach(() => {
    key = { pk: `CLAIM#${items++}`, sk: 'CLAIM' };
  });

  const take = (owner: string, at = now, dead?: Parameters<ClaimAttributes['ifFree']>[0]['dead']) =>
    claims.put(database, key, { owner, now: at, until: at + 1000, dead });

  it('is given to one of five who ask at once', async () => {
    const taken = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => take(owner)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
  });

  it('is kept until it expires, and lies in the attributes it was given', async () => {
    expect(await take('a')).toBe(true);
    expect(await database.get(key)).toEqual({ ...key, runner: 'a', until });
    expect(await take('b', until - 1)).toBe(false);
    expect(await take('b', until)).toBe(true);
  });

  it('is given to its owner again, whose first answer may have got lost', async () => {
    await take('a');
    expect(await take('a')).toBe(true);
  });

  it('ends when its owner releases it, and only then', async () => {
    await take('a');
    await claims.release(database, key, 'b');
    expect(await take('b')).toBe(false);
    await claims.release(database, key, 'a');
    expect(await take('b')).toBe(true);
  });

  it('is free before it expires when its owner is known to be dead', async () => {
    await take('old-1');
    expect(await take('new-1', now, { beginWith: 'new' })).toBe(false);
    expect(await take('new-1', now, { doNotBeginWith: 'old' })).toBe(false);
    expect(await take('new-1', now, { beginWith: 'old' })).toBe(true);
    expect(await take('next', now, { doNotBeginWith: 'next' })).toBe(true);
    expect(await take('last', now, 'all')).toBe(true);
  });
});
