import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EffectRecord, once } from '../../../../shared/store/requests/index.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';

describe.each(engines)('an effect of a request with a key, on $name', ({ open }) => {
  let table: OpenTable;
  let done = 0;
  beforeAll(async () => {
    table = await open();
  });
  afterAll(() => table.close());

  const effect = async (effectRecord: EffectRecord<number>) => {
    await table.database.transact(effectRecord(++done));
    return done;
  };
  const send = (id: string, now: number) =>
    once(table.database, { id, now, expires: now + 100 }, 'effect', effect);

  it('happens once until its record has expired, even if the record is still stored', async () => {
    const first = await send('one', 1000);
    expect([await send('one', 1000), await send('one', 1100)]).toEqual([first, first]);
    expect(await send('one', 1101)).toBe(first + 1);
    expect(await send('one', 1102)).toBe(first + 1);
    expect(await send('another', 1000)).toBe(first + 2);
  });

  it('happens once although another request with its key comes in between', async () => {
    let first: number | undefined;
    const slow = once(table.database, { id: 'race', now: 1000, expires: 1100 }, 'effect', async (record) => {
      first = await send('race', 1000);
      return effect(record as EffectRecord<number>);
    });
    expect(await slow).toBe(first);
    expect(await send('race', 1000)).toBe(first);
  });
});
