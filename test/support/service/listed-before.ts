import type { ServiceEvent } from '../../../shared/events/rules/service-event.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { dayMs, secondMs } from '../../../shared/platform/time/time.ts';

/** Lists events as release 0.5 did, in one page. */
export const listAsBefore = async (database: Database, events: readonly ServiceEvent[], now: number) => {
  const range = { ...partitionRange(keys.earlierEvents), ScanIndexForward: false, Limit: 1 };
  const [last] = await database.queryAll(range);
  const number = (last === undefined ? now : Number(last.sk)) + 1;
  const ttl = Math.ceil((now + 31 * dayMs) / secondMs);
  await database.put({ ...keys.earlierEventPage(number), time: now, events: JSON.stringify(events), ttl });
};
