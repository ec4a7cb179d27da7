import { countUntouched, readContactList, readContactRange } from '../contacts/contacts-by-seq.ts';
import type { Directory } from '../contacts/directory.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import { dialStateOf, readPlaces } from '../dialing/dialing-items.ts';
import { openingFor } from '../dialing/rules/call-decisions.ts';
import {
  type Counters,
  callbackLevel,
  type DialState,
  linesOf,
  lookedSoFar,
  recallsPending,
} from '../dialing/rules/dial-state.ts';
import { reachesOf, readFirstCalls, type TaskContacts } from '../dialing/task-contacts.ts';
import { countersOf } from '../dialing/task-counters.ts';
import type { Database } from '../platform/table/database.ts';
import { keyRange, partitionRange } from '../platform/table/expressions.ts';
import { chunkOf, contactsPerChunk, type Item, type Key, keys } from '../platform/table/keys.ts';
import { recordOf } from '../platform/table/named-records.ts';
import { isAlwaysOpen, type ServiceHours } from '../platform/time/schedule.ts';
import type { Instant } from '../platform/time/time.ts';
import { mayTaskCall, type Task } from '../tasks/rules/task.ts';
import type { Tally } from '../tasks/rules/task-views.ts';
import { askedTimeOf, readWithParts } from '../tasks/task-items.ts';
import type { Standings } from './rules/task-overview.ts';

/** The contacts of a task by final outcome, and the records these counts come from. */
export type FinalCounts = {
  dial: DialState;
  counters: Counters;
  pending: number;
  ended: Pick<Standings, 'reached' | 'failed' | 'noAnswer' | 'blocked' | 'notSelected'>;
  /** When a dialer asked for calls of the task, by its id and among others. */
  asked: Item | undefined;
  askedAmongOthers: Item | undefined;
  /** What the last pre-flight found. */
  counted: Item | undefined;
  /** Up to which due time contacts in line were leased, by level. */
  reaches: ReadonlyMap<number, Instant>;
};

/** The progress of a task. */
export type TaskState = FinalCounts & {
  standings: Standings;
  tally: Tally;
  /** Contacts in a call. */
  inCall: readonly number[];
  /** Contacts whose first lease has expired: they wait, but are not in line. */
  lapsed: readonly number[];
  /** Contacts that were taken up but not called yet. */
  untouched: readonly number[];
  /** The first contacts in line. */
  line: readonly WaitingPlace[];
};

export type SeenTask = { task: Task; ends?: FinalCounts };

type Known = {
  ends?: FinalCounts | undefined;
  directory?: Directory | undefined;
  /** When a dialer asked for calls of any task. */
  askedForAny?: Item | undefined;
};

/** Contacts of a line that are read at a time, and how many waiting ones are read at most behind its reach. */
const placesAtOnce = 50;

/** The place in line of a contact that is not in a call. */
type WaitingPlace = { seq: number; since: Instant; isDeferred: boolean };
/** `tail`: its last places, the last one first. Absent where `waiting` is the whole line. */
type Line = { inCall: number[]; waiting: WaitingPlace[]; tail?: WaitingPlace[] };

const earliest = (instants: readonly (Instant | null)[]): Instant | null => {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
};

const latest = (lines: readonly Line[]): Instant | null => {
  let last: Instant | null = null;
  // A contact whose lease expired is due since then, and has kept its place in line.
  for (const { waiting, tail = [] } of lines)
    for (const { since } of [...waiting, ...tail]) last = Math.max(last ?? since, since);
  return last;
};

/**
 * The contacts that were deferred and are not due yet. Of a long line only both ends are read: the contacts between two
 * deferred ones were deferred too, and otherwise their number is not known.
 */
const deferredIn = (lines: readonly Line[], waiting: number, now: Instant): Standings['deferred'] => {
  const isLater = ({ isDeferred, since }: WaitingPlace) => isDeferred && since > now;
  const ends = lines.flatMap(({ waiting: head, tail = [] }) => {
    const seen = new Set(head.map(({ seq }) => seq));
    return [...head, ...tail.filter(({ seq }) => !seen.has(seq))];
  });
  const later = ends.filter(isLater);
  const unread = Math.max(0, waiting - ends.length);
  const cut = lines.filter(({ tail }) => tail !== undefined);
  const areBetween = cut.every(({ waiting: head, tail }) => [head.at(-1)!, tail!.at(-1)!].every(isLater));
  return {
    count: later.length + (areBetween ? unread : 0),
    estimated: unread > 0 && !areBetween,
    time: earliest(later.map(({ since }) => since)),
  };
};

const dueLevels = (levels: readonly number[]) => [...new Set(levels)].sort((a, b) => a - b);

