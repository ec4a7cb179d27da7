import { levelsOf } from '../../domain/dialing/dial-state.ts';
import { byWaiting, type Turn } from '../../domain/dialing/dialing.ts';
import { countFresh, type OpenIntake } from '../../domain/dialing/intake.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently } from '../table/index.ts';
import type { DialProgress, Intakes } from './intakes.ts';
import type { TaskContacts } from './task-contacts.ts';

/** A task that may be dialed now, and how far its dialing has come. */
export type DialedTask = { task: Task; progress: DialProgress };

/** A contact that a lease request considers; with a version where it has a task contact. */
export type Candidate = Turn & {
  version?: number;
  /** Fresh, from an intake that this request has made: most likely no other request wants it. */
  isOwn?: boolean;
};

/** The candidates of one task, and the intakes that were checked for them. */
export type TaskCandidates = { task: Task; candidates: Candidate[]; intakes: OpenIntake[] };

/** Whether some contacts of the task are called at that priority. */
export const callsAt =
  (level: number) =>
  ({ task, progress }: DialedTask): boolean =>
    levelsOf(task, progress.dial).includes(level);

const tasksAtOnce = 8;
/** How far from its head a request takes from a line that other requests take from too. */
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
   * The `limit` longest waiting contacts of a level, by task. A request that lost contacts to other requests in
   * `contested` earlier rounds steps aside: it takes from anywhere in a longer part of the line.
   */
  async next(
    tasks: readonly DialedTask[],
    level: number,
    limit: number,
    now: Instant,
    contested: number,
  ): Promise<TaskCandidates[]> {
    const among = limit + Math.min(limit * (2 ** contested - 1), asideAtMost);
    const found = await concurrently(tasks, tasksAtOnce, (dialed) => this.#of(dialed, level, among, now));
    const waiting = found
      .flatMap(({ candidates }) => candidates)
      .sort(byWaiting)
      .slice(0, among);
    const from = Math.floor(Math.random() * Math.max(0, waiting.length - limit + 1));
    const chosen = new Set(waiting.slice(from, from + limit));
    return found.map((each) => ({
      ...each,
      candidates: each.candidates.filter((candidate) => chosen.has(candidate)),
    }));
  }

  async #of(
    { task, progress }: DialedTask,
    level: number,
    limit: number,
    now: Instant,
  ): Promise<TaskCandidates> {
    const [due, intakes] = await Promise.all([
      this.#due(task, level, limit, now),
      task.priority === level ? this.#fresh(task, progress, limit, now) : [],
    ]);
    const fresh = intakes.flatMap(({ open, isOwn = false }) =>
      open.map((contact): Candidate => ({ ...contact, taskId: task.id, isOwn })),
    );
    return { task, candidates: [...due, ...fresh], intakes };
  }

  /** A contact whose lease ran out waits since then: contacts further back in line may have waited longer. */
  async #due(task: Task, level: number, limit: number, now: Instant): Promise<Candidate[]> {
    const due: Candidate[] = [];
    let waiting = 0;
    for await (const { isLeased, ...place } of this.#taskContacts.line(task.id, level, limit, now)) {
      if (place.since <= now) due.push({ ...place, taskId: task.id });
      if (!isLeased) waiting++;
      if (waiting === limit) break;
    }
    return due;
  }

  /** Intakes with `limit` contacts that were never called, or with all there are. */
  async #fresh(task: Task, progress: DialProgress, limit: number, now: Instant): Promise<OpenIntake[]> {
    let { dial } = progress;
    let opened = await this.#intakes.open(task.id, progress.intakes, now);
    for (let lost = 0; countFresh(opened) < limit && lost < cursorMovesAtMost; ) {
      const taken = await this.#intakes.take(task, dial, limit - countFresh(opened));
      if (taken === undefined) {
        const anew = await this.#intakes.progress(task.id, now);
        dial = anew.dial;
        opened = await this.#intakes.open(task.id, anew.intakes, now);
        lost++;
        continue;
      }
      dial = taken.dial;
      if (taken.intake) opened.push(taken.intake);
      if (taken.isLast) break;
    }
    return opened;
  }
}
