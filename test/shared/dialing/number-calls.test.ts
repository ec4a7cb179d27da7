import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { withoutCountry } from '../../../shared/contacts/rules/phone-number.ts';
import { openNumbers } from '../../../shared/dialing/dialer.ts';
import { numberHolds } from '../../../shared/dialing/rules/number-limits.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { type Key, keys } from '../../../shared/platform/table/keys.ts';
import { minute, start } from '../../support/dialing/dialing.ts';
import { openDialing } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { between } from '../../support/service/crash-point.ts';

const number = '+4930123456';
const twoAnHour = { perDay: 0, zone: 'UTC', windows: [{ calls: 2, minutes: 60 }], restAfterSuccess: 0 };

describe('the calls to a number', () => {
  let database: Database;
  let client: OpenTable['client'];
  openDialing('all', engines[0]!, (opened) => {
    ({ database, client } = opened);
  });
  const aProcess = () =>
    openNumbers(database, { ...openStores(database), phones: async () => withoutCountry });

  it('are counted by one process after the other, though both have read the same', async () => {
    const [one, other] = [aProcess(), aProcess()];
    const holdsAt = (now: number) => (history: Parameters<typeof numberHolds>[0]) =>
      numberHolds(history, twoAnHour, now, false);
    await one.begin(start);
    const add = (by: typeof one, id: string, now: number, ...first: Parameters<typeof one.add>[4][]) =>
      by.add(number, { id, time: now }, holdsAt(now), now, first[0]);
    expect(await add(one, 'a', start)).toEqual([]);
    const now = start + minute;
    const [seen] = await other.read([number], now);
    expect(await add(one, 'b', now)).toEqual([]);
    expect(await add(other, 'c', now, seen)).toMatchObject([{ reason: 'CALL_LIMITS' }]);
    // A call that is held back does not count.
    expect(await one.read([number], now)).toMatchObject([{ calls: [{ id: 'a' }, { id: 'b' }] }]);
    expect(await add(other, 'b', now, seen)).toEqual([]);
    await one.remove(number, 'b', now);
    expect(await add(other, 'c', now)).toEqual([]);
    const [history] = await one.read([number], now);
    expect(history!.calls.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('are looked up again by the process whose first look failed', async () => {
    const process = aProcess();
    const gone = new Error('the table does not answer');
    const failing = between(client, (send) => async (command) => {
      if ((command.input as { Key?: Key }).Key?.sk === keys.calledBefore.sk) throw gone;
      return send(command);
    });
    await expect(process.read(['+4930222222'], start)).rejects.toBe(gone);
    failing.restore();
    expect(await process.read(['+4930222222'], start)).toMatchObject([{ calls: [] }]);
  });
});
