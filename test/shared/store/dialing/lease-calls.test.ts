import { expect, it } from 'vitest';
import { aRunningTask, aService, start } from '../../../support/dialing/dialing.ts';
import { engines } from '../../../support/engines/engines.ts';
import { meter } from '../../../support/engines/meter.ts';

it('a lease of one call among 20 tasks makes at most twice the requests for a call that a lease of ten makes', async () => {
  const { database, client, close } = await engines[0]!.open();
  const service = aService(database);
  for (let i = 0; i < 20; i++) await aRunningTask(database, service, { contactCount: 40 });
  const { measure } = meter(client);
  const lease = (limit: number) => service.dialer.lease({ limit, leaseSeconds: 600 }, start);
  // The first contacts of each task are taken up.
  await lease(20);
  const counted = async (limit: number) => {
    const { calls } = await measure(async () => {
      expect((await lease(limit)).calls).toHaveLength(limit);
    });
    return calls / limit;
  };
  const ten = await counted(10);
  const one = await counted(1);
  expect(one).toBeLessThanOrEqual(2 * ten);
  await close();
});
