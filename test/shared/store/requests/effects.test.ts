import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptId, once, type Trace, withinAttempt } from '../../../../shared/store/requests/effects.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';

describe.each(engines)('an effect of a request that may be sent again, on $name', ({ open }) => {
  let table: OpenTable;
  let done = 0;
  beforeAll(async () => {
    table = await open();
  });
  afterAll(() => table.close());

  const send = (id: string, now: number) =>
    withinAttempt({ id, now, expires: now + 100 }, () =>
      once(table.database, 'effect', async (trace: Trace<number>) => {
        await table.database.transact(trace(++done));
        return done;
      }),
    );

  it('happens once until its trace has expired, though nobody removes it', async () => {
    const first = await send('one', 1000);
    expect([await send('one', 1000), await send('one', 1100)]).toEqual([first, first]);
    expect(await send('one', 1101)).toBe(first + 1);
    expect(await send('one', 1102)).toBe(first + 1);
    expect(await send('another', 1000)).toBe(first + 2);
  });
});

it('what a request does belongs to it until its end, whoever else ends before', async () => {
  const attempt = (id: string) => ({ id, now: 0, expires: 100 });
  const seen: (string | undefined)[] = [];
  let resume = () => {};
  const held = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const long = withinAttempt(attempt('long'), async () => {
    await held;
    seen.push(attemptId());
  });
  await withinAttempt(attempt('short'), async () => seen.push(attemptId()));
  resume();
  await long;
  expect([...seen, attemptId()]).toEqual(['short', 'long', undefined]);
});
