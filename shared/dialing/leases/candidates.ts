import { allEnded, concurrently } from '../../platform/table/concurrency.ts';
import type { Instant } from '../../platform/time/time.ts';
import type { Task } from '../../tasks/rules/task.ts';
import {
  callbackLevel,
  fairShares,
  type IntakeContact,
  levelsOf,
  type OpenIntake,
} from '../rules/dial-state.ts';
import type { TaskContacts } from '../task-contacts.ts';
import type { DialProgress, Intakes } from './intakes.ts';

/** A task that may be called now, and how far its dialing has come. */
export type DialedTask = {
  task: Task;
  progress: DialProgress;
  /** How many calls its limits allow now; by default any number. */
  room?: number;
};

/** A contact that a lease request considers. It has a version if it has a task contact. */
export type Candidate = {
  seq: number;
  version?: number;
  /** A fresh contact from an intake of this request. Most likely no other request wants it. */
  isOwn?: boolean;
};

/** The candidates of one task in the order of their calls, and the intakes checked for them. */
export type TaskCandidates = {
  task: Task;
  candidates: Candidate[];
  intakes: OpenIntake[];
};

/** `handed`: contacts that no other request gets. */
type Fresh = { intakes: OpenIntake[]; handed: Candidate[]; again: Candidate[] };

/**
 * How many candidates of a task are wanted, and how many if no other request gets them.
 * `isContested`: other requests were faster in an earlier round.
 */
type Count = { limit: number; alone: number; isContested: boolean };

/** Whether some contacts of the task may be called at that level. */
export const callsAt =
  (level: number) =>
  ({ task, progress }: DialedTask): boolean =>
    level === callbackLevel || levelsOf(task, progress.dial).includes(level);

const tasksAtOnce = 8;
/**
 * Maximum distance from the head of a line at which a request takes contacts, if other requests
 * take from it too.
 */
const asideAtMost = 128;
/** How often a request moves the cursor again after other requests were faster. */
const cursorMovesAtMost = 5;

/** Finds the contacts that wait to be called, at one priority level at a time. */
export class Candidates {
  readonly #taskContacts: TaskContacts;
  readonly #intakes: Intakes;

  constructor(taskContacts: TaskContacts, intakes: Intakes) {
    this.#taskContacts = taskContacts;
    this.#intakes = intakes;
  }

  /**
   * The next `limit` contacts of a level, shared fairly among the tasks, in the given order. A
   * request that lost contacts to other requests in `contested` earlier rounds steps aside: it
   * takes from anywhere in a longer part of each line.
   */
  async next(
    tasks: readonly DialedTask[],
    level: number,
    limit: number,
    now: Instant,
    contested: number,
  ): Promise<TaskCandidates[]> {
    const aside = Math.min(limit * (2 ** contested - 1), asideAtMost);
    const rooms = tasks.map(({ room = limit }) => Math.min(room, limit));
    const found = await concurrently([...tasks.keys()], tasksAtOnce, async (at) =>
      rooms[at] === 0
        ? { task: tasks[at]!.task, candidates: [], intakes: [] }
        : this.#of(
            tasks[at]!,
            level,
            {
              limit: rooms[at]! + aside,
              alone: Math.min(rooms[at]!, Math.ceil(limit / tasks.length)),
              isContested: contested > 0,
            },
            now,
          ),
    );
    const shares = fairShares(
      limit,
      found.map(({ candidates }, at) => Math.min(candidates.length, rooms[at]!)),
    );
    return found.map((each, i) => ({ ...each, candidates: someOf(each.candidates, shares[i]!, aside) }));
  }

  async #of(
    { task, progress }: DialedTask,
    level: number,
    count: Count,
    now: Instant,
  ): Promise<TaskCandidates> {
    const [listed, { intakes, handed, again }] = await allEnded([
      this.#due(task, level, count.limit, now),
      task.priority === level
        ? this.#fresh(task, progress, count, now)
        : { intakes: [], handed: [], again: [] },
    ]);
    const due = [...listed, ...again];
    // A contact that another request has leased and released meanwhile may be in both.
    const inLine = new Set(due.map(({ seq }) => seq));
    const fresh = freshIn(intakes, handed).filter(({ seq }) => !inLine.has(seq));
    const candidates = task.retryOrder === 'last' ? [...fresh, ...due] : [...due, ...fresh];
    return { task, candidates, intakes };
  }

  /** Due contacts, the longest due first. After its lease a contact is at its old place. */
  async #due(task: Task, level: number, limit: number, now: Instant): Promise<Candidate[]> {
    const due: Candidate[] = [];
    for await (const place of this.#taskContacts.line(task.id, level, limit, now)) {
      if (place.since > now) continue;
      due.push({ seq: place.seq, version: place.version });
      if (due.length === limit) break;
    }
    return due;
  }

  /**
   * Contacts that wait for their first call, as many as are wanted or as this request may look for.
   * `again`: contacts that match the task's filter again and are in line since.
   */
  async #fresh(task: Task, progress: DialProgress, count: Count, now: Instant): Promise<Fresh> {
    const again: Candidate[] = [];
    const handed: Candidate[] = [];
    let { dial, intakes } = progress;
    let opened: OpenIntake[] = [];
    const left = () => (handed.length > 0 ? count.alone - handed.length : count.limit) - countOpen(opened);
    const look = async () => {
      opened = await this.#intakes.open(task.id, intakes, now);
      const wanted = Math.min(left(), count.alone - handed.length);
      if (wanted > 0) handed.push(...own(await this.#intakes.handOut(intakes, wanted, now)));
    };
    await look();
    for (let lost = 0; left() > 0 && lost < cursorMovesAtMost; ) {
      const taken = await this.#intakes.take(task, dial, left(), now, count.isContested || lost > 0);
      if (taken === undefined) {
        ({ dial, intakes } = await this.#intakes.progress(task.id, now));
        lost++;
        await look();
        continue;
      }
      dial = taken.dial;
      if (taken.intake) opened.push(taken.intake);
      handed.push(...own(taken.handed ?? []));
      again.push(...taken.again);
      if (taken.isOver) break;
    }
    return { intakes: opened, handed, again };
  }
}

const countOpen = (intakes: readonly OpenIntake[]): number => intakes.flatMap(({ open }) => open).length;

const own = (contacts: readonly IntakeContact[]): Candidate[] =>
  contacts.map((contact) => ({ ...contact, isOwn: true }));

/** In the order in which the contacts were added. */
const freshIn = (intakes: readonly OpenIntake[], handed: readonly Candidate[]): Candidate[] =>
  [
    ...intakes.flatMap(({ open, isOwn = false }) => open.map((contact) => ({ ...contact, isOwn }))),
    ...handed,
  ].sort((a, b) => a.seq - b.seq);

/** @returns `count` of the candidates, at most `aside` places from the head of the line */
const someOf = (candidates: readonly Candidate[], count: number, aside: number): Candidate[] => {
  const starts = Math.min(aside, candidates.length - count) + 1;
  const from = Math.floor(Math.random() * starts);
  return candidates.slice(from, from + count);
};
