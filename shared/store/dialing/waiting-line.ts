import { byWaiting } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently } from '../concurrently.ts';
import type { Database } from '../database.ts';
import { type Candidate, dueCandidate, freshCandidates } from './claims.ts';
import { callsAt, type DialedTask, readDialStates } from './dial-state.ts';
import type { Fronts } from './front.ts';
import type { TaskContacts } from './task-contacts.ts';

/** The next contacts of one task that may be called now. */
export type Line = { task: Task; candidates: Candidate[] };

const tasksAtOnce = 8;
/** How far from its head a dialer takes from a line that others take from too. */
const asideAtMost = 128;

/** Who is waiting to be called, at one priority level after the other. */
export class WaitingLine {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;
  readonly #fronts: Fronts;

  constructor(database: Database, taskContacts: TaskContacts, fronts: Fronts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
    this.#fronts = fronts;
  }

  /**
   * The `limit` longest waiting contacts of a level, grouped by task. A dialer that has lost some to others
   * in earlier `contested` rounds steps aside: it takes them from a longer part of the line, anywhere in it.
   */
  async next(
    tasks: readonly Task[],
    level: number,
    limit: number,
    now: Instant,
    contested: number,
  ): Promise<Line[]> {
    const among = limit + Math.min(limit * (2 ** contested - 1), asideAtMost);
    const dialed = (await readDialStates(this.#database, tasks)).filter(callsAt(level));
    const lines = await concurrently(dialed, tasksAtOnce, async (line) => ({
      task: line.task,
      candidates: await this.#candidates(line, level, among, now),
    }));
    const waiting = lines
      .flatMap(({ candidates }) => candidates)
      .sort(byWaiting)
      .slice(0, among);
    const from = Math.floor(Math.random() * Math.max(0, waiting.length - limit + 1));
    const chosen = new Set(waiting.slice(from, from + limit));
    return lines
      .map((line) => ({ ...line, candidates: line.candidates.filter((candidate) => chosen.has(candidate)) }))
      .filter(({ candidates }) => candidates.length > 0);
  }

  async #candidates(line: DialedTask, level: number, limit: number, now: Instant): Promise<Candidate[]> {
    const { task, dial } = line;
    const [due, front] = await Promise.all([
      this.#due(line, level, limit, now),
      task.priority === level ? this.#fronts.next(task, dial, limit, now) : undefined,
    ]);
    if (front === undefined) return due;
    const dueNow = front.cameBack ? await this.#due(line, level, limit, now) : due;
    return [...dueNow, ...freshCandidates(task, front.fresh)];
  }

  /** Where leases have run out, the contact waits since then: others further back may be before it. */
  async #due({ task }: DialedTask, level: number, limit: number, now: Instant): Promise<Candidate[]> {
    const due: Candidate[] = [];
    let waiting = 0;
    for await (const place of this.#taskContacts.line(task.id, level, limit, now)) {
      if (place.since <= now) due.push(dueCandidate(task, place));
      if (!place.isLeased) waiting++;
      if (waiting === limit) break;
    }
    return due;
  }
}
