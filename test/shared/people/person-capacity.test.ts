import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { serviceSettings } from '../../../shared/platform/settings/index.ts';
import { aCrowd } from '../../support/dialing/crowd.ts';
import { start } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';

const [once, threeTimes] = ['+8613800138001', '+8613800138003'];

describe('what a person costs in 200 data sources and 1,000 tasks', () => {
  let table: OpenTable;
  let measure: ReturnType<typeof meter>['measure'];

  beforeAll(async () => {
    table = await engines[0]!.open();
    await aCrowd(table.database, [once, threeTimes, threeTimes, threeTimes]);
    ({ measure } = meter(table.client));
  });
  afterAll(() => table.close());

  it.each(['', 'CN'])('is at most 350 read units to find, with the country %j', async (country) => {
    const { personFinder } = createRuntime({ ...serviceSettings({}), country }, table.database);
    for (const [number, contacts] of [
      [once, 1],
      [threeTimes, 3],
    ] as const) {
      const found = await personFinder.find(number, start);
      expect(found.contacts.map(({ tasks }) => tasks.length)).toEqual(Array(contacts).fill(5));
      const { rcu, wcu } = await measure(() => personFinder.find(number, start));
      expect([rcu <= 350, wcu]).toEqual([true, 0]);
    }
  });

  it('is at most 280 read units and 22 write units a contact to erase', async () => {
    const { erasures } = createRuntime(serviceSettings({}), table.database);
    for (const [phoneNumber, contactCount] of [
      [once, 1],
      [threeTimes, 3],
    ] as const) {
      let erased: object = {};
      const { rcu, wcu } = await measure(async () => {
        erased = await erasures.erase({ phoneNumber, keepDoNotCall: true }, start);
      });
      expect(erased).toEqual({ contactCount, taskCount: 5 * contactCount });
      expect(rcu / contactCount).toBeLessThanOrEqual(280);
      expect(wcu / contactCount).toBeLessThanOrEqual(22);
    }
  });
});
