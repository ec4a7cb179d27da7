import type { Contacts } from '../contacts/contacts.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import type { PhoneFilter } from '../contacts/rules/phone-number.ts';
import { readPassed } from '../dialing/dial-progress-items.ts';
import { readPlaces } from '../dialing/dialing-items.ts';
import { callbackLevel, type DialState, linesOf } from '../dialing/rules/dial-state.ts';
import {
  type ContactStanding,
  contactStanding,
  notSelected,
  type StandingName,
  untouched,
} from '../dialing/rules/task-contact-views.ts';
import { readFirstCalls, type TaskContacts } from '../dialing/task-contacts.ts';
import { invalid } from '../platform/rules/errors.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import type { Instant } from '../platform/time/time.ts';
import { isAmongContacts, isOfLaterImport, type Task } from '../tasks/rules/task.ts';
import { hasEnded } from '../tasks/rules/task-states.ts';
import type { FinalCounts } from './final-counts.ts';
import { affordable } from './page-budget.ts';
import type { TaskState } from './task-progress.ts';

const seqPattern = /^\d{1,9}$/;

const notGiven = () => invalid('pageToken', 'is not the token of a page of this list', 'UNKNOWN');

/** Where a page ends: at a sequence number, or at a sort key in a part of the list. */
const seqOf = (token: string | undefined): number => {
  if (token === undefined) return 0;
  if (!seqPattern.test(token)) throw notGiven();
  return Number(token);
};
const tokenOf = (part: string, sort: string) => `${part} ${sort}`;
const pageStartOf = (token: string | undefined): { part?: string; after?: string } => {
  if (token === undefined || token === '0') return {};
  const [part, after, ...rest] = token.split(' ');
  if (part === undefined || !/^[\d#]+$/.test(after ?? '') || rest.length > 0) throw notGiven();
  return { part, after: after! };
};

export type ContactsQuery = {
  outcome: StandingName | 'all';
  /** Digits that the number must contain. Not together with an outcome. */
  phoneNumber?: string | undefined;
  pageSize: number;
  pageToken?: string | undefined;
};
export type TaskContactRow = { contact: Contact; standing: ContactStanding };
export type ContactRows = { rows: TaskContactRow[]; nextPageToken: string | null };
export type EndedOutcome = 'success' | 'failed' | 'noAnswer' | 'blocked';

/** Maximum of contacts that one request reads to find contacts of one outcome. */
const readAtMost = 500;
const readAtOnce = 100;

/** A part of the list: a partition of the index. */
type ListPart = { name: string };

/**
 * The contacts of a task, page by page: all in the order in which they were added, or by outcome in
 * the order of the index.
 */
export class ContactsByStanding {
  readonly #database: Database;
  readonly #contacts: Contacts;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, contacts: Contacts, taskContacts: TaskContacts) {
    this.#database = database;
    this.#contacts = contacts;
    this.#taskContacts = taskContacts;
  }

  /** The latest call first. @throws ServiceError invalid (a bad token) */
  ended(
    task: Task,
    { dial, counters }: FinalCounts,
    query: ContactsQuery & { outcome: EndedOutcome },
    now: Instant,
  ) {
    const isOver = hasEnded(task.status);
    const last = Math.max(dial.recallNumber, ...counters.recallNumbers);
    // If a task has ended, a recall queues no contact any more.
    const from = isOver ? 0 : dial.recallNumber;
    const numbers = Array.from({ length: last - from + 1 }, (_, i) => last - i);
    const partitions = {
      success: [keys.reached(task.id)],
      failed: numbers.map((number) => keys.failed(task.id, number)),
      noAnswer: numbers.map((number) => keys.unanswered(task.id, number)),
      blocked: [keys.blocked(task.id)],
    }[query.outcome];
    const lines = isOver && query.outcome !== 'blocked' ? linesOf(task, dial, counters) : [];
    const parts = [...partitions, ...lines.map((level) => keys.line(task.id, level))].map((name) => ({
      name,
    }));
    return this.#listed(task, dial, parts, { ...query, isNewestFirst: true }, now);
  }

  /**
   * At each priority the next due first, then the contacts that a recall has not queued yet.
   * @throws ServiceError invalid
   */
  waiting(task: Task, { dial, counters }: TaskState, query: ContactsQuery, now: Instant) {
    const recalled = [...counters.failed.keys()].filter((number) => number < dial.recallNumber);
    const parts: ListPart[] = [
      ...linesOf(task, dial, counters).map((level) => ({ name: keys.line(task.id, level) })),
      ...recalled.map((number) => ({ name: keys.failed(task.id, number) })),
      ...recalled.map((number) => ({ name: keys.unanswered(task.id, number) })),
    ];
    return this.#listed(task, dial, parts, { ...query, isNewestFirst: false }, now);
  }

  /** The next due first. @throws ServiceError invalid */
  callback(task: Task, { dial }: TaskState, query: ContactsQuery, now: Instant) {
    const parts = [{ name: keys.line(task.id, callbackLevel) }];
    return this.#listed(task, dial, parts, { ...query, isNewestFirst: false }, now);
  }

  /** In the order in which they were added. @throws ServiceError invalid */
  async inCall(
    task: Task,
    { dial, counters, firstCalls }: TaskState,
    { pageSize, pageToken }: ContactsQuery,
    now: Instant,
  ) {
    const from = seqOf(pageToken);
    const [first, ...inLine] = await Promise.all([
      readFirstCalls(this.#database, this.#taskContacts, task.id, now, firstCalls),
      ...linesOf(task, dial, counters).map((level) => this.#taskContacts.inCall(task.id, level, now)),
    ]);
    const inCall = [...first.inCall, ...inLine.flat()];
    const left = inCall.sort((a, b) => a - b).filter((seq) => seq >= from);
    const shown = affordable(left, pageSize);
    const rows = await this.#rows(task, dial, left.slice(0, shown), now);
    return {
      rows: rows.filter(({ standing }) => standing.is === 'inCall'),
      nextPageToken: left.length > shown ? String(left[shown]) : null,
    };
  }

  /**
   * In the order in which they were added: contacts that were taken up but not called, then all
   * contacts after the cursor, except those that a recall has taken up.
   * @throws ServiceError invalid
   */
  async notDialed(task: Task, state: TaskState, query: ContactsQuery, now: Instant): Promise<ContactRows> {
    const { dial } = state;
    const neverCalled = [...state.neverCalled].sort((a, b) => a - b);
    const from = seqOf(query.pageToken);
    if (dial.review !== undefined) {
      const first = neverCalled[0] ?? dial.review.from;
      return this.#addedWith(
        'notDialed',
        task,
        dial,
        { ...query, from: Math.max(from, Math.min(first, dial.review.from)) },
        now,
      );
    }
    const taken = neverCalled.filter((seq) => seq >= from);
    const some = taken.slice(0, query.pageSize);
    const rows = some.length === 0 ? [] : await this.#rows(task, dial, some, now);
    if (taken.length > some.length) return { rows, nextPageToken: String(taken[some.length]) };
    const left = query.pageSize - some.length;
    const behind = Math.max(from, dial.cursor);
    if (left === 0) return { rows, nextPageToken: String(behind) };
    const more = await this.#added(task, dial, behind, left, now);
    const fresh = more.rows.filter(({ standing }) => standing.is === 'notDialed');
    return { rows: [...rows, ...fresh], nextPageToken: more.nextPageToken };
  }

  /** In the order in which they were added. @throws ServiceError invalid */
  notSelected(task: Task, { dial }: TaskState, query: ContactsQuery, now: Instant): Promise<ContactRows> {
    return this.#addedWith('notSelected', task, dial, { ...query, from: seqOf(query.pageToken) }, now);
  }

  /** Contacts with this standing from a sequence number on, as far as one request reads. */
  async #addedWith(
    wanted: StandingName,
    task: Task,
    dial: DialState,
    { from, pageSize }: { from: number; pageSize: number },
    now: Instant,
  ): Promise<ContactRows> {
    const rows: TaskContactRow[] = [];
    let next: string | null = String(from);
    for (let read = 0; next !== null && rows.length <= pageSize && read < readAtMost; read += readAtOnce) {
      const page: ContactRows = await this.#added(task, dial, Number(next), readAtOnce, now);
      rows.push(...page.rows.filter(({ standing }) => standing.is === wanted));
      next = page.nextPageToken;
    }
    const more = rows[pageSize];
    return {
      rows: rows.slice(0, pageSize),
      nextPageToken: more === undefined ? next : String(more.contact.seq),
    };
  }

  /** In the order in which they were added. @throws ServiceError invalid */
  all(task: Task, { dial }: TaskState, { pageSize, pageToken }: ContactsQuery, now: Instant) {
    return this.#added(task, dial, seqOf(pageToken), pageSize, now);
  }

  /**
   * The contacts whose number matches the filter, in the order in which they were added, and how
   * many there are.
   * @throws ServiceError invalid
   */
  async withNumber(
    task: Task,
    dial: DialState,
    filter: PhoneFilter | 'none',
    { pageSize, pageToken }: Pick<ContactsQuery, 'pageSize' | 'pageToken'>,
    now: Instant,
  ): Promise<ContactRows & { total: number }> {
    const from = seqOf(pageToken);
    const seqs = await this.#beforeEnd(task, await this.#contacts.search(task.dataSourceId, filter));
    const left = seqs.filter((seq) => seq >= from);
    const shown = affordable(left, pageSize);
    return {
      total: seqs.length,
      rows: await this.#rows(task, dial, left.slice(0, shown), now),
      nextPageToken: left.length > shown ? String(left[shown]) : null,
    };
  }

  /** Drops contacts that were added after the end of the task, which have greater numbers. */
  async #beforeEnd(task: Task, found: number[]): Promise<number[]> {
    if (task.endTime === null) return found;
    const seqs = found.filter((seq) => !isOfLaterImport(task, seq));
    const belongs = async (at: number) => {
      const [contact] = await this.#contacts.among(task.dataSourceId, [seqs[at]!]);
      return contact !== undefined && isAmongContacts(task, contact);
    };
    // Usually no contact was added since, so the last one is read first.
    if (seqs.length === 0 || (await belongs(seqs.length - 1))) return seqs;
    let low = 0;
    let high = seqs.length - 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await belongs(middle)) low = middle + 1;
      else high = middle;
    }
    return seqs.slice(0, low);
  }

  async #added(task: Task, dial: DialState, from: number, limit: number, now: Instant): Promise<ContactRows> {
    const found = await this.#contacts.visibleFrom(task.dataSourceId, from, limit);
    const seqs = found.contacts.map(({ seq }) => seq);
    const isPassed = await readPassed(this.#database, dial);
    const taken = await this.#taskContacts.among(task.id, seqs);
    const known = new Map(taken.map((contact) => [contact.seq, contact]));
    const rows = found.contacts.flatMap((contact): TaskContactRow[] => {
      const taskContact = known.get(contact.seq);
      if (taskContact) return [{ contact, standing: contactStanding(taskContact, task, dial, now) }];
      const standing = isPassed(contact.seq) ? notSelected : untouched;
      return isAmongContacts(task, contact) ? [{ contact, standing }] : [];
    });
    return { rows, nextPageToken: found.isLast ? null : String(found.nextSeq) };
  }

  async #listed(
    task: Task,
    dial: DialState,
    parts: readonly ListPart[],
    query: ContactsQuery & { isNewestFirst: boolean },
    now: Instant,
  ): Promise<ContactRows> {
    const { outcome, pageSize } = query;
    const places = await this.#places(parts, query, now);
    const seqs = places.map(({ seq }) => seq);
    const shown = ['waiting', 'callback'].includes(outcome)
      ? affordable(seqs, pageSize)
      : Math.min(seqs.length, pageSize);
    const rows = await this.#rows(task, dial, seqs.slice(0, shown), now);
    const last = places[shown - 1];
    return {
      rows: rows.filter(({ standing }) => isListed(standing.is, outcome)),
      nextPageToken: places.length > shown && last ? tokenOf(last.part, last.sort) : null,
    };
  }

  /** One more than a page shows. Contacts in a call keep their place in line and are skipped. */
  async #places(
    parts: readonly ListPart[],
    { pageSize, pageToken, isNewestFirst }: ContactsQuery & { isNewestFirst: boolean },
    now: Instant,
  ) {
    const token = pageStartOf(pageToken);
    const first = token.part === undefined ? 0 : parts.findIndex(({ name }) => name === token.part);
    if (first === -1) return [];
    const found: { seq: number; sort: string; part: string }[] = [];
    for (const part of parts.slice(first)) {
      let after = part.name === token.part ? token.after : undefined;
      for (let limit = pageSize + 1; found.length <= pageSize; limit *= 2) {
        const places = await readPlaces(this.#database, part.name, { after, limit, isNewestFirst });
        const idle = places.filter(({ isLeased, since }) => !(isLeased && since > now));
        found.push(...idle.map(({ seq, sort }) => ({ seq, sort, part: part.name })));
        after = places.at(-1)?.sort;
        if (places.length < limit) break;
      }
    }
    return found;
  }

  /** In the order of the given sequence numbers, without those of deleted contacts. */
  async #rows(task: Task, dial: DialState, seqs: readonly number[], now: Instant): Promise<TaskContactRow[]> {
    const ascending = [...seqs].sort((a, b) => a - b);
    const isPassed = await readPassed(this.#database, dial);
    const [taken, contacts] = await Promise.all([
      this.#taskContacts.among(task.id, ascending),
      this.#contacts.among(task.dataSourceId, ascending),
    ]);
    const bySeq = new Map(contacts.map((contact) => [contact.seq, contact]));
    const known = new Map(taken.map((contact) => [contact.seq, contact]));
    return seqs.flatMap((seq): TaskContactRow[] => {
      const contact = bySeq.get(seq);
      const taskContact = known.get(seq);
      const standing = taskContact && contactStanding(taskContact, task, dial, now);
      const other = isPassed(seq) ? notSelected : untouched;
      return contact === undefined ? [] : [{ contact, standing: standing ?? other }];
    });
  }
}

/** A contact with an agreed callback waits too. */
const isListed = (is: StandingName, wanted: ContactsQuery['outcome']): boolean =>
  is === wanted || (wanted === 'waiting' && is === 'callback');
