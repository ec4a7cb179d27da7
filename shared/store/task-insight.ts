import { notFound } from '../domain/errors.ts';
import type { Task } from '../domain/task.ts';
import { contactCounts, type Overview } from '../domain/task-overview.ts';
import type { Instant } from '../domain/time.ts';
import type { Bucket, TimelineRow } from '../domain/timeline.ts';
import { concurrently } from './concurrently.ts';
import type { Contacts } from './contacts/contacts.ts';
import { readAllPages, readDirectories } from './contacts/directory.ts';
import {
  type ContactRows,
  ContactsByOutcome,
  type ContactsQuery,
  type EndedOutcome,
} from './contacts-by-outcome.ts';
import type { DataSources } from './data-sources.ts';
import type { Database } from './database.ts';
import { keys } from './keys.ts';
import { OwnHours } from './own-hours.ts';
import { TaskProgress } from './task-progress.ts';
import { TaskTimeline } from './task-timeline.ts';
import { Tasks } from './tasks.ts';

type Parts = {
  database: Database;
  tasks: Tasks;
  dataSources: DataSources;
  contacts: Contacts;
  /** IANA name of the service's zone. */
  timeZone: string;
};

export type ContactsPage = ContactRows & { total: number };

const tasksAtOnce = 10;

/** What operators see of tasks beyond the contract. It may lag a moment behind. */
export class TaskInsight {
  readonly #parts: Parts;
  /** As they were a moment ago. */
  readonly #seen: Tasks;
  readonly #timeline: TaskTimeline;
  readonly #progress: TaskProgress;
  readonly #ownHours: OwnHours;
  readonly #contacts: ContactsByOutcome;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#seen = new Tasks(parts.database);
    this.#timeline = new TaskTimeline(parts.database);
    this.#progress = new TaskProgress(parts.database);
    this.#ownHours = new OwnHours(parts.database, parts.timeZone);
    this.#contacts = new ContactsByOutcome(parts.database, parts.contacts);
  }

  /** In the order asked; ids that are none are left out. */
  async overviews(ids: readonly string[], now: Instant): Promise<Overview[]> {
    const { database, dataSources } = this.#parts;
    const found = await this.#found(ids);
    const live = [...new Set(found.filter(isLive).map(({ dataSourceId }) => dataSourceId))];
    const [names, directories, [askedForAny]] = await Promise.all([
      dataSources.names(found.map(({ dataSourceId }) => dataSourceId)),
      live.length === 1
        ? Promise.all(live.map((id) => readAllPages(database, id)))
        : readDirectories(database, live),
      found.length > 0 ? Promise.all([database.get(keys.askedForAny)]) : [],
    ]);
    return concurrently([...found.entries()], tasksAtOnce, async ([i, task]) => {
      const directory = isLive(task) ? directories[live.indexOf(task.dataSourceId)] : undefined;
      const state = await this.#progress.of(task, now, directory, askedForAny);
      const next = await this.#ownHours.next(task, state, now);
      return {
        task,
        dataSourceName: names[i] ?? '',
        contactCount: task.contactCount ?? directory?.total ?? 0,
        tally: state.tally,
        standing: { ...state.standing, next },
      };
    });
  }

  /** One by itself as it is now; several at half the price, but for those that were just added. */
  async #found(ids: readonly string[]): Promise<Task[]> {
    const { tasks } = this.#parts;
    if (ids.length === 1) return tasks.findAll(ids);
    const seen = await this.#seen.findAll(ids);
    const known = new Map(seen.map((task) => [task.id, task]));
    const missing = ids.filter((id) => !known.has(id));
    for (const task of missing.length > 0 ? await tasks.findAll(missing) : []) known.set(task.id, task);
    return ids.flatMap((id) => known.get(id) ?? []);
  }

  /** @throws ServiceError notFound */
  async overview(id: string, now: Instant): Promise<Overview> {
    const [overview] = await this.overviews([id], now);
    if (overview === undefined) throw notFound('task');
    return overview;
  }

  timeline({ id }: Task, bucket: Bucket, now: Instant): Promise<TimelineRow[]> {
    return this.#timeline.read(id, bucket, now);
  }

  /** @throws ServiceError notFound, invalid (a token that is none) */
  async contacts(id: string, query: ContactsQuery, now: Instant): Promise<ContactsPage> {
    const task = await this.#parts.tasks.find(id);
    const { outcome } = query;
    if (isEnded(outcome)) {
      const ends = await this.#progress.ends(task);
      const page = await this.#contacts.ended(task, ends, { ...query, outcome }, now);
      return { total: ends.ended[outcome === 'success' ? 'reached' : outcome], ...page };
    }
    const directory = isLive(task) ? await readAllPages(this.#parts.database, task.dataSourceId) : undefined;
    const state = await this.#progress.of(task, now, directory);
    const contactCount = task.contactCount ?? directory?.total ?? 0;
    const counts = contactCounts({ contactCount, standing: state.standing });
    const page = await this.#contacts[outcome](task, state, query, now);
    return { total: outcome === 'all' ? counts.total : counts[outcome], ...page };
  }
}

const isEnded = (outcome: ContactsQuery['outcome']): outcome is EndedOutcome =>
  ['success', 'failed', 'noAnswer', 'blocked'].includes(outcome);

const isLive = ({ contactCount }: Task) => contactCount === null;
