import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EffectRecord, once } from '../../../../shared/platform/requests/effects.ts';
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
  const begin = 1_700_000_000;
  const requestKey = (id: string, after: number) => ({
    id,
    now: begin + after,
    expires: begin + after + 100,
  });
  const send = (id: string, after = 0) => once(table.database, requestKey(id, after), 'effect', effect);

  it('happens once until its record has expired, even if the record is still stored', async () => {
    const first = await send('one');
    expect([await send('one'), await send('one', 100)]).toEqual([first, first]);
    expect(await send('one', 101)).toBe(first + 1);
    expect(await send('one', 102)).toBe(first + 1);
    expect(await send('another')).toBe(first + 2);
  });

  it('happens once although another request with its key comes in between', async () => {
    let first: number | undefined;
    const slow = once(table.database, requestKey('race', 0), 'effect', async (record) => {
      first = await send('race');
      return effect(record as EffectRecord<number>);
    });
    expect(await slow).toBe(first);
    expect(await send('race')).toBe(first);
  });
});
