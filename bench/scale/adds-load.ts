import { createDataSource } from '../../shared/contacts/rules/data-source.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import { seedTime } from '../../test/support/engines/seed-contacts.ts';
import { arrivals } from './arrivals.ts';
import { openWorld, percentile, type World } from './world.ts';

export type AddsFigures = {
  asked: number;
  /** Per second. */
  added: number;
  /** Percent of the contacts that were asked for. */
  turnedAwayPercent: number;
  lostPercent: number;
  /** Calls to the table for each contact that was asked for. */
  calls: number;
  /** Write units of each contact that was added, without those of refused writes. */
  units: number;
  ms: { p50: number; p99: number };
};

/** Seconds. The first one shows how the load begins. */
const warmUp = 1;
const end = 4;

/** Single contacts that programs add to one list, each by a process of its own. */
export const runAdds = async (asked: number): Promise<AddsFigures> => {
  const world = await openWorld();
  try {
    return await world.time.run(() => measure(world, asked));
  } finally {
    await world.close();
  }
};

const measure = async (world: World, asked: number): Promise<AddsFigures> => {
  const { time, table, heat } = world;
  const dataSource = createDataSource({ dataSourceName: 'list' }, world.newId(), seedTime);
  await world.atOnce.dataSources.add(dataSource);
  const waits: number[] = [];
  let added = 0;
  let turnedAway = 0;
  const add = async (at: number): Promise<void> => {
    const begun = time.now;
    const { contacts } = world.process();
    const contact = {
      phoneNumber: `+1555${String(at).padStart(7, '0')}`,
      fields: { customerName: 'Ann Example' },
    };
    try {
      await contacts.add(dataSource.id, contact, world.now());
      if (time.now >= warmUp * 1000 && time.now < end * 1000) added++;
    } catch (error) {
      if (!(error instanceof ServiceError && error.word === 'TOO_MANY_CHANGES')) throw error;
      if (begun >= warmUp * 1000) turnedAway++;
    }
    if (begun >= warmUp * 1000) waits.push(time.now - begun);
  };
  const all = arrivals(time, { perSecond: asked, end: end * 1000 }, add);
  await time.sleep(warmUp * 1000);
  table.begin();
  heat.begin();
  await all;
  const { transactions, lost, calls } = table.sent;
  return {
    asked,
    added: added / (end - warmUp),
    turnedAwayPercent: (100 * turnedAway) / waits.length,
    lostPercent: (100 * lost) / transactions,
    calls: calls / waits.length,
    units: heat.units / added,
    ms: { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) },
  };
};
