import type { Contact } from '../../domain/contacts/contact.ts';
import { openingFor } from '../../domain/dialing/may-call.ts';
import { isAlwaysOpen } from '../../domain/schedule.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Standing } from '../../domain/tasks/task-overview.ts';
import { status } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import { readContactList, readContactRange } from '../contacts/index.ts';
import type { Database } from '../table/index.ts';
import { chunkOf, contactsPerChunk } from '../table/index.ts';
import type { TaskState } from './task-progress.ts';

/** So many of those who wait are looked at, half a read unit each: the first to be due. */
const dueLookedAt = 1;
/** So many of those who were not called yet: they stand side by side, so many in a read unit. */
const freshLookedAt = 12;

type Next = { contact: Contact; since: Instant };

/** Tells when the next contacts may be called, where some have time zones of their own. */
export class OwnHours {
  readonly #database: Database;
  /** IANA name of the service's time zone. */
  readonly #zone: string;

  constructor(database: Database, zone: string) {
    this.#database = database;
    this.#zone = zone;
  }

  /** Of a task whose contacts have such zones; `undefined` where its own hours are all that counts. */
  async next(task: Task, state: TaskState, now: Instant): Promise<Standing['next']> {
    if (task.status !== status.running || isAlwaysOpen(task)) return undefined;
    const due = [...state.lapsed.map((seq) => ({ seq, since: now })), ...state.line];
    const [some, fresh] = await Promise.all([
      this.#due(task, due.slice(0, dueLookedAt)),
      this.#fresh(task, state, now),
    ]);
    const times = [...some, ...fresh].map(({ contact, since }) => {
      const facts = { schedule: task, serviceZone: this.#zone, contact };
      return {
        time: openingFor(facts, Math.max(now, since)),
        isClosed: openingFor(facts, now) !== now,
      };
    });
    // Whoever was not looked at may be open already.
    const { notDialed = 0 } = state.standing;
    const isSeen = fresh.length >= notDialed + state.dial.ahead && state.pending === 0;
    const unseen = isSeen ? due[dueLookedAt]?.since : now;
    if (unseen !== undefined) times.push({ time: Math.max(now, unseen), isClosed: false });
    return times.sort((a, b) => a.time - b.time)[0] ?? { time: null, isClosed: false };
  }

  async #due({ dataSourceId }: Task, places: readonly { seq: number; since: Instant }[]): Promise<Next[]> {
    const seqs = places.map(({ seq }) => seq).sort((a, b) => a - b);
    const contacts = await readContactList(this.#database, dataSourceId, seqs);
    return contacts.map((contact) => ({
      contact,
      since: places.find(({ seq }) => seq === contact.seq)?.since ?? 0,
    }));
  }

  /** Those that were taken up, and those from the cursor on. */
  async #fresh({ dataSourceId }: Task, { untouched, dial, standing }: TaskState, now: Instant) {
    if (standing.notDialed === 0) return [];
    const taken = untouched.slice(0, freshLookedAt);
    const limit = freshLookedAt - taken.length;
    const chunkEnd = (chunkOf(dial.cursor) + 1) * contactsPerChunk;
    const contacts = await Promise.all([
      readContactList(this.#database, dataSourceId, taken),
      limit > 0 ? readContactRange(this.#database, dataSourceId, dial.cursor, chunkEnd - 1, { limit }) : [],
    ]);
    return contacts.flat().map((contact): Next => ({ contact, since: now }));
  }
}
