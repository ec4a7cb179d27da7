import type { Contact } from '../domain/contact.ts';
import type { DialState } from '../domain/dial-state.ts';
import { invalid } from '../domain/errors.ts';
import type { Task } from '../domain/task.ts';
import {
  type ContactOutcome,
  type ContactStanding,
  contactStanding,
  untouched,
} from '../domain/task-contact-views.ts';
import { contactCounts, type Overview } from '../domain/task-overview.ts';
import type { Instant } from '../domain/time.ts';
import type { Bucket, TimelineRow } from '../domain/timeline.ts';
import { concurrently } from './concurrently.ts';
import type { Contacts } from './contacts/contacts.ts';
import type { DataSources } from './data-sources.ts';
import type { Database } from './database.ts';
import { TaskContacts } from './dialing/task-contacts.ts';
import { TaskProgress, type TaskState } from './task-progress.ts';
import { TaskTimeline } from './task-timeline.ts';
import type { Tasks } from './tasks.ts';

type Parts = { database: Database; tasks: Tasks; dataSources: DataSources; contacts: Contacts };

export type ContactsQuery = {
  outcome: ContactOutcome | 'all';
  pageSize: number;
  pageToken?: string | undefined;
};
export type ContactsPage = {
  total: number;
  rows: { contact: Contact; standing: ContactStanding }[];
  nextPageToken: string | null;
};
type Row = ContactsPage['rows'][number];

/** How many contacts are looked at for a page of one outcome, at the least. */
const lookedAtLeast = 60;
const tasksAtOnce = 10;
const tokenForm = /^\d{1,9}$/;

/** What operators see of tasks beyond the contract. It may lag a moment behind. */
export class TaskInsight {
  readonly #parts: Parts;
  readonly #timeline: TaskTimeline;
  readonly #standings: TaskProgress;
  readonly #taskContacts: TaskContacts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timeline = new TaskTimeline(parts.database);
    this.#standings = new TaskProgress(parts.database);
    this.#taskContacts = new TaskContacts(parts.database);
  }

  /** In the order asked; ids that are none are left out. */
  async overviews(ids: readonly string[], now: Instant): Promise<Overview[]> {
    const { tasks, dataSources, contacts } = this.#parts;
    const found = await tasks.findAll(ids);
    const live = [...new Set(found.filter(isLive).map(({ dataSourceId }) => dataSourceId))];
    const [names, counts, standings] = await Promise.all([
      dataSources.names(found.map(({ dataSourceId }) => dataSourceId)),
      contacts.counts(live),
      concurrently(found, tasksAtOnce, (task) => this.#standings.of(task, now)),
    ]);
    return found.map((task, i) => ({
      task,
      dataSourceName: names[i] ?? '',
      contactCount: task.contactCount ?? counts[live.indexOf(task.dataSourceId)] ?? 0,
      ...(standings[i] as TaskState),
    }));
  }

  /** @throws ServiceError notFound */
  async overview(id: string, now: Instant): Promise<Overview> {
    const [overview] = await this.overviews([id], now);
    if (overview === undefined) await this.#parts.tasks.find(id);
    return overview as Overview;
  }

  timeline({ id }: Task, bucket: Bucket, now: Instant): Promise<TimelineRow[]> {
    return this.#timeline.read(id, bucket, now);
  }

  /** @throws ServiceError notFound, invalid (a token that is none) */
  async contacts(id: string, query: ContactsQuery, now: Instant): Promise<ContactsPage> {
    const from = seqOf(query.pageToken);
    const task = await this.#parts.tasks.find(id);
    const [{ standing, dial, inCall }, contactCount] = await Promise.all([
      this.#standings.of(task, now),
      task.contactCount ?? this.#parts.contacts.count(task.dataSourceId),
    ]);
    const total = totalOf(contactCounts({ contactCount, standing }), query.outcome);
    const page =
      query.outcome === 'inCall'
        ? await this.#inCall(task, inCall, from, query.pageSize, now)
        : await this.#walk(task, dial, { ...query, from }, now);
    return { total, ...page };
  }

  async #inCall(task: Task, seqs: readonly number[], from: number, limit: number, now: Instant) {
    const left = [...seqs].sort((a, b) => a - b).filter((seq) => seq >= from);
    const asked = left.slice(0, limit);
    const [found, contacts] = await Promise.all([
      this.#taskContacts.among(task.id, asked),
      concurrently(runsOf(asked), tasksAtOnce, ([first, last]) =>
        this.#parts.contacts.readSeqs(task.dataSourceId, first, last + 1),
      ),
    ]);
    const bySeq = new Map(contacts.flat().map((contact) => [contact.seq, contact]));
    const rows = found
      .sort((a, b) => a.seq - b.seq)
      .flatMap((taskContact): Row[] => {
        const contact = bySeq.get(taskContact.seq);
        return contact ? [{ contact, standing: contactStanding(taskContact, 0, now) }] : [];
      });
    return { rows, nextPageToken: left.length > limit ? String(left[limit]) : null };
  }

  /** In the order the contacts were added, over as many as a page may cost. */
  async #walk(
    task: Task,
    dial: DialState,
    { outcome, pageSize, from }: ContactsQuery & { from: number },
    now: Instant,
  ): Promise<Omit<ContactsPage, 'total'>> {
    const looked = outcome === 'all' ? pageSize : Math.max(pageSize, lookedAtLeast);
    const found = await this.#parts.contacts.claimable(task.dataSourceId, from, looked);
    const taken = await this.#taskContacts.range(task.id, from, found.nextSeq);
    const known = new Map(taken.map((contact) => [contact.seq, contact]));
    const kept = found.contacts
      .map((contact): Row => {
        const taskContact = known.get(contact.seq);
        const standing = taskContact && contactStanding(taskContact, dial.recallNumber, now);
        return { contact, standing: standing ?? untouched };
      })
      .filter(({ standing }) => outcome === 'all' || standing.outcome === outcome);
    const rows = kept.slice(0, pageSize);
    if (kept.length > rows.length) return { rows, nextPageToken: String(kept[pageSize]?.contact.seq) };
    return { rows, nextPageToken: found.isLast ? null : String(found.nextSeq) };
  }
}

/** Sequence numbers so near to each other are read together. */
const nearby = 8;

/** The first and the last of each run of near neighbours. */
const runsOf = (seqs: readonly number[]): [first: number, last: number][] => {
  const runs: [number, number][] = [];
  for (const seq of seqs) {
    const run = runs.at(-1);
    if (run !== undefined && seq - run[1] <= nearby) run[1] = seq;
    else runs.push([seq, seq]);
  }
  return runs;
};

const isLive = ({ contactCount }: Task) => contactCount === null;

const seqOf = (token: string | undefined): number => {
  if (token === undefined) return 0;
  if (!tokenForm.test(token)) throw invalid('pageToken', 'is none that a page gave', 'UNKNOWN');
  return Number(token);
};

const totalOf = (counts: ReturnType<typeof contactCounts>, outcome: ContactsQuery['outcome']): number => {
  if (outcome === 'all') return counts.total;
  return outcome === 'success' ? counts.reached : counts[outcome];
};
