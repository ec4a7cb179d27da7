import { type Counters, type DialState, levelsOf, recallsPending } from '../domain/dial-state.ts';
import type { Task } from '../domain/task.ts';
import { isInCall } from '../domain/task-contact.ts';
import type { Standing } from '../domain/task-overview.ts';
import type { Tally } from '../domain/task-views.ts';
import type { Instant } from '../domain/time.ts';
import { readAskedTime } from './asked-times.ts';
import type { Database } from './database.ts';
import { readDialState } from './dialing/dialing-items.ts';
import { TaskContacts } from './dialing/task-contacts.ts';
import { readCounters } from './dialing/task-counters.ts';
import { keys } from './keys.ts';

/** How a task stands, and who of it is in a call. */
export type TaskState = { standing: Standing; tally: Tally; dial: DialState; inCall: readonly number[] };

/** A line is read so far at a time; those in a call stand at its head. */
const placesAtOnce = 50;

type Line = { inCall: number[]; nextDue: Instant | null };

const earliest = (instants: readonly (Instant | null)[]): Instant | null => {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
};

/** Reads how far tasks have come, at a cost that grows with the calls under way and with nothing else. */
export class TaskProgress {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database) {
    this.#database = database;
    this.#taskContacts = new TaskContacts(database);
  }

  async of(task: Task, now: Instant): Promise<TaskState> {
    const [dial, counters, asked, first] = await Promise.all([
      readDialState(this.#database, task.id),
      readCounters(this.#database, task.id),
      readAskedTime(this.#database, task.id),
      this.#firstCalls(task.id, now),
    ]);
    const lines = await Promise.all(levelsOf(task, dial).map((level) => this.#line(task.id, level, now)));
    const inCall = [...first.inCall, ...lines.flatMap((line) => line.inCall)];
    const pending = recallsPending(dial, counters.failed);
    const open = Math.max(0, dial.claimed - counters.settled - first.untouched);
    const standing = {
      ...endedOf(counters, dial, pending),
      inCall: inCall.length,
      waiting: Math.max(0, open - inCall.length) + pending,
      nextDue: earliest([first.nextDue, pending > 0 ? now : null, ...lines.map(({ nextDue }) => nextDue)]),
      lastLeaseTime: asked,
      callsByReason: counters.callsByReason,
    };
    return { standing, tally: counters.tally, dial, inCall };
  }

  /** Of those whose first call has not ended; `untouched`: taken up, but not called yet. */
  async #firstCalls(taskId: string, now: Instant): Promise<Line & { untouched: number }> {
    const records = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.intakes(taskId) },
    });
    const seqs = records.flatMap(({ contacts }) => (contacts as number[]).filter((_, i) => i % 2 === 0));
    const listed = [...new Set(seqs)].sort((a, b) => a - b);
    const found = await this.#taskContacts.among(taskId, listed);
    const leased = found.filter(({ state }) => state === 'leased');
    const inCall = leased.filter((contact) => isInCall(contact, now));
    return {
      inCall: inCall
        .filter((contact) => contact.state === 'leased' && !contact.isInLine)
        .map(({ seq }) => seq),
      nextDue: leased.length > inCall.length ? now : null,
      untouched: listed.length - found.length,
    };
  }

  async #line(taskId: string, level: number, now: Instant): Promise<Line> {
    const inCall: number[] = [];
    let nextDue: Instant | null = null;
    let waiting = 0;
    for await (const { seq, since, isLeased } of this.#taskContacts.line(taskId, level, placesAtOnce)) {
      if (isLeased && since > now) inCall.push(seq);
      else {
        nextDue = Math.min(nextDue ?? since, since);
        waiting++;
      }
      if (waiting >= placesAtOnce) break;
    }
    return { inCall, nextDue };
  }
}

/** Those whom a recall has yet to queue again wait, whatever their last outcome was. */
const endedOf = ({ ended, unanswered }: Counters, dial: DialState, pending: number) => {
  const pendingUnanswered = recallsPending(dial, unanswered);
  return {
    reached: ended.success,
    noAnswer: ended.noAnswer - pendingUnanswered,
    failed: ended.failed - (pending - pendingUnanswered),
    blocked: ended.blocked,
  };
};
