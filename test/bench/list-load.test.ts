import { expect, it } from 'vitest';
import { runList } from '../../bench/scale/list-load.ts';
import { secondMs } from '../../shared/platform/time/time.ts';

it('lists the events of 1,250 calls a second with 16 writers, and wastes at most a tenth of the units', async () => {
  const load = { writers: 16, asked: 1_250, gatheredMs: secondMs };
  const { listed, wastedPercent, units, sharedUnits } = await runList(load, 4);
  expect(listed).toBeGreaterThan(1_100);
  expect(wastedPercent).toBeLessThan(10);
  expect(units).toBeLessThan(1);
  expect(sharedUnits).toBeLessThan(100);
});
