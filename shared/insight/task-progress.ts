import { contactOfItem } from '../contacts/contact-items.ts';
import { countUntouched } from '../contacts/contacts-by-seq.ts';
import type { Directory } from '../contacts/directory.ts';
import type { CallingRules } from '../dialing/calling-rules.ts';
import { readIntakesUpTo } from '../dialing/dial-progress-items.ts';
import { type IndexPlace, readPlaces } from '../dialing/dialing-items.ts';
import {
  callbackLevel,
  type DialState,
  type Intake,
  linesOf,
  lookedSoFar,
} from '../dialing/rules/dial-state.ts';
import { isOutOfLine, recallDue } from '../dialing/rules/task-contact.ts';
import type { Hold, LastingHold, WaitReason } from '../dialing/rules/waits.ts';
import { readFirstCalls, type TaskContacts } from '../dialing/task-contacts.ts';
import type { Database } from '../platform/table/database.ts';
import { keyRange, partitionRange } from '../platform/table/expressions.ts';
import { type Item, type Key, keys } from '../platform/table/keys.ts';
import { recordOf } from '../platform/table/named-records.ts';
import type { ServiceHours } from '../platform/time/schedule.ts';
import type { Instant } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import { hasEnded } from '../tasks/rules/task-states.ts';
import type { Tally } from '../tasks/rules/task-views.ts';
import { askedTimeOf, readWithParts } from '../tasks/task-items.ts';
import { endedAs, endedWith, endsOf, type FinalCounts, type LinePlace } from './final-counts.ts';
import { StillToCall } from './rules/still-to-call.ts';
import type { Standings } from './rules/task-overview.ts';

/** The progress of a task. */
export type TaskState = FinalCounts & {
  standings: Standings;
  tally: Tally;
  /** Contacts that the task has taken up and never called, and that no recall named. */
  neverCalled: readonly number[];
  /** Contacts in their first call, and those whose first lease has expired. */
  firstCalls: number;
  stillToCall: StillToCall;
};

export type SeenTask = { task: Task; ends?: FinalCounts };

type Known = {
  ends?: FinalCounts | undefined;
  directory?: Directory | undefined;
  /** The zones of the contacts, with an empty one for those without, if any has its own. */
  zones?: readonly string[] | undefined;
  /** When a dialer asked for calls of any task. */
  askedForAny?: Item | undefined;
};

/** Places that the first read of a line gives. */
const placesAtFirst = 500;
/** Maximum of places that are read of a task. */
const placesAtMost = 20_000;
/** Contacts perhaps in a first call, from which on it is worth asking which calls began last. */
const firstCallsAtOnce = 100;
/** Maximum of contacts that are checked one by one, because their place does not tell. */
const judgedAtMost = 200;

/** The contacts in line, as far as they were read. `isWhole`: all of them were. */
type Lines = { places: LinePlace[]; isWhole: boolean };

/** The contacts whose first call has not ended, and how many of them are in a call. */
type FirstCalls = { untouched: number[]; lapsed: number[]; inCall: number };

/** A contact whose wait is decided with the overview, and what else holds it back. */
type Judged = { seq: number; held: readonly Hold[] };

/** Some of its contacts were never leased. */
const isNew = ({ checkTime }: Intake) => checkTime === 0;
const isInCall = ({ isLeased, since }: IndexPlace, now: Instant) => isLeased && since > now;
const isNeverCalled = ({ lastCall }: IndexPlace) => lastCall === 'none';

const dueLevels = (levels: readonly number[]) => [...new Set(levels)].sort((a, b) => a - b);

type ProgressDependencies = {
  database: Database;
  taskContacts: TaskContacts;
  rules: CallingRules;
  serviceHours: ServiceHours;
};

/**
 * Reads the progress of tasks. Its cost grows with the contacts in line, of which at most 20,000
 * are read, and not with those whose calls have ended.
 */
export class TaskProgress {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;
  readonly #rules: CallingRules;
  readonly #serviceHours: ServiceHours;

