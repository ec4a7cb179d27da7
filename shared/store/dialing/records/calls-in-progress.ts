import { callbackLevel } from '../../../domain/dialing/dial-state.ts';
import { priorities } from '../../../domain/dialing/dialing.ts';
import { channelEnd } from '../../../domain/dialing/pace.ts';
import { isInCall, isOutOfLine } from '../../../domain/dialing/task-contact.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import type { Instant } from '../../../domain/time.ts';
import { concurrently, type Database, keys, Lost, optimistic, partitionRange } from '../../table/index.ts';
import { intakeOf } from './intake-items.ts';
import type { TaskContacts } from './task-contacts.ts';

/** The contacts whose first call has not ended, by sequence number. */
type FirstCalls = {
  inCall: number[];
  /** Their first lease has expired: they wait, but are not in line. */
  lapsed: number[];
  /** Taken up but not called yet. */
  untouched: number[];
};

export const readFirstCalls = async (
  database: Database,
  taskContacts: TaskContacts,
  taskId: string,
  now: Instant,
): Promise<FirstCalls> => {
  const intakes = await database.queryAll(partitionRange(keys.intakes(taskId)));
  const seqs = intakes.flatMap((item) => intakeOf(taskId, item).seqs);
  const listed = [...new Set(seqs)].sort((a, b) => a - b);
  const found = await taskContacts.among(taskId, listed);
  const known = new Set(found.map(({ seq }) => seq));
  const leased = found.filter(isOutOfLine);
  return {
    inCall: leased.filter((contact) => isInCall(contact, now)).map(({ seq }) => seq),
    lapsed: leased.filter((contact) => !isInCall(contact, now)).map(({ seq }) => seq),
    untouched: listed.filter((seq) => !known.has(seq)),
  };
};

const callsAtOnce = 16;

/**
 * Gives each call in progress of a task a channel, if it has none: limits were set after it was leased. Any number of
 * waiting contacts may be in line before a contact in a call, so the whole line is read, once for each task that gets its
 * first limit while it runs. Answers how many channels there are, by the time at which they are free.
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
    ...levels.map((level) => taskContacts.inCall(task.id, level, now)),
  ]);
  const ends = await concurrently([...inCall, ...lines.flat()], callsAtOnce, (seq) =>
    channelOf(taskContacts, task.id, seq, now),
  );
  const counts = new Map<Instant, number>();
  for (const end of ends.flat()) counts.set(end, (counts.get(end) ?? 0) + 1);
  return counts;
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