/**
 * Reads the progress of tasks. Its cost grows with the number of calls in progress, and with the contacts that wait before
 * them in line, for example after a release.
 */
export class TaskProgress {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, taskContacts: TaskContacts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
  }

  async ends({ id }: Pick<Task, 'id'>): Promise<FinalCounts> {
    return endsOf(id, await this.#itemsOf(id, keys.dialState(id)));
  }

  /** The task and its counts, in one read. `isExact`: as they are now, at twice the price. */
  async seen(id: string, isExact: boolean): Promise<SeenTask | undefined> {
    const items = await this.#itemsOf(id, keys.task(id), isExact);
    const record = items.find(({ sk }) => sk === keys.task(id).sk);
    return record && { task: recordOf<Task>(record), ends: endsOf(id, items) };
  }

  /** The items of a task up to `last`; they are neighbours. */
  async #itemsOf(id: string, last: Key, ConsistentRead = false): Promise<Item[]> {
    const range = keyRange(keys.task(id).pk, keys.asked(id).sk, last.sk);
    return readWithParts(this.#database, id, () => this.#database.queryAll({ ...range, ConsistentRead }));
  }

  /** `known`: what was read before. The directory is needed only while the task has not ended. */
  async of(task: Task, now: Instant, known: Known = {}): Promise<TaskState> {
    const { directory, askedForAny } = known;
    const isStarted = task.startTime !== null;
    const [ends, first] = await Promise.all([
      known.ends ?? (isStarted ? this.ends(task) : endsOf(task.id, [])),
      isStarted
        ? readFirstCalls(this.#database, this.#taskContacts, task.id, now)
        : { inCall: [], lapsed: [], untouched: [] },
    ]);
    const { dial, counters, pending, ended, asked } = ends;
    const { lapsed, untouched } = first;
    const open = Math.max(0, dial.claimed - counters.settled - untouched.length);
    const isLined = open > first.inCall.length + lapsed.length;
    const levels = isLined ? linesOf(task, dial, counters) : [];
    const [lines, notCalled] = await Promise.all([
      Promise.all(levels.map((level) => this.#line(task.id, level, now, ends.reaches.get(level) ?? 0))),
      directory && this.#notDialed(task, directory, dial, untouched),
    ]);
    const notDialed = notCalled && notCalled.takenUp + notCalled.fresh + (dial.review?.left ?? 0);
    const inCall = [...first.inCall, ...lines.flatMap((line) => line.inCall)];
    const callbacksInCall = lines[levels.indexOf(callbackLevel)]?.inCall.length ?? 0;
    const waiting = lines.flatMap((line) => line.waiting).sort((a, b) => a.since - b.since);
    const inLine = Math.max(0, open - inCall.length);
    const standings = {
      ...ended,
      inCall: inCall.length,
      waiting: inLine + pending,
      callbacks: Math.max(0, counters.callbacks - callbacksInCall),
      notDialed,
      looked: {
        takenUp: notCalled?.takenUp ?? untouched.length,
        ...lookedSoFar(dial, counters.ended.notSelected),
      },
      dueAt: dueLevels([
        ...((notDialed ?? 0) > 0 || lapsed.length > 0 ? [task.priority] : []),
        ...(pending > 0 ? dial.recalls.map(({ priority }) => priority) : []),
        ...levels.filter((_, i) => (lines[i]?.waiting[0]?.since ?? Number.POSITIVE_INFINITY) <= now),
      ]),
      nextDue: earliest([lapsed.length > 0 || pending > 0 ? now : null, waiting[0]?.since ?? null]),
      lastDue: latest(lines),
      lastCallback: latest(lines.filter((_, i) => levels[i] === callbackLevel)),
      deferred: deferredIn(lines, inLine - lapsed.length, now),
      openByAttempts: counters.openByAttempts,
      lastLeaseTime: sinceStart(task, askedTimeOf([asked, ends.askedAmongOthers])),
      askedTime: askedTimeOf([asked, askedForAny]),
      ownLeaseTime: askedTimeOf([asked]),
      callsAgain: counters.callsAgain,
      callsByReason: counters.callsByReason,
      callsByDisposition: counters.callsByDisposition,
    };
    return { ...ends, standings, tally: counters.tally, inCall, lapsed, untouched, line: waiting };
  }

  async #notDialed(
    { id, dataSourceId }: Task,
    directory: Directory,
    { cursor, ahead }: DialState,
    untouched: readonly number[],
  ) {
    const records = ahead === 0 ? [] : await this.#database.queryAll(partitionRange(keys.aheads(id)));
    const taken = { cursor, untouched, ahead: records.flatMap(({ contacts }) => contacts as number[]) };
    return countUntouched(this.#database, dataSourceId, directory, taken);
  }

  /** All contacts up to the reach of the line, and the first of the waiting ones behind it. */
  async #line(taskId: string, level: number, now: Instant, reach: Instant): Promise<Line> {
    const line: Line = { inCall: [], waiting: [] };
    const isInCall = ({ isLeased, since }: { isLeased: boolean; since: Instant }) => isLeased && since > now;
    for await (const place of this.#taskContacts.line(taskId, level, placesAtOnce)) {
      if (isInCall(place)) line.inCall.push(place.seq);
      else line.waiting.push(place);
      if (line.waiting.length < placesAtOnce || place.due <= reach) continue;
      const last = { limit: placesAtOnce, isNewestFirst: true };
      const tail = await readPlaces(this.#database, keys.line(taskId, level), last);
      return { ...line, tail: tail.filter((each) => !isInCall(each)) };
    }
    return line;
  }
}

/** A dialer may have asked for the task before it was published. */
const sinceStart = ({ startTime }: Task, time: Instant | null) =>
  startTime !== null && time !== null && time >= startTime ? time : null;

const endsOf = (id: string, items: readonly Item[]): FinalCounts => {
  const found = ({ sk }: Key) => items.find((item) => item.sk === sk);
  const dial = dialStateOf(id, found(keys.dialState(id)));
  const counters = countersOf(items.filter(({ sk }) => sk.startsWith(keys.taskCounterPrefix)));
  const pending = recallsPending(dial, counters.failed);
  return {
    ...{ dial, counters, pending, ended: endedOf(counters, dial, pending) },
    asked: found(keys.asked(id)),
    askedAmongOthers: found(keys.askedAmongOthers(id)),
    counted: found(keys.selectedCount(id)),
    reaches: reachesOf(id, items),
  };
};

/** Contacts that a recall has not queued yet count as waiting, whatever their last outcome was. */
const endedOf = ({ ended, unanswered }: Counters, dial: DialState, pending: number) => {
  const pendingUnanswered = recallsPending(dial, unanswered);
  return {
    reached: ended.success,
    noAnswer: ended.noAnswer - pendingUnanswered,
    failed: ended.failed - (pending - pendingUnanswered),
    blocked: ended.blocked,
    notSelected: dial.passed + ended.notSelected,
  };
};

/** How many contacts that were not called yet are read. They lie side by side and share one read unit. */
const freshRead = 12;
/** How many contacts in line are read at most, half a read unit each. */
const waitingRead = 12;

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
  // A deleted contact stays in line until its turn, and then has no zone of its own.
  const nextCall = ({ seq, since, isDeferred }: WaitingPlace, contacts: readonly Contact[]) => {
    const facts = { schedule, serviceZone: zone, contact: contacts.find((each) => each.seq === seq) };
    const time = openingFor(facts, since);
    return { time, isClosed: openingFor(facts, now) !== now, isDeferred: isDeferred && since > now };
  };
  const dueNow = { since: now, isDeferred: false };
  const fresh = await readFresh(database, task, state);
  const next = fresh.map(({ seq }) => nextCall({ ...dueNow, seq }, fresh));
  const firstTime = () => Math.min(...next.map(({ time }) => time));
  const line = [
    ...state.lapsed.map((seq) => ({ ...dueNow, seq })),
    ...state.line.map((place) => ({ ...place, since: Math.max(now, place.since) })),
  ];
  let read = 0;
  // Mostly the first place tells the time. The places behind it are read while one of them may be called before that.
  for (const count of [1, waitingRead - 1]) {
    const places = line.slice(read, read + count);
    if (places.length === 0 || firstTime() <= places[0]!.since) break;
    const seqs = places.map(({ seq }) => seq).sort((a, b) => a - b);
    const contacts = await readContactList(database, task.dataSourceId, seqs);
    next.push(...places.map((place) => nextCall(place, contacts)));
    read += places.length;
  }
  // A contact that was not read may be callable already.
  const { notDialed = 0 } = state.standings;
  const isSeen = fresh.length >= notDialed + state.dial.ahead && state.pending === 0;
  const unseen = isSeen ? line[read] : dueNow;
  if (unseen !== undefined)
    next.push({ ...unseen, time: Math.max(first, unseen.since), isClosed: first > now });
  const time = firstTime();
  const atFirst = next.filter((each) => each.time === time);
  return {
    time: atFirst.length === 0 ? null : time,
    isClosed: atFirst.some(({ isClosed }) => isClosed),
    isDeferred: atFirst.some(({ isDeferred }) => isDeferred),
  };
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
