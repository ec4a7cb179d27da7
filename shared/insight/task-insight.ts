/**
 * What operators see: how tasks do and why they call or do not, their contacts by standing, calls
 * one by one, the check before a task starts, and files of all this.
 *
 * - An overview is made from what other rooms keep: counters, lines, intakes and the times at which
 *   dialers asked. Its cost grows with the calls in progress and not with the list.
 *   `rules/task-overview.ts` says which reason is shown.
 * - The pre-flight compares packed phone numbers: those of the list with those of its exclusion
 *   lists and of other tasks. Above 100,000 contacts it estimates how many the filter selects.
 * - An export writes a file to the bucket, batch by batch, and answers the file. It is refused
 *   before that, where it can be foreseen that the file is too large to be answered.
 *
 * Reads may lag by a moment, at half the price. The room writes one item only: how many contacts a
 * pre-flight found to match the filter of a task. If a process dies, nothing is left but the file
 * of an export, which expires after a day.
 */

import type { Bucket, TimelineRow } from '../calls/rules/timeline.ts';
import type { TaskTimeline } from '../calls/timeline.ts';
import type { Contacts } from '../contacts/contacts.ts';
import { readDataSourceSeen } from '../contacts/data-sources.ts';
import { readPhoneFilter } from '../contacts/rules/phone-number.ts';
import type { CallingRules } from '../dialing/calling-rules.ts';
import { DueTasks, readTasksBefore } from '../dialing/due-tasks.ts';
import { readServiceRoom, readTaskRoom } from '../dialing/pace.ts';
import type { TaskContacts } from '../dialing/task-contacts.ts';
import type { Agenda } from '../platform/agenda/agenda.ts';
import { invalid, notFound } from '../platform/rules/errors.ts';
import { isId } from '../platform/rules/names.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { type Item, keys } from '../platform/table/keys.ts';
import type { ServiceHours } from '../platform/time/schedule.ts';
import type { Instant } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import { hasEnded, mayOutliveSource, status } from '../tasks/rules/task-states.ts';
import { askedTimeOf, selectedCountOf } from '../tasks/task-items.ts';
import type { Tasks } from '../tasks/tasks.ts';
import {
  type ContactRows,
  ContactsByStanding,
  type ContactsQuery,
  type EndedOutcome,
} from './contacts-by-standing.ts';
import type { Outlook } from './rules/task-outlook.ts';
import {
  contactCounts,
  dialingOf,
  hasDialer,
  namedAhead,
  type Overview,
  servedAt,
  tasksBefore,
} from './rules/task-overview.ts';
import { type SeenTask, TaskProgress } from './task-progress.ts';

type Dependencies = {
  database: Database;
  agenda: Agenda;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  timeline: TaskTimeline;
  rules: CallingRules;
  serviceHours: ServiceHours;
  /** Maximum of calls of all tasks at once; 0: no limit. */
  maxConcurrentCalls: number;
};

type ContactsPage = ContactRows & { total: number };

/** Tasks are read in several steps of several queries each. */
const tasksAtOnce = 10;
const queriesAtOnce = 50;
/** Tasks of each priority that one run looks at, if no dialer asks for all tasks. */
const watchedAtOnce = 6;

