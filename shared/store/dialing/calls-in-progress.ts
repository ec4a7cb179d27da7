import { callbackLevel } from '../../domain/dialing/dial-state.ts';
import { priorities } from '../../domain/dialing/dialing.ts';
import { channelEnd } from '../../domain/dialing/pace.ts';
import { isInCall } from '../../domain/dialing/task-contact.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database } from '../table/index.ts';
import { concurrently, Lost, optimistic } from '../table/index.ts';
import { readFirstCalls } from './first-calls.ts';
import type { TaskContacts } from './task-contacts.ts';

const callsAtOnce = 16;
const placesAtOnce = 100;
/** Contacts are leased from near the head of a line. Behind that many waiting contacts there is none in a call. */
const waitingAtMost = 500;

/**
 * Gives each call in progress of a task a channel, if it has none: limits were set after it was leased. Answers how many
 * channels there are, by the time at which they are free.
 */
export const channelsInProgress = async (
  database: Database,
  taskContacts: TaskContacts,
  task: Task,
  now: Instant,
): Promise<Map<Instant, number>> => {
  const levels = [callbackLevel, ...priorities];
  const [{ inCall }, ...lines] = await Promise.all([
    readFirstCalls(database, taskContacts, task.id, now),
    ...levels.map((level) => inCallAt(taskContacts, task.id, level, now)),
  ]);
  const ends = await concurrently([...inCall, ...lines.flat()], callsAtOnce, (seq) =>
    channelOf(taskContacts, task.id, seq, now),
  );
  const counts = new Map<Instant, number>();
  for (const end of ends.flat()) counts.set(end, (counts.get(end) ?? 0) + 1);
  return counts;
};

const inCallAt = async (taskContacts: TaskContacts, taskId: string, level: number, now: Instant) => {
  const seqs: number[] = [];
  let waiting = 0;
  for await (const { seq, since, isLeased } of taskContacts.line(taskId, level, placesAtOnce, now)) {
    if (isLeased && since > now) seqs.push(seq);
    else if (++waiting === waitingAtMost) break;
  }
  return seqs;
};

/** Nothing when the call has ended meanwhile. */
const channelOf = (
  taskContacts: TaskContacts,
  taskId: string,
  seq: number,
  now: Instant,
): Promise<Instant[]> =>
  optimistic(async () => {
    const [contact] = await taskContacts.read(taskId, [seq]);
    if (contact?.state !== 'leased' || !isInCall(contact, now)) return [];
    const { lease } = contact;
    if (lease.channels?.task !== undefined) return [lease.channels.task];
    const end = channelEnd(lease.until, now);
    const channels = { ...lease.channels, task: end };
    if (!(await taskContacts.write({ ...contact, lease: { ...lease, channels } }))) throw new Lost();
    return [end];
  });
