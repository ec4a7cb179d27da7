import { contactStatus } from '../../shared/contacts/rules/contact.ts';
import { EventList } from '../../shared/events/event-list.ts';
import type { ServiceEvent } from '../../shared/events/rules/service-event.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { keys } from '../../shared/platform/table/keys.ts';
import { secondMs } from '../../shared/platform/time/time.ts';
import { seedTime } from '../../test/support/engines/seed-contacts.ts';
import { openWorld, percentile, type World } from './world.ts';

/**
 * `asked`: calls that end in a second. Their changes are in as many shards of the stream as there
 * are writers. A writer gets the changes of its shard that came within `gatheredMs`, at most 100.
 */
export type ListLoad = { writers: number; asked: number; gatheredMs: number };

export type ListFigures = ListLoad & {
  /** Calls a second whose events were listed. */
  listed: number;
  /** Write units of each call, which ends and settles its contact. */
  units: number;
  /** Units of refused writes, as a percentage of all units. */
  wastedPercent: number;
  /** Units of the hottest key that all writers share, in its busiest second. */
  sharedUnits: number;
  /** From the stream to the list. */
  ms: { p50: number; p99: number };
};

/** Like the mapping of the stream. */
const changesAtOnce = 100;

/** A change in the stream of one shard. */
type Told = { at: number; event: ServiceEvent };

export const runList = async (load: ListLoad, seconds = 10): Promise<ListFigures> => {
  const world = await openWorld();
  try {
    return await world.time.run(() => measure(world, load, seconds));
  } finally {
    await world.close();
  }
};

const measure = async (
  { time, heat, table, tableName, newId, now }: World,
  load: ListLoad,
  seconds: number,
): Promise<ListFigures> => {
  const { writers, asked, gatheredMs } = load;
  /** The time while all writers are at work. */
  const counted = { from: 2 * secondMs, to: seconds * secondMs };
  const delays: number[] = [];
  let listed = 0;
  const write = async (told: readonly Told[]) => {
    const own = new EventList(new Database(table.client, tableName));
    for (let next = 0; next < told.length; ) {
      const full = told[next + changesAtOnce - 1]?.at ?? Number.POSITIVE_INFINITY;
      const ready = Math.min(full, told[next]!.at + gatheredMs);
      await time.sleep(Math.max(0, ready - time.now));
      const batch = told.slice(next, next + changesAtOnce).filter(({ at }) => at <= time.now);
      await own.append(
        batch.map(({ event }) => event),
        now(),
      );
      for (const { at } of batch) delays.push(time.now - at);
      next += batch.length;
      if (time.now >= counted.from && time.now < counted.to) listed += batch.length;
    }
  };
  const shards = Array.from({ length: writers }, () => toldBy(asked / writers, seconds, newId));
  heat.begin();
  await Promise.all(shards.map(write));
  const calls = delays.length / 2;
  return {
    ...load,
    listed: listed / 2 / ((counted.to - counted.from) / secondMs),
    units: (heat.units + heat.wasted) / calls,
    wastedPercent: (100 * heat.wasted) / (heat.units + heat.wasted),
    sharedUnits: heat.busiestSecondOf(keys.eventSheets),
    ms: { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) },
  };
};

/** The changes of a shard in whose stream so many calls end in a second, at random. */
const toldBy = (callsPerSecond: number, seconds: number, newId: () => string): Told[] => {
  const told: Told[] = [];
  for (let at = 0; ; ) {
    // The time to the next arrival of a Poisson process.
    at += (-secondMs * Math.log(1 - Math.random())) / callsPerSecond;
    if (at >= seconds * secondMs) return told;
    for (const event of eventsOfCall(newId)) told.push({ at, event });
  }
};

/** The events of a call that settles its contact. */
export const eventsOfCall = (newId: () => string): ServiceEvent[] => {
  const taskId = newId();
  const dataSourceId = newId();
  const contactId = `${dataSourceId}-123456`;
  const callId = `${taskId}-123456-0123456789`;
  const time = new Date(seedTime).toISOString();
  const ended = {
    taskId,
    dataSourceId,
    callId,
    contactId,
    attempt: 1,
    startTime: '2026-05-05 09:00:00',
    endTime: '2026-05-05 09:00:42',
    duration: 42,
    outcome: 'noAnswer',
    reason: 'noAnswer',
    final: true,
    disposition: null,
    callbackTime: null,
    doNotCall: false,
  };
  const settled = {
    taskId,
    dataSourceId,
    contactId,
    callId,
    outcome: 'noAnswer',
    reason: 'noAnswer',
    status: contactStatus.noAnswer,
    callCount: 1,
    callDuration: 42,
    lastCallTime: '2026-05-05 09:00:42',
  };
  return [
    { id: newId(), type: 'call.ended', time, data: ended },
    { id: newId(), type: 'contact.settled', time, data: settled },
  ];
};
