import { openingFor } from '../../domain/dialing/may-call.ts';
import { isAlwaysOpen, type ServiceHours } from '../../domain/schedule.ts';
import { mayTaskCall } from '../../domain/tasks/may-task-call.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Standings } from '../../domain/tasks/task-overview.ts';
import type { Instant } from '../../domain/time.ts';
import { readContactList, readContactRange } from '../contacts/index.ts';
import { chunkOf, contactsPerChunk, type Database } from '../table/index.ts';
import type { TaskState } from './task-progress.ts';

/** How many contacts that were not called yet are read. They lie side by side and share one read unit. */
const freshRead = 12;

/**
 * When the next contacts of a task may be called, where some have time zones of their own; `undefined` where only the
 * task's own hours count.
 */
export const readNextByZones = async (
  database: Database,
  { zone, callingHours }: ServiceHours,
  task: Task,
  state: TaskState,
  now: Instant,
): Promise<Standings['next']> => {
  const schedule = { ...task, callingHours };
  const decision = mayTaskCall({ task, zone, callingHours, hasOwnZones: true, now });
  const first = decision.is === 'closed' ? decision.opens : decision.is === 'open' ? now : null;
  if (first === null || isAlwaysOpen(schedule)) return undefined;
  const due = [...state.lapsed.map((seq) => ({ seq, since: now })), ...state.line];
  // Half a read unit each: only the first of the waiting contacts is read.
  const [head, second] = due;
  const [waiting, fresh] = await Promise.all([
    readContactList(database, task.dataSourceId, head ? [head.seq] : []),
    readFresh(database, task, state),
  ]);
  const next = [
    ...waiting.map((contact) => ({ contact, since: Math.max(now, head!.since) })),
    ...fresh.map((contact) => ({ contact, since: now })),
  ];
  const times = next.map(({ contact, since }) => {
    const facts = { schedule, serviceZone: zone, contact };
    return { time: openingFor(facts, since), isClosed: openingFor(facts, now) !== now };
  });
  // A contact that was not read may be callable already.
  const { notDialed = 0 } = state.standings;
  const isSeen = fresh.length >= notDialed + state.dial.ahead && state.pending === 0;
  const unseen = isSeen ? second?.since : now;
  if (unseen !== undefined) times.push({ time: Math.max(first, unseen), isClosed: first > now });
  return times.sort((a, b) => a.time - b.time)[0] ?? { time: null, isClosed: false };
};

/** Contacts that were taken up but not called, and contacts from the cursor on. */
const readFresh = async (
  database: Database,
  { dataSourceId }: Task,
  { untouched, dial, standings }: TaskState,
) => {
  if (standings.notDialed === 0) return [];
  const taken = untouched.slice(0, freshRead);
  const limit = freshRead - taken.length;
  const chunkEnd = (chunkOf(dial.cursor) + 1) * contactsPerChunk;
  const contacts = await Promise.all([
    readContactList(database, dataSourceId, taken),
    limit > 0 ? readContactRange(database, dataSourceId, dial.cursor, chunkEnd - 1, { limit }) : [],
  ]);
  return contacts.flat();
};
