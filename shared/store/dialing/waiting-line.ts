import { levelsOf } from '../../domain/dialing/dial-state.ts';
import { byWaiting } from '../../domain/dialing/dialing.ts';
import { freshIn, type OpenIntake } from '../../domain/dialing/intake.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently } from '../table/index.ts';
import type { Candidate, TaskCandidates } from './claims.ts';
import type { DialProgress, Intakes } from './intakes.ts';
import type { TaskContacts } from './task-contacts.ts';

/** A task that may be dialed now, and how its dialing stands. */
export type DialedTask = { task: Task; progress: DialProgress };

/** Whether some contacts of the task are called at that priority. */
export const callsAt =
  (level: number) =>
  ({ task, progress }: DialedTask): boolean =>
    levelsOf(task, progress.dial).includes(level);

const tasksAtOnce = 8;
/** How far from its head a dialer takes from a line that others take from too. */
const asideAtMost = 128;
/** How often a move of the cursor is tried again that other dialers came before. */
const triesAtMost = 5;

/** Who is waiting to be called, at one priority level after the other. */
export class WaitingLine {
  readonly #taskContacts: TaskContacts;
  readonly #intakes: Intakes;

  constructor(taskContacts: TaskContacts, intakes: Intakes) {
    this.#taskContacts = taskContacts;
    this.#intakes = intakes;
  }

  /**
   * The `limit` longest waiting contacts of a level, by task. A dialer that has lost some to others in earlier
   * `contested` looks steps aside: it takes them from a longer part of the line, anywhere in it.
   */
  async next(
    tasks: readonly DialedTask[],
    level: number,
    limit: number,
    now: Instant,
    contested: number,
  ): Promise<TaskCandidates[]> {
    const among = limit + Math.min(limit * (2 ** contested - 1), asideAtMost);
    const lines = await concurrently(tasks, tasksAtOnce, (dialed) => this.#line(dialed, level, among, now));
    const waiting = lines
      .flatMap(({ candidates }) => candidates)
      .sort(byWaiting)
      .slice(0, among);
    const from = Math.floor(Math.random() * Math.max(0, waiting.length - limit + 1));
    const chosen = new Set(waiting.slice(from, from + limit));
    return lines.map((line) => ({
      ...line,
      candidates: line.candidates.filter((candidate) => chosen.has(candidate)),
    }));
  }

  async #line(
    { task, progress }: DialedTask,
    level: number,
    limit: number,
    now: Instant,
  ): Promise<TaskCandidates> {
    const [due, intakes] = await Promise.all([
      this.#due(task, level, limit, now),
      task.priority === level ? this.#fresh(task, progress, limit, now) : [],
    ]);
    const fresh = intakes.flatMap((intake) =>
      [...intake.open.values()].map((contact): Candidate => ({ ...contact, taskId: task.id, intake })),
    );
    return { task, candidates: [...due, ...fresh], intakes };
  }

  /** Where leases have run out, the contact waits since then: others further back may be before it. */
  async #due(task: Task, level: number, limit: number, now: Instant): Promise<Candidate[]> {
    const due: Candidate[] = [];
    let waiting = 0;
    for await (const place of this.#taskContacts.line(task.id, level, limit, now)) {
      const { isLeased, ...candidate } = place;
      if (place.since <= now) due.push({ ...candidate, taskId: task.id });
      if (!isLeased) waiting++;
      if (waiting === limit) break;
    }
    return due;
  }

  /** Intake records with `limit` contacts that were never called, or with all there are. */
  async #fresh(task: Task, progress: DialProgress, limit: number, now: Instant): Promise<OpenIntake[]> {
    let { dial } = progress;
    let opened = await this.#intakes.open(task.id, progress.intakes, now);
    for (let tries = 0; freshIn(opened) < limit && tries < triesAtMost; ) {
      const taken = await this.#intakes.take(task, dial, limit - freshIn(opened));
      if (taken === undefined) {
        const anew = await this.#intakes.progress(task.id, now);
        dial = anew.dial;
        opened = await this.#intakes.open(task.id, anew.intakes, now);
        tries++;
        continue;
      }
      dial = taken.dial;
      if (taken.intake) opened.push(taken.intake);
      if (taken.isLast) break;
    }
    return opened;
  }
}