  constructor({ database, taskContacts, rules, serviceHours }: ProgressDependencies) {
    this.#database = database;
    this.#taskContacts = taskContacts;
    this.#rules = rules;
    this.#serviceHours = serviceHours;
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

  /** The items of a task up to `last`. They are neighbours. */
  async #itemsOf(id: string, last: Key, ConsistentRead = false): Promise<Item[]> {
    const range = keyRange(keys.task(id).pk, keys.asked(id).sk, last.sk);
    return readWithParts(this.#database, id, () => this.#database.queryAll({ ...range, ConsistentRead }));
  }

  /** `known`: what was read before. The directory is needed only while the task has not ended. */
  async of(task: Task, now: Instant, known: Known = {}): Promise<TaskState> {
    const isStarted = task.startTime !== null;
    const [ends, intakes] = await Promise.all([
      known.ends ?? (isStarted ? this.ends(task) : endsOf(task.id, [])),
      isStarted ? readIntakesUpTo(this.#database, task.id, now) : [],
    ]);
    const { dial, counters, pending, ended, asked } = ends;
    const early = await this.#among(task.id, intakes.filter(isNew), now);
    const open = Math.max(0, dial.claimed - counters.settled - early.untouched.length);
    const isAnyInLine = open > early.inCall + early.lapsed.length;
    const levels = isAnyInLine ? linesOf(task, dial, counters) : [];
    const { directory } = known;
    const [lines, notCalled] = await Promise.all([
      this.#lines(task.id, levels),
      directory && this.#notDialed(task, directory, dial, early.untouched),
    ]);
    const outOfLine = Math.max(0, open - lines.places.length);
    const first =
      outOfLine <= early.inCall + early.lapsed.length
        ? early
        : await this.#firstCalls(task.id, early, intakes, { outOfLine, isWhole: lines.isWhole }, now);
    const inLine = lines.places.filter((place) => !isInCall(place, now));
    const inCall = first.inCall + lines.places.length - inLine.length;
    const unread = lines.isWhole ? 0 : Math.max(0, outOfLine - first.inCall - first.lapsed.length);
    const unlooked = dial.review?.settled ?? 0;
    const fresh = notCalled && notCalled.takenUp + notCalled.fresh + (dial.review?.left ?? 0) + unlooked;
    const isOver = hasEnded(task.status);
    const untried = inLine.filter((place) => (isOver ? endedAs(place) === 'none' : isNeverCalled(place)));
    const stillToCall = new StillToCall(this.#factsOf(task), now);
    const moved = isOver ? 0 : await this.#addWaiting(stillToCall, task, { first, inLine, ends }, known, now);
    if (!isOver && isStarted) {
      stillToCall.addFresh(fresh ?? 0, known.zones ?? ['']);
      stillToCall.addUnread(unread);
    }
    const endedNow = isOver ? endedWith(ended, ends, inLine, unread) : ended;
    const callbacksInCall = lines.places.filter(
      (place) => place.level === callbackLevel && isInCall(place, now),
    ).length;
    const standings = {
      ...endedNow,
      notSelected: endedNow.notSelected - (isOver ? 0 : unlooked),
      inCall,
      waiting: isOver ? 0 : inLine.length - untried.length + pending + unread,
      callbacks: isOver ? 0 : Math.max(0, counters.callbacks - callbacksInCall),
      callbacksMoved: moved,
      notDialed: fresh === undefined ? undefined : fresh + first.lapsed.length + untried.length,
      callable: stillToCall.callable,
      waits: stillToCall.rows(),
      looked: {
        takenUp: notCalled?.takenUp ?? first.untouched.length,
        ...lookedSoFar(dial, counters.ended.notSelected),
      },
      dueAt: dueLevels([
        ...((fresh ?? 0) > 0 || first.lapsed.length > 0 ? [task.priority] : []),
        ...(pending > 0 ? dial.recalls.map(({ priority }) => priority) : []),
        ...inLine.filter(({ since }) => since <= now).map(({ level }) => level),
      ]),
      lastLeaseTime: sinceStart(task, askedTimeOf([asked, ends.askedAmongOthers])),
      askedTime: askedTimeOf([asked, known.askedForAny]),
      ownLeaseTime: askedTimeOf([asked]),
      callsAgain: counters.callsAgain,
      callsByReason: counters.callsByReason,
      callsByDisposition: counters.callsByDisposition,
    };
    const neverCalled = [...first.untouched, ...first.lapsed, ...untried.map(({ seq }) => seq)];
    const firstCalls = first.inCall + first.lapsed.length;
    return { ...ends, standings, tally: counters.tally, neverCalled, firstCalls, stillToCall };
  }

  #factsOf = (task: Task) => ({
    schedule: { ...task, callingHours: this.#serviceHours.callingHours },
    serviceZone: this.#serviceHours.zone,
  });

  /**
   * Adds contacts that wait in line, or lost their place in it.
   * @returns how many callbacks hours or a limit have postponed
   */
  async #addWaiting(
    stillToCall: StillToCall,
    task: Task,
    { first, inLine, ends }: { first: FirstCalls; inLine: readonly LinePlace[]; ends: FinalCounts },
    { zones }: Known,
    now: Instant,
  ): Promise<number> {
    const lapsed = inLine.filter(({ isLeased }) => isLeased);
    const isSimple = zones === undefined && !(await this.#rules.areNumbersLimited(task, now));
    const judged = isSimple ? [] : [...first.lapsed, ...lapsed.map(({ seq }) => seq)].slice(0, judgedAtMost);
    const isJudged = new Set(judged);
    const asked = judged.map((seq) => ({ seq, held: [] }));
    for (const when of await this.#judge(task, asked, now)) stillToCall.add(when);
    stillToCall.addPlace(
      { due: now, reason: 'RETRY' },
      first.lapsed.filter((seq) => !isJudged.has(seq)).length,
    );
    let moved = 0;
    for (const { seq, level, since, reason, zone } of inLine) {
      if (isJudged.has(seq)) continue;
      const isCallback = level === callbackLevel;
      const place = { due: since, reason: reason ?? (isCallback ? 'CALLBACK' : 'RETRY'), zone } as const;
      const when = stillToCall.addPlace(place);
      if (isCallback && when !== 'now' && !ownReasons.includes(when.reason)) moved++;
    }
    const recalled = await this.#recalledFrom(task, ends);
    const held = recalled.slice(0, isSimple ? 0 : judgedAtMost);
    for (const when of await this.#judge(task, held, now)) stillToCall.add(when);
    const others = recalled.slice(held.length).flatMap(({ held: [hold] }) => hold?.until ?? 0);
    for (const due of others) stillToCall.addPlace({ due, reason: 'RETRY' });
    stillToCall.addPlace({ due: now, reason: 'RETRY' }, ends.pending - recalled.length);
    return moved;
  }

  /** Decides by the rule of a lease, because no place shows what these contacts wait for. */
  async #judge(task: Task, judged: readonly Judged[], now: Instant): Promise<(LastingHold | 'now')[]> {
    if (judged.length === 0) return [];
    const items = await this.#database.batchGet(
      judged.map(({ seq }) => keys.contact(task.dataSourceId, seq)),
    );
    const asked = judged.map(({ held }, i) => ({
      task,
      contact: items[i] && contactOfItem(task.dataSourceId, items[i]),
      standing: { is: 'waiting' as const, held },
    }));
    const holds = await this.#rules.holdsOf(asked, now);
    return holds.map((some) => some?.at(-1) ?? 'now');
  }

  /** When the contacts come due that a recall of all failed ones has not queued yet. */
  async #recalledFrom(task: Task, { dial, counters, pending }: FinalCounts): Promise<Judged[]> {
    if (pending === 0) return [];
    const recalled: Judged[] = [];
    for (const number of counters.failed.keys()) {
      const recall = dial.recalls.find(({ upTo }) => upTo >= number);
      if (recall === undefined) continue;
      const partitions = [keys.failed(task.id, number), keys.unanswered(task.id, number)];
      for (const partition of partitions) {
        const limit = placesAtMost - recalled.length;
        if (limit === 0) break;
        const places = await readPlaces(this.#database, partition, { limit });
        for (const { seq, due } of places) {
          const until = recallDue(task, recall.time, due);
          recalled.push({ seq, held: [{ reason: 'RETRY', until }] });
        }
      }
    }
    return recalled.slice(0, pending);
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

  async #among(taskId: string, intakes: readonly Intake[], now: Instant): Promise<FirstCalls> {
    if (intakes.length === 0) return { untouched: [], lapsed: [], inCall: 0 };
    const listed = [...new Set(intakes.flatMap(({ seqs }) => seqs))].sort((a, b) => a - b);
    const found = await this.#taskContacts.among(taskId, listed);
    const known = new Set(found.map(({ seq }) => seq));
    const leased = found.filter(isOutOfLine);
    const lapsed = leased.filter(({ lease }) => lease.until <= now).map(({ seq }) => seq);
    return {
      untouched: listed.filter((seq) => !known.has(seq)),
      lapsed,
      inCall: leased.length - lapsed.length,
    };
  }

  /**
   * Of the contacts in their first call, only those are read whose lease may have expired. If no
   * lease has come for a while, most of these calls have ended, so the calls that began last are
   * read first. `outOfLine`: how many contacts have no place in line, as far as it was read.
   */
  async #firstCalls(
    taskId: string,
    early: FirstCalls,
    intakes: readonly Intake[],
    { outOfLine, isWhole }: { outOfLine: number; isWhole: boolean },
    now: Instant,
  ): Promise<FirstCalls> {
    const leased = intakes.filter((intake) => !isNew(intake));
    if (isWhole && leased.flatMap(({ seqs }) => seqs).length <= firstCallsAtOnce) {
      const later = await this.#among(taskId, leased, now);
      const lapsed = [...new Set([...early.lapsed, ...later.lapsed])];
      return { ...early, lapsed, inCall: Math.max(0, outOfLine - lapsed.length) };
    }
    const expected = isWhole ? outOfLine : undefined;
    const found = await readFirstCalls(this.#database, this.#taskContacts, taskId, now, expected);
    return { ...found, inCall: found.inCall.length };
  }

  /** The lines of a task, the most urgent first. */
  async #lines(taskId: string, levels: readonly number[]): Promise<Lines> {
    const places: LinePlace[] = [];
    for (const level of levels)
      for await (const place of this.#taskContacts.line(taskId, level, placesAtFirst)) {
        if (places.length === placesAtMost) return { places, isWhole: false };
        places.push({ ...place, level });
      }
    return { places, isWhole: true };
  }
}

/** What a callback waits for that nothing has postponed. */
const ownReasons: readonly WaitReason[] = ['CALLBACK', 'RETRY'];

/** A dialer may have asked for the task before it was published. */
const sinceStart = ({ startTime }: Task, time: Instant | null) =>
  startTime !== null && time !== null && time >= startTime ? time : null;
