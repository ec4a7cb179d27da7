import { callReasons } from '../domain/call-reasons.ts';
import type { Contact } from '../domain/contact.ts';
import { invalid } from '../domain/errors.ts';
import type { Task } from '../domain/task.ts';
import {
  type ContactOutcome,
  type ContactStanding,
  type contactOutcomes,
  untouched,
} from '../domain/task-contact-views.ts';
import { contactCounts, type Overview, type Standing } from '../domain/task-overview.ts';
import type { Instant } from '../domain/time.ts';
import type { Bucket, TimelineRow } from '../domain/timeline.ts';
import type { Contacts } from './contacts/contacts.ts';
import type { DataSources } from './data-sources.ts';
import type { Dialer } from './dialing/dialer.ts';
import type { TaskCounts } from './task-counts.ts';
import type { Tasks } from './tasks.ts';

type Parts = {
  tasks: Tasks;
  dataSources: DataSources;
  contacts: Contacts;
  taskCounts: TaskCounts;
  dialer: Dialer;
};

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

/** How many contacts are looked at for a page of one outcome: about 20 read units. */
const lookedAtLeast = 100;
const tokenForm = /^\d{1,9}$/;

const noCalls = Object.fromEntries(callReasons.map((reason) => [reason, 0])) as Standing['callsByReason'];

/** What operators see of tasks beyond the contract. It may lag a moment behind. */
export class TaskInsight {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** In the order asked; ids that are none are left out. */
  async overviews(ids: readonly string[], now: Instant): Promise<Overview[]> {
    const { tasks, dataSources, taskCounts } = this.#parts;
    const found = await tasks.findAll(ids);
    const [names, counted, standings] = await Promise.all([
      dataSources.names(found.map(({ dataSourceId }) => dataSourceId)),
      taskCounts.of(found),
      this.#standings(found, now),
    ]);
    return counted.map((each, i) => ({
      ...each,
      dataSourceName: names[i] ?? '',
      standing: standings[i] as Standing,
    }));
  }

  /** @throws ServiceError notFound */
  async overview(id: string, now: Instant): Promise<Overview> {
    const [overview] = await this.overviews([id], now);
    if (overview === undefined) await this.#parts.tasks.find(id);
    return overview as Overview;
  }

  async timeline(_task: Task, _bucket: Bucket, _now: Instant): Promise<TimelineRow[]> {
    return [];
  }

  /** @throws ServiceError notFound, invalid (a token that is none) */
  async contacts(id: string, query: ContactsQuery, now: Instant): Promise<ContactsPage> {
    const overview = await this.overview(id, now);
    const from = seqOf(query.pageToken);
    const { task } = overview;
    const looked = query.outcome === 'all' ? query.pageSize : Math.max(query.pageSize, lookedAtLeast);
    const { contacts, nextSeq, isLast } = await this.#parts.contacts.claimable(
      task.dataSourceId,
      from,
      looked,
    );
    const outcomes = await this.#parts.dialer.outcomes(task.id, from, nextSeq, now);
    const all = contacts.map((contact) => ({ contact, standing: standingOf(outcomes.get(contact.seq)) }));
    const kept = all.filter(({ standing }) => query.outcome === 'all' || standing.outcome === query.outcome);
    const rows = kept.slice(0, query.pageSize);
    const last = kept.length > rows.length ? rows.at(-1) : undefined;
    const next = last === undefined ? nextSeq : last.contact.seq + 1;
    return {
      total: totalOf(overview, query.outcome),
      rows,
      nextPageToken: isLast && last === undefined ? null : String(next),
    };
  }

  async #standings(tasks: readonly Task[], _now: Instant): Promise<Standing[]> {
    const tallies = await this.#parts.dialer.tallies(tasks.map(({ id }) => id));
    return tasks.map(({ id }) => {
      const tally = tallies.get(id);
      return {
        inCall: 0,
        waiting: 0,
        reached: tally?.successCount ?? 0,
        failed: 0,
        noAnswer: 0,
        blocked: 0,
        nextDue: null,
        lastLeaseTime: tally?.lastCallTime ?? null,
        callsByReason: noCalls,
      };
    });
  }
}

const seqOf = (token: string | undefined): number => {
  if (token === undefined) return 0;
  if (!tokenForm.test(token)) throw invalid('pageToken', 'is none that a page gave', 'UNKNOWN');
  return Number(token);
};

const totalOf = (overview: Overview, outcome: ContactsQuery['outcome']): number => {
  const counts = contactCounts(overview);
  if (outcome === 'all') return counts.total;
  return outcome === 'success' ? counts.reached : counts[outcome];
};

const standingOf = (outcome: { status: number; callCount: number } | undefined): ContactStanding => {
  const names = [
    'notDialed',
    'success',
    'failed',
    'noAnswer',
    'inCall',
  ] as const satisfies readonly (typeof contactOutcomes)[number][];
  return {
    ...untouched,
    outcome: names[outcome?.status ?? 0] ?? 'notDialed',
    attempts: outcome?.callCount ?? 0,
  };
};
