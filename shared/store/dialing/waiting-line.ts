import { byWaiting } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { concurrently } from '../concurrently.ts';
import type { Contacts } from '../contacts/contacts.ts';
import { ConditionFailed, type Database } from '../database.ts';
import { isPassing } from '../retry.ts';
import { type Candidate, dueCandidate, freshCandidate } from './claims.ts';
import { callsAt, type DialedTask, type DialState, nextDialState, readDialStates } from './dial-state.ts';
import { readFresh } from './fresh-contacts.ts';
import type { TaskContacts } from './task-contacts.ts';

/** The next contacts of one task that may be called now. */
export type Line = DialedTask & { candidates: Candidate[] };

const tasksAtOnce = 8;

/** Who is waiting to be called, at one priority level after the other. */
export class WaitingLine {
  readonly #database: Database;
  readonly #contacts: Contacts;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, contacts: Contacts, taskContacts: TaskContacts) {
    this.#database = database;
    this.#contacts = contacts;
    this.#taskContacts = taskContacts;
  }

  /** The `limit` longest waiting contacts of a level, grouped by task. */
  async next(tasks: readonly Task[], level: number, limit: number, now: Instant): Promise<Line[]> {
    const dialed = (await readDialStates(this.#database, tasks)).filter(callsAt(level));
    const lines = await concurrently(dialed, tasksAtOnce, async (line) => {
      const waiting = await Promise.all([
        this.#due(line, level, limit, now),
        line.task.priority === level ? this.#fresh(line, limit) : [],
      ]);
      return { ...line, candidates: waiting.flat() };
    });
    const first = new Set(
      lines
        .flatMap(({ candidates }) => candidates)
        .sort(byWaiting)
        .slice(0, limit),
    );
    return lines
      .map((line) => ({ ...line, candidates: line.candidates.filter((candidate) => first.has(candidate)) }))
      .filter(({ candidates }) => candidates.length > 0);
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

  async #fresh({ task, dial }: DialedTask, limit: number): Promise<Candidate[]> {
    const { contacts, from } = await readFresh(this.#contacts, this.#taskContacts, task, dial, limit);
    if (contacts.length === 0 && from > dial.cursor) await this.#skipTo(dial, from);
    let since = 0;
    return contacts.map(({ seq, createTime }) => {
      // In sequence order whatever the clocks said: the cursor cannot leave one behind.
      const candidate = freshCandidate(task, seq, Math.max(since, createTime));
      since = candidate.since;
      return candidate;
    });
  }

  /** So that contacts recalled ahead of the cursor are not stepped over again and again. */
  async #skipTo(dial: DialState, cursor: number): Promise<void> {
    try {
      await this.#database.put(...nextDialState(dial, { cursor }));
    } catch (error) {
      if (!(error instanceof ConditionFailed) && !isPassing(error)) throw error;
    }
  }
}
