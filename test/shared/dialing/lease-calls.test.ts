import { expect, it } from 'vitest';
import { Database, type TableClient } from '../../../shared/platform/table/index.ts';
import { aRunningTask, aService, start } from '../../support/dialing/dialing.ts';
import { opened } from '../../support/dialing/open-dialing.ts';
import { meter } from '../../support/engines/meter.ts';

it('a lease of one call among 20 tasks makes at most twice the requests for a call that a lease of ten makes', async () => {
  const { database, client, service } = await opened();
  for (let i = 0; i < 20; i++) await aRunningTask(database, service, { contactCount: 40 });
  const { measure } = meter(client);
  const lease = (limit: number) => service.dialer.leases.lease({ limit, leaseSeconds: 600 }, start);
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
});

it.each([
  ['has a key', {}, { id: 'one', now: start / 1000, expires: start / 1000 + 60 }],
  ['takes a channel', { maxConcurrentCalls: 5 }, undefined],
])(
  'a lease that %s answers its calls, though the answers to their writes got lost',
  async (_, limits, key) => {
    const { database, client, tableName, service } = await opened();
    const task = await aRunningTask(database, service, { contactCount: 2, ...limits });
    const isLease = ({ input }: { input: { Item?: { state?: string } } }) => input.Item?.state === 'leased';
    // The SDK sends it again, and finds its own write.
    const send = async (command: never) => {
      if (isLease(command)) await client.send(command);
      return client.send(command);
    };
    const forgetful = aService(new Database({ send } as unknown as TableClient, tableName));
    const { calls } = await forgetful.dialer.leases.lease(
      { limit: 2, leaseSeconds: 60, taskId: task.id },
      start,
      key,
    );
    expect(calls).toHaveLength(2);
  },
);
