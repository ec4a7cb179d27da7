import {
  type Counters,
  callbackLevel,
  type DialState,
  linesOf,
  recallsPending,
} from '../../domain/dialing/dial-state.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Standings } from '../../domain/tasks/task-overview.ts';
import type { Tally } from '../../domain/tasks/task-views.ts';
import type { Instant } from '../../domain/time.ts';
import { countUntouched } from '../contacts/index.ts';
import { countersOf, dialStateOf, readFirstCalls, type TaskContacts } from '../dialing/index.ts';
import type { Directory } from '../directory/index.ts';
import type { Database, Item } from '../table/index.ts';
import { type Key, keyRange, keys, partitionRange, recordOf } from '../table/index.ts';
import { askedTimeOf, readWithParts } from '../tasks/index.ts';

/** The contacts of a task by final outcome, and the records these counts come from. */
export type FinalCounts = {
  dial: DialState;
  counters: Counters;
  pending: number;
  ended: Pick<Standings, 'reached' | 'failed' | 'noAnswer' | 'blocked' | 'notSelected'>;
  /** When a dialer asked for calls of the task. */
  asked: Item | undefined;
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

/** Contacts of a line that are read at a time. Contacts in a call are at its head. */
const placesAtOnce = 50;

/** The place in line of a contact that is not in a call. */
export type WaitingPlace = { seq: number; since: Instant };
type Line = { inCall: number[]; waiting: WaitingPlace[] };

const earliest = (instants: readonly (Instant | null)[]): Instant | null => {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
};

const dueLevels = (levels: readonly number[]) => [...new Set(levels)].sort((a, b) => a - b);

/** Reads the progress of tasks. Its cost grows with the number of calls in progress, and with nothing else. */
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
      isStarted ? (known.ends ?? this.ends(task)) : endsOf(task.id, []),
      isStarted
        ? readFirstCalls(this.#database, this.#taskContacts, task.id, now)
        : { inCall: [], lapsed: [], untouched: [] },
    ]);
    const { dial, counters, pending, ended, asked } = ends;
    const { lapsed, untouched } = first;
    const open = Math.max(0, dial.claimed - counters.settled - untouched.length);
    const isLined = open > first.inCall.length + lapsed.length;
    const levels = isLined ? linesOf(task, dial, counters) : [];
    const [lines, notDialed] = await Promise.all([
      Promise.all(levels.map((level) => this.#line(task.id, level, now))),
      directory && this.#notDialed(task, directory, dial, untouched),
    ]);
    const inCall = [...first.inCall, ...lines.flatMap((line) => line.inCall)];
    const callbacksInCall = lines[levels.indexOf(callbackLevel)]?.inCall.length ?? 0;
    const waiting = lines.flatMap((line) => line.waiting).sort((a, b) => a.since - b.since);
    const standings = {
      ...ended,
      inCall: inCall.length,
      waiting: Math.max(0, open - inCall.length) + pending,
      callbacks: Math.max(0, counters.callbacks - callbacksInCall),
      notDialed,
      dueAt: dueLevels([
        ...((notDialed ?? 0) > 0 || lapsed.length > 0 ? [task.priority] : []),
        ...(pending > 0 ? dial.recalls.map(({ priority }) => priority) : []),
        ...levels.filter((_, i) => (lines[i]?.waiting[0]?.since ?? Number.POSITIVE_INFINITY) <= now),
      ]),
      nextDue: earliest([lapsed.length > 0 || pending > 0 ? now : null, waiting[0]?.since ?? null]),
      lastLeaseTime: askedTimeOf([asked, askedForAny]),
      ownLeaseTime: askedTimeOf([asked]),
      callsByReason: counters.callsByReason,
      callsByDisposition: counters.callsByDisposition,
    };
    return { ...ends, standings, tally: counters.tally, inCall, lapsed, untouched, line: waiting };
  }

  async #notDialed(
    { id, dataSourceId }: Task,
    directory: Directory,
    { cursor, ahead, review }: DialState,
    untouched: readonly number[],
  ): Promise<number> {
    const records = ahead === 0 ? [] : await this.#database.queryAll(partitionRange(keys.aheads(id)));
    const taken = { cursor, untouched, ahead: records.flatMap(({ contacts }) => contacts as number[]) };
    const fresh = await countUntouched(this.#database, dataSourceId, directory, taken);
    return fresh + (review?.left ?? 0);
  }

  async #line(taskId: string, level: number, now: Instant): Promise<Line> {
    const line: Line = { inCall: [], waiting: [] };
    for await (const { seq, since, isLeased } of this.#taskContacts.line(taskId, level, placesAtOnce)) {
      if (isLeased && since > now) line.inCall.push(seq);
      else line.waiting.push({ seq, since });
      if (line.waiting.length >= placesAtOnce) break;
    }
    return line;
  }
}

const endsOf = (id: string, items: readonly Item[]): FinalCounts => {
  const found = ({ sk }: Key) => items.find((item) => item.sk === sk);
  const dial = dialStateOf(id, found(keys.dialState(id)));
  const counters = countersOf(items.filter(({ sk }) => sk.startsWith(keys.taskCounterPrefix)));
  const pending = recallsPending(dial, counters.failed);
  return {
    ...{ dial, counters, pending, ended: endedOf(counters, dial, pending) },
    asked: found(keys.asked(id)),
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
