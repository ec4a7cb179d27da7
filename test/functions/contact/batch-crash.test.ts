import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FaultProcess } from '../../support/faults/fault-process.ts';
import { World } from '../../support/faults/world.ts';
import { succeeded } from '../../support/service/api.ts';
import { send } from '../../support/service/post-scenarios.ts';

const phones = ['13800138000', '13800138001', '13800138002'];
/** Longer than any hold on an import. */
const patienceSeconds = 1200;

/** A request whose process ended while it wrote the contacts. */
const aBrokenBatch = async (world: World, laterSeconds = 0) => {
  const process = new FaultProcess(world);
  const { id } = await process.aDataSource();
  const path = `/api/dataSource/${id}/contact`;
  const contacts = phones.map((phoneNumber) => ({ phoneNumber }));
  const key = randomUUID();
  const sendTo = (next: FaultProcess) => send(next, { path: `${path}/batchAdd`, body: { contacts } }, key);
  process.line.begin({ call: 20, fault: 'ended after' });
  await Promise.race([sendTo(process), process.line.ended]);
  expect(process.line.calls.at(-1)).toBe('BatchExecuteStatement');
  world.clock.advance(laterSeconds);
  return { path, sendTo };
};

describe('a batch of contacts whose process has ended', () => {
  it('is added once under its key, whenever the schedule that took it over ends too', async () => {
    let laterAnswers = 0;
    for (let call = 1, isOver = false; !isOver; call++) {
      const world = await World.open();
      const { path, sendTo } = await aBrokenBatch(world, patienceSeconds);
      const schedule = new FaultProcess(world);
      schedule.line.begin({ call, fault: 'ended after' });
      await Promise.race([schedule.events.doDueFileWork(), schedule.line.ended]);
      isOver = !schedule.line.isOver;
      const next = new FaultProcess(world);
      let answer = await sendTo(next);
      if (answer.status !== 200) {
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([409, 'STILL_RUNNING']);
        laterAnswers++;
        world.clock.advance(patienceSeconds);
        answer = await sendTo(next);
      }
      const report = { importCount: 3, successCount: 3, failCount: 0, details: [] };
      expect(succeeded(answer), `the schedule ended after call ${call}`).toEqual(report);
      const { rows } = succeeded(await next.get(`${path}s`));
      expect(rows.map(({ phoneNumber }) => phoneNumber)).toEqual(phones);
      await world.close();
    }
    expect(laterAnswers).toBeGreaterThan(3);
  });

  it('is gone on with at once when the same request comes again', async () => {
    const world = await World.open();
    const { sendTo } = await aBrokenBatch(world);
    expect(succeeded(await sendTo(new FaultProcess(world)))).toMatchObject({ successCount: 3 });
    await world.close();
  });
});