/** What operators see of tasks beyond the contract. It may lag a moment. */
export class TaskInsight {
  readonly #deps: Dependencies;
  readonly #progress: TaskProgress;
  readonly #contacts: ContactsByStanding;
  readonly #dueTasks: DueTasks;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { database, contacts, taskContacts } = deps;
    this.#progress = new TaskProgress(deps);
    this.#contacts = new ContactsByStanding(database, contacts, taskContacts);
    this.#dueTasks = new DueTasks(deps.agenda, watchedAtOnce);
  }

  /** In the order of the ids. Unknown ids are skipped. */
  async overviews(ids: readonly string[], now: Instant): Promise<Overview[]> {
    const [found, askedForAny] = await Promise.all([
      this.#found(ids),
      this.#deps.database.get(keys.askedForAny),
    ]);
    const overviews = await this.#read(found, askedForAny, now);
    return this.#withTasksAhead(overviews, askedForAny, now);
  }

  /**
   * The tasks that had the reason `NO_DIALER` at `time`, and that neither a dialer nor an operator
   * has touched since. A result also shows that a dialer is there. A task that was just resumed
   * gets its time. One reading looks at a bounded number of tasks; further readings look at the
   * others in turn.
   */
  async withoutDialer(time: Instant): Promise<string[]> {
    const { database } = this.#deps;
    const askedForAny = await database.get(keys.askedForAny);
    if (hasDialer(askedTimeOf([askedForAny]), time)) return [];
    const { entries } = await this.#dueTasks.read(time, time);
    const found = await this.#found([...new Set(entries.map(({ id }) => id))]);
    const untouched = found.filter(({ task, ends }) => {
      const seen = Math.max(askedTimeOf([ends?.asked]) ?? 0, ends?.counters.tally.lastCallTime ?? 0);
      return (task.updateTime ?? 0) <= time && !hasDialer(seen, time);
    });
    const overviews = await this.#read(untouched, askedForAny, time);
    return overviews
      .filter((overview) => dialingOf(overview, time).reason === 'NO_DIALER')
      .map(({ task }) => task.id);
  }

  /**
   * Names the tasks that are served before others. Their number, and so the cost, does not depend
   * on `overviews`.
   */
  async #withTasksAhead(
    overviews: readonly Overview[],
    askedForAny: Item | undefined,
    now: Instant,
  ): Promise<Overview[]> {
    const levels = overviews.map((overview) => servedAt(overview, now));
    const due = await readTasksBefore(
      this.#deps.agenda,
      Math.max(0, ...levels.map((level) => level ?? 0)),
      now,
      namedAhead,
    );
    const known = new Set(overviews.map(({ task }) => task.id));
    const unknown = due.filter((id) => !known.has(id)).slice(0, namedAhead);
    const others = [
      ...overviews,
      ...(unknown.length > 0 ? await this.#read(await this.#found(unknown), askedForAny, now) : []),
    ];
    return overviews.map((overview, i) => ({
      ...overview,
      behind: levels[i] === undefined ? [] : tasksBefore(levels[i], others, now),
    }));
  }

  async #read(found: readonly SeenTask[], askedForAny: Item | undefined, now: Instant): Promise<Overview[]> {
    const { database, maxConcurrentCalls } = this.#deps;
    const sourceIds = [...new Set(found.map(({ task }) => task.dataSourceId))];
    const isRunning = found.some(({ task }) => task.status === status.running);
    const [sources, serviceRoom] = await Promise.all([
      concurrently(sourceIds, queriesAtOnce, (id) => readDataSourceSeen(database, id)),
      readServiceRoom(database, isRunning ? maxConcurrentCalls : 0, now),
    ]);
    return concurrently(found, tasksAtOnce, async ({ task, ends }) => {
      const source = sources[sourceIds.indexOf(task.dataSourceId)]!;
      const directory = isLive(task) ? source.directory : undefined;
      const [state, taskRoom] = await Promise.all([
        this.#progress.of(task, now, { ends, directory, askedForAny, zones: source.zones }),
        task.status === status.running ? readTaskRoom(database, task, now) : serviceRoom,
      ]);
      return {
        task,
        dataSourceName: source.name,
        contactCount: task.contactCount ?? directory?.total ?? 0,
        tally: state.tally,
        standings: state.standings,
        found: selectedCountOf(task, state.counted, isLive(task) ? source.version : task.listVersion),
        room: taskRoom.calls > 0 ? serviceRoom : taskRoom,
      };
    });
  }

  /**
   * A single task is read as it is now. Several are read at half the price; a task that was just
   * added is read again.
   */
  async #found(ids: readonly string[]): Promise<SeenTask[]> {
    const isExact = ids.length === 1;
    const seen = await concurrently(ids.filter(isId), queriesAtOnce, (id) =>
      this.#progress.seen(id, isExact),
    );
    const known = new Map(seen.flatMap((one) => (one === undefined ? [] : [[one.task.id, one]])));
    const missing = isExact ? [] : ids.filter((id) => !known.has(id));
    const added = missing.length > 0 ? await this.#deps.tasks.findAll(missing) : [];
    for (const task of added) known.set(task.id, { task });
    return ids.flatMap((id) => known.get(id) ?? []);
  }

  /** @throws ServiceError notFound */
  async overview(id: string, now: Instant): Promise<Overview> {
    const [overview] = await this.overviews([id], now);
    if (overview === undefined) throw notFound('task');
    return overview;
  }

  /** @throws ServiceError notFound */
  async outlook(id: string, now: Instant): Promise<Outlook> {
    const [seen] = await this.#found([id]);
    if (seen === undefined) throw notFound('task');
    const { task, ends } = seen;
    const source = isLive(task)
      ? await readDataSourceSeen(this.#deps.database, task.dataSourceId)
      : undefined;
    const [{ standings, stillToCall }, recent] = await Promise.all([
      this.#progress.of(task, now, { ends, directory: source?.directory, zones: source?.zones }),
      this.minutes(id, now),
    ]);
    return { inCall: standings.inCall, stillToCall, recent };
  }

  /** @throws ServiceError notFound */
  async timeline(id: string, bucket: Bucket, now: Instant): Promise<TimelineRow[]> {
    const rows = isId(id) ? await this.#deps.timeline.read(id, bucket, now) : undefined;
    // A task that was just added may not show yet.
    if (rows === undefined) await this.#deps.tasks.find(id);
    return rows ?? [];
  }

  /** The calls of the last hours by minute. @returns none if the task was just added or deleted */
  async minutes(id: string, now: Instant): Promise<TimelineRow[]> {
    return (await this.#deps.timeline.read(id, 'minute', now)) ?? [];
  }

  /** `holds`: what holds each contact back. @throws ServiceError notFound, invalid (a bad token) */
  async contacts(id: string, query: ContactsQuery, now: Instant) {
    const { tasks, rules } = this.#deps;
    const task = await tasks.find(id);
    const page = await this.#page(task, query, now);
    const standing = page.rows.map((row) => ({ ...row, task }));
    const [holds, standings] = await Promise.all([rules.holdsOf(standing, now), rules.withLists(standing)]);
    const rows = page.rows.map((row, i) => ({ ...row, standing: standings[i]!, holds: holds[i] }));
    return { ...page, rows };
  }

  async #page(task: Task, query: ContactsQuery, now: Instant): Promise<ContactsPage> {
    const { outcome } = query;
    const filter = readPhoneFilter(query.phoneNumber);
    if (await this.#hasLostContacts(task)) return { total: 0, rows: [], nextPageToken: null };
    if (filter !== undefined) {
      if (outcome !== 'all') throw invalid('phoneNumber', 'cannot be combined with an outcome');
      const { dial } = await this.#progress.ends(task);
      return this.#contacts.withNumber(task, dial, filter, query, now);
    }
    if (isEnded(outcome) && !hasEnded(task.status)) {
      const ends = await this.#progress.ends(task);
      const page = await this.#contacts.ended(task, ends, { ...query, outcome }, now);
      return { total: ends.ended[outcome === 'success' ? 'reached' : outcome], ...page };
    }
    const { directory, zones } = isLive(task)
      ? await readDataSourceSeen(this.#deps.database, task.dataSourceId)
      : { directory: undefined, zones: undefined };
    const state = await this.#progress.of(task, now, { directory, zones });
    const contactCount = task.contactCount ?? directory?.total ?? 0;
    const counts = contactCounts({ contactCount, standings: state.standings });
    const page = isEnded(outcome)
      ? await this.#contacts.ended(task, state, { ...query, outcome }, now)
      : await this.#contacts[outcome](task, state, query, now);
    const total = counts[countOf(outcome)];
    return { total, ...page };
  }

  /** Its data source was deleted. The figures of the task stay. */
  async #hasLostContacts({ status, dataSourceId }: Task): Promise<boolean> {
    return mayOutliveSource(status) && !(await this.#deps.contacts.sourceExists(dataSourceId));
  }
}

const isEnded = (outcome: ContactsQuery['outcome']): outcome is EndedOutcome =>
  ['success', 'failed', 'noAnswer', 'blocked'].includes(outcome);

/** The count of the overview for the contacts of an outcome. */
const countOf = (outcome: ContactsQuery['outcome']) => {
  if (outcome === 'all') return 'total';
  if (outcome === 'callback') return 'callbacks';
  return outcome === 'success' ? 'reached' : outcome;
};

const isLive = ({ contactCount }: Task) => contactCount === null;
