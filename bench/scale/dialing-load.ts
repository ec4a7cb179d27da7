import { createTask, type TaskInput } from '../../shared/tasks/rules/task.ts';
import { move } from '../../test/support/dialing/dialing.ts';
import { contactAndGuard, frameItems, seedTime } from '../../test/support/engines/seed-contacts.ts';
import { arrivals } from './arrivals.ts';
import { keyUnits } from './heat.ts';
import { openWorld, percentile, type World } from './world.ts';

/**
 * `asked`: calls a second. `leaseOf`: calls of one lease request. `doNotCallEvery`: of this many
 * results, one asks for no more calls.
 */
export type Load = {
  asked: number;
  leaseOf?: number;
  settings?: Partial<TaskInput>;
  maxConcurrentCalls?: number;
  tasks?: number;
  doNotCallEvery?: number;
};

export type LoadFigures = {
  asked: number;
  callsPerSecond: number;
  lostPercent: number;
  lease: { p50: number; p99: number };
  result: { p50: number; p99: number };
  hottestKey: string;
  /** Units of each call. */
  hottestUnits: number;
  /** Calls a second at which the hottest key would reach its limit. */
  ceiling: number;
};

/** Milliseconds of a call, two seconds on average. */
const shortest = 1_000;
const longest = 3_000;
/** Seconds. The first ones show how the stores adapt. The figures are of those after them. */
const warmUp = 4;
const end = 8;
const outcomes = ['success', 'success', 'noAnswer', 'failed'] as const;

/**
 * Dialers that lease calls of one or several tasks, at random times, and report the result of each
 * call as it ends. Every lease and every result is a process of its own.
 */
export const runLoad = async (load: Load): Promise<LoadFigures> => {
  const world = await openWorld();
  try {
    return await world.time.run(() => measure(world, load));
  } finally {
    await world.close();
  }
};

const measure = async (world: World, load: Load): Promise<LoadFigures> => {
  const { time, heat, table } = world;
  const { asked, leaseOf = 10 } = load;
  const taskIds = await seedTasks(world, load);
  const from = time.now + warmUp * 1000;
  const to = time.now + end * 1000;
  const isMeasured = () => time.now >= from && time.now < to;
  const leases: number[] = [];
  const results: number[] = [];
  const timed = async <T>(list: number[], job: () => Promise<T>): Promise<T> => {
    const begun = time.now;
    const answer = await job();
    if (isMeasured()) list.push(time.now - begun);
    return answer;
  };
  const line = async (callId: string): Promise<void> => {
    await time.sleep(shortest + Math.random() * (longest - shortest));
    if (time.now >= to) return;
    const { dialer } = world.process(load.maxConcurrentCalls);
    const outcome = outcomes[Math.floor(Math.random() * outcomes.length)]!;
    const doNotCall = Math.random() * (load.doNotCallEvery ?? Number.POSITIVE_INFINITY) < 1;
    const sent = { callId, outcome, duration: 2, ...(doNotCall && { doNotCall }) };
    await timed(results, () => dialer.results.report(sent, world.now()));
  };
  const lease = async (at: number): Promise<void> => {
    const { dialer } = world.process(load.maxConcurrentCalls);
    const taskId = taskIds[at % taskIds.length];
    const request = { limit: leaseOf, leaseSeconds: 60, taskId };
    const { calls } = await timed(leases, () => dialer.leases.lease(request, world.now()));
    await Promise.all(calls.map(({ callId }) => line(callId)));
  };
  const all = arrivals(time, { perSecond: asked / leaseOf, end: to }, lease);
  await time.sleep(from - time.now);
  table.begin();
  heat.begin();
  await time.sleep(to - time.now);
  const { transactions, lost } = table.sent;
  const { key, units } = heat.hottest();
  await all;
  const callsPerSecond = results.length / (end - warmUp);
  const hottestUnits = units / callsPerSecond;
  return {
    asked,
    callsPerSecond,
    lostPercent: (100 * lost) / transactions,
    lease: { p50: percentile(leases, 0.5), p99: percentile(leases, 0.99) },
    result: { p50: percentile(results, 0.5), p99: percentile(results, 0.99) },
    hottestKey: key,
    hottestUnits,
    ceiling: keyUnits / hottestUnits,
  };
};

/** Running tasks with as many contacts as the load can call. */
const seedTasks = async (world: World, { asked, settings, tasks = 1 }: Load): Promise<string[]> => {
  const { direct, atOnce, newId } = world;
  // By chance there may be more calls than asked for, and contacts that leases share are taken up
  // ahead.
  const contacts = Math.ceil((asked * end * 1.5) / tasks) + 1000;
  const ids: string[] = [];
  for (let nth = 0; nth < tasks; nth++) {
    const dataSourceId = newId();
    await direct.putAll([...frameItems(dataSourceId, contacts)]);
    await direct.putAll(Array.from({ length: contacts }, (_, seq) => contactAndGuard(dataSourceId, seq)[0]));
    const input = { taskName: `task ${nth}`, maxDialCount: 1, ...settings, dataSourceId };
    const task = createTask(input, newId(), seedTime);
    await atOnce.tasks.add(task);
    await move(atOnce as never, task, 'publish', seedTime);
    ids.push(task.id);
  }
  return ids;
};
