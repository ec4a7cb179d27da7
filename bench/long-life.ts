import { minuteName, TaskTimeline } from '../shared/calls/timeline.ts';
import { nextDialState, readDialState } from '../shared/dialing/dial-progress-items.ts';
import { itemOf } from '../shared/dialing/dialing-items.ts';
import { newTaskContact } from '../shared/dialing/rules/task-contact.ts';
import { TaskContacts } from '../shared/dialing/task-contacts.ts';
import { countMoves, type Move } from '../shared/dialing/task-counters.ts';
import type { Database } from '../shared/platform/table/database.ts';
import { keys } from '../shared/platform/table/keys.ts';
import type { Task } from '../shared/tasks/rules/task.ts';
import { outcomes } from '../shared/tasks/rules/task-settings.ts';
import {
  aDraft,
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  move,
  newId,
  reportAll,
  second,
  seqsOf,
  start,
} from '../test/support/dialing/dialing.ts';
import { seedSparsely } from '../test/support/engines/seed-contacts.ts';

const contactCount = 1_000_000;
/** Calls, and as many contacts that wait for their next call. */
export const underWay = 100;
/** Contacts of each outcome, far from each other. */
export const rare = 30;
export const rareOutcomes = ['success', 'failed', 'noAnswer', 'blocked', 'waiting'] as const;
export const lifeNow = start + 60 * second;

const rareSeq = (i: number) => 1000 + i * 5001;

/** As in a task that has run for a long time. Waiting contacts are due last. */
const scattered = (task: Task): Move[] =>
  rareOutcomes.flatMap((outcome, kind) =>
    Array.from({ length: rare }, (_, i): Move => {
      const seq = rareSeq(i * rareOutcomes.length + kind);
      const contact = { ...newTaskContact(task, seq, start + 2 * hour + i), lastCallTime: start + i };
      if (outcome === 'waiting') return { before: undefined, after: contact };
      if (outcome === 'blocked')
        return { before: undefined, after: { ...contact, state: outcome, blockReason: 'LIST' } };
      return { before: undefined, after: { ...contact, state: 'final', outcome, recallNumber: 0 } };
    }),
  );

/** A running task of a million contacts. Only the contacts that are read have items. */
export const aLongLife = async (database: Database): Promise<Task> => {
  const service = aService(database);
  const dataSourceId = newId();
  await seedSparsely(database, dataSourceId, contactCount, [
    ...Array.from({ length: 400 }, (_, seq) => seq),
    ...Array.from({ length: rare * rareOutcomes.length }, (_, i) => rareSeq(i)),
  ]);
  const draft = await aDraft(service, dataSourceId, { callInterval: 3600, dailyEndTime: '23:59' });
  const task = await move(service, draft, 'publish');
  await reportAll(service, await leaseFrom(service, task, start, { limit: underWay }), 'failed', start);
  await leaseFrom(service, task, lifeNow, { limit: underWay });
  const moves = scattered(task);
  await database.putAll(moves.map(({ after }) => itemOf(after)));
  await database.transact(countMoves(database, moves));
  const dial = await readDialState(database, task.id);
  await database.put(
    ...nextDialState({ ...dial, claimed: dial.claimed + moves.length, ahead: moves.length }),
  );
  return task;
};

/**
 * Calls that end before the task is looked at, ten a second, and calls that are in progress then.
 */
export const endedCalls = 5_000;
export const callsInProgress = 20;
const leasedAtOnce = 100;

/**
 * A running task whose calls of the last minutes have ended. `seenAt`: when the last of them began.
 */
export const aBusyTask = async (
  database: Database,
  leaseSeconds: number,
): Promise<{ id: string; seenAt: number }> => {
  const service = aService(database);
  const contactCount = endedCalls + leasedAtOnce;
  const { id } = await aRunningTask(database, service, { contactCount, maxDialCount: 1 });
  const taskContacts = new TaskContacts(database);
  const lease = (limit: number) => service.dialer.leases.lease({ limit, leaseSeconds, taskId: id }, seenAt);
  let seenAt = start;
  for (let calls = 0; calls < endedCalls; calls += leasedAtOnce) {
    const leased = await lease(leasedAtOnce);
    const contacts = await taskContacts.among(
      id,
      seqsOf(leased.calls).toSorted((a, b) => a - b),
    );
    const moves = contacts.map((before): Move => {
      const ended = { state: 'final', outcome: 'success', recallNumber: 0, lastCallTime: seenAt } as const;
      return { before, after: { ...before, ...ended } };
    });
    await database.putAll(moves.map(({ after }) => itemOf(after)));
    await database.transact(countMoves(database, moves));
    seenAt += 10 * second;
  }
  await lease(callsInProgress);
  return { id, seenAt };
};

export const monthOfHours = 30 * 24;

/** Calls of every outcome in each hour of a month, and as many as counter items have besides. */
export const aMonthOfCalls = async (database: Database, taskId: string): Promise<void> => {
  const hours = Array.from({ length: monthOfHours }, (_, i) => lifeNow - i * hour);
  const gathered = (times: readonly number[]) =>
    Object.fromEntries(
      times.flatMap((at) => outcomes.map((outcome): [string, number] => [minuteName(at, outcome), 1000])),
    );
  const timeline = new TaskTimeline(database);
  for (let at = 0; at < monthOfHours; at += 24) {
    const counter = { ...keys.taskCounter(taskId, 0), ...gathered(hours.slice(at, at + 24)) };
    await database.put(counter);
    await timeline.gather(taskId, counter, lifeNow + hour);
  }
  const latest = Array.from({ length: 7 }, (_, i) => lifeNow - i * 60 * second);
  for (let shard = 0; shard < 12; shard++)
    await database.put({ ...keys.taskCounter(taskId, shard), ...gathered(latest) });
};
