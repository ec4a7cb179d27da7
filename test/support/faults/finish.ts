import { expect } from 'vitest';
import { keys } from '../../../shared/platform/table/keys.ts';
import { contactEvent } from '../aws/contact-events.ts';
import { quietSeconds } from '../service/removal.ts';
import { Shelf } from './audit.ts';
import type { FaultProcess } from './fault-process.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

const sweepSeconds = 7 * 60;
const longestLease = 3601;
/**
 * A request draws how long it leaves contacts to another one that was handed them: up to six
 * seconds.
 */
const handedSeconds = 7;
/** Longer than a pump that has died keeps the others from pumping. */
const turnSeconds = 121;

/** Whatever was broken off is ended as schedules do it, and then the calls are made. */
export const finish = async ({ dials }: Scenario, process: FaultProcess, world: World): Promise<void> => {
  world.clock.advance(sweepSeconds);
  await process.events.doDueFileWork();
  await process.events.doDueWork();
  await process.events.doDueWork();
  // Later than any writer that was at work when something was deleted.
  world.clock.advance(quietSeconds);
  await process.events.doDueFileWork();
  for (const { id: webhookId } of new Shelf(world.items).below(keys.webhooks))
    await process.events.deliverEvents({ Records: [{ body: JSON.stringify({ webhookId }) }] });
  if (dials === 'dialer') await dialAll(process, world);
  if (dials === 'connect') await connectAll(process, world);
};

type Calls = { calls: { callId: string; contactId: string }[] };

const dialAll = async (process: FaultProcess, world: World): Promise<void> => {
  world.clock.advance(longestLease);
  for (let empty = 0; empty < 2; ) {
    const { body } = await process.post('/api/dialer/lease', { limit: 100, leaseSeconds: 3600 });
    const { calls } = body.data as unknown as Calls;
    empty = calls.length === 0 ? empty + 1 : 0;
    if (empty > 0) world.clock.advance(handedSeconds);
    for (const { callId } of calls) {
      const { status } = await process.post('/api/dialer/result', {
        callId,
        outcome: 'success',
        duration: 5,
      });
      expect(status).toBe(200);
    }
  }
};

/** Each call ends and Connect tells so; then come those whose lease nobody knows of. */
const connectAll = async (process: FaultProcess, world: World): Promise<void> => {
  const hangUp = async () => {
    for (const { contactId } of world.connect.started)
      await process.events.connectResults(contactEvent({ contactId }));
  };
  for (const seconds of [turnSeconds, longestLease, turnSeconds]) {
    await hangUp();
    world.clock.advance(seconds);
    await process.events.pumpCalls();
  }
  await hangUp();
  const called = world.connect.started.map(({ attributes }) => attributes.outbound_contact_id);
  expect([...new Set(called)], 'nobody is called twice').toEqual(called);
};
