import { expect, it } from 'vitest';
import { DeliveryRows, keptRows } from '../../../shared/events/deliveries.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import { start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';

it('the attempts to deliver are read page by page, without those that were not saved yet', async () => {
  const { database, close } = await engines[0]!.open();
  const rows = new DeliveryRows(database);
  const event = { id: 'e', type: 'task.deleted', time: '', data: {} } as const;
  const attempt = { event, attempt: 1, time: start, answer: { status: 200, ms: 1 }, next: null };
  // The last ten lie where the first ten were.
  await rows.put(
    'one',
    0,
    Array.from({ length: keptRows }, () => attempt),
  );
  await rows.put(
    'one',
    keptRows,
    Array.from({ length: 10 }, () => attempt),
  );
  const page = (before: number, isWanted = true) =>
    rows.page('one', { before, pageSize: 50, count: keptRows }, () => isWanted);
  const last = await page(30);
  expect(last.rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, i) => 29 - i));
  expect(last.next).toBeNull();
  // A request that finds nothing ends somewhere, and says where to go on.
  expect(await page(keptRows, false)).toEqual({ rows: [], next: keptRows - 300 });
  const { ttl } = (await database.get(keys.deliveryRow('one', 0)))!;
  expect(Number(ttl) * 1000, 'kept as long as the event').toBe(start + 30 * dayMs);
  await close();
});
