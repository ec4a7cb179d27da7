import type { Contact } from '../../domain/contacts/contact.ts';
import { type Numbering, withoutCountry } from '../../domain/contacts/phone-number.ts';
import type { CallCounts } from '../../domain/dialing/brake.ts';
import type { LogCall, ResultAnswer, SentResult } from '../../domain/dialing/call.ts';
import type { ServiceHours } from '../../domain/schedule.ts';
import { endTask, type Task } from '../../domain/tasks/task.ts';
import type { Tally } from '../../domain/tasks/task-views.ts';
import type { Instant } from '../../domain/time.ts';
import type { Agenda, Worker } from '../agenda/index.ts';
import type { CallRecords } from '../calls/index.ts';
import type { Contacts } from '../contacts/index.ts';
import { Pace } from '../pace/index.ts';
import type { RequestKey } from '../requests/index.ts';
import { CallingRules } from '../rules/index.ts';
import { concurrently, type Database } from '../table/index.ts';
import type { ServiceDays, Tasks, TaskTimeline } from '../tasks/index.ts';
import { DeferredContacts } from './again/deferred-contacts.ts';
import { type Recall, type Recalled, Recalls } from './again/recalls.ts';
import type { Selection } from './again/selection.ts';
import { type Annotation, type AnnotationAnswer, Annotations } from './annotations.ts';
import { CallResults } from './call-results.ts';
import { Closing } from './ends/closing.ts';
import { Completion } from './ends/completion.ts';
import { Ending } from './ends/ending.ts';
import { type LeaseAnswer, type LeaseRequest, Leases } from './leases/leases.ts';
import {
  type Extension,
  type ExtensionAnswer,
  LiveLeases,
  type Release,
  type ReleaseAnswer,
} from './leases/live-leases.ts';
import { channelsInProgress } from './records/calls-in-progress.ts';
import type { TaskContacts } from './records/task-contacts.ts';
import { readCounters } from './records/task-counters.ts';

export type DialerDependencies = ServiceHours & {
  database: Database;
  agenda: Agenda;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  callRecords: CallRecords;
  selection: Selection;
  timeline: TaskTimeline;
  days: ServiceDays;
  /** At least 10 characters of letters and digits, never the same twice. */
  newId: () => string;
  /** Calls to one phone number in one day of the service, in all tasks; 0, the default: no limit. */
  callsPerNumber?: number;
  /** Calls of all tasks at once; 0, the default: no limit. */
  maxConcurrentCalls?: number;
  /** How numbers are written in the service's country; by default it has none. */
  phones?: () => Promise<Numbering>;
  /** Writes the call log. */
  logCall?: LogCall;
  /** Contacts that the cursor moves over at a time, at least: fewer writes against more reads for each lease. */
  stretch?: number;
};

const tasksAtOnce = 16;
const usualStretch = 32;

/**
 * What a published task does: which contacts to call, and when.
 *
 * A contact of the task is fresh, waits for its due time, is leased to a dialer, or needs no further call. `task-contact.ts`
 * has every state and every move between them.
 *
 * - A *lease request* gives fresh and due contacts to a dialer, each until its lease expires (`Leases`).
 * - A *result* ends a call. The contact waits for its next call, or is settled (`CallResults`).
 * - A *recall* queues contacts again (`Recalls`).
 * - The *schedule* stops tasks at their `callUntil` and considers deferred contacts again (`workers`).
 *
 * Each move of a contact is a write that needs the version that was read. Of two requests for one contact the first wins, and
 * the other one reads again. The move and the counters of the task change in one transaction.
 *
 * When a dialer dies, its leases expire. Each contact is still in line, or in its intake, and the next lease request
 * finds it there. When a process of the service dies, its client has no answer and sends the request again. A lease request
 * with a key gets the calls that it had leased, and a result counts once.
 */
export class Dialer {
  readonly #deps: DialerDependencies;
  readonly #leases: Leases;
  readonly #results: CallResults;
  readonly #annotations: Annotations;
  readonly #live: LiveLeases;
  readonly #recalls: Recalls;
  readonly #closing: Closing;
  readonly #ending: Ending;
  readonly #deferred: DeferredContacts;
  readonly #completion: Completion;

  constructor(deps: DialerDependencies) {
    const { database, taskContacts, maxConcurrentCalls = 0, stretch = usualStretch } = deps;
    const { callsPerNumber = 0, phones = async () => withoutCountry, logCall = () => {} } = deps;
    const rules = new CallingRules(database, { ...deps, callsPerNumber, phones });
    const pace = new Pace({
      database,
      maxConcurrentCalls,
      inProgress: (task, now) => channelsInProgress(database, taskContacts, task, now),
    });
    this.#deps = deps;
    this.#completion = new Completion(deps);
    this.#ending = new Ending(deps);
    this.#recalls = new Recalls(deps);
    const parts = { ...deps, rules, pace, logCall, completion: this.#completion };
    this.#leases = new Leases({ ...parts, stretch, ending: this.#ending, recalls: this.#recalls });
    this.#results = new CallResults(parts);
    this.#live = new LiveLeases(parts);
    this.#annotations = new Annotations(deps);
    this.#deferred = new DeferredContacts(deps);
    this.#closing = new Closing(deps);
  }

  /** Calls to make now, the most urgent first. @throws ServiceError notFound when `taskId` is no task */
  lease(request: LeaseRequest, now: Instant, requestKey?: RequestKey): Promise<LeaseAnswer> {
    return this.#leases.lease(request, now, requestKey);
  }

  /** Gives back a call that was not begun and never will be. @throws ServiceError notFound, conflict (no live lease) */
  release(release: Release, now: Instant, requestKey?: RequestKey): Promise<ReleaseAnswer> {
    return this.#live.release(release, now, requestKey);
  }

  /** The call is still going on. @throws ServiceError notFound, conflict (no live lease) */
  extend(extension: Extension, now: Instant): Promise<ExtensionAnswer> {
    return this.#live.extend(extension, now);
  }

  /** @throws ServiceError notFound (no such call), conflict (reported otherwise, given out again, or the task is CLOSED) */
  result(sent: SentResult & { by?: string }, now: Instant): Promise<ResultAnswer> {
    return this.#results.report(sent, now);
  }

  /** What was found out after the call. @throws ServiceError notFound (no such call), invalid, conflict (it cannot be changed) */
  annotate(annotation: Annotation, now: Instant): Promise<AnnotationAnswer> {
    return this.#annotations.annotate(annotation, now);
  }

  /** @throws ServiceError notFound (task), notAllowed (its state) */
  fail(taskId: string, reason: string, now: Instant, by?: string, requestKey?: RequestKey): Promise<Task> {
    const { tasks, contacts } = this.#deps;
    const end = async (task: Task) => endTask(task, await contacts.readHeld(task.dataSourceId), now, reason);
    return tasks.move(taskId, 'fail', end, by, requestKey);
  }

  /** @throws ServiceError notFound (task), notAllowed (its state, or calls in progress) */
  close(taskId: string, now: Instant, by?: string, requestKey?: RequestKey): Promise<Task> {
    return this.#closing.close(taskId, now, by, requestKey);
  }

  /** Does what lease requests and results leave to the schedule. */
  workers(): Worker[] {
    return [this.#ending.worker(), this.#deferred.worker()];
  }

  /** @throws ServiceError notFound (task), notAllowed (its state), invalid (an id that is no contact) */
  recall(taskId: string, recall: Recall, now: Instant, requestKey?: RequestKey): Promise<Recalled> {
    return this.#recalls.recall(taskId, recall, now, requestKey);
  }

  /**
   * The contact was changed: RUNNING and PAUSED tasks whose filter left it out look at it again. `isCorrected`: its number or
   * time zone is another, so tasks that deferred it consider it again too.
   */
  async reconsider(contact: Contact, isCorrected: boolean, now: Instant): Promise<void> {
    await this.#deps.selection.reconsider(contact.dataSourceId, [contact.seq], now);
    if (isCorrected) await this.#deferred.reconsiderOne(contact, now);
  }

  /** Adjusts a task. An adjusted filter counts at once. @throws ServiceError notFound, notAllowed; what `change` throws */
  adjust(
    id: string,
    change: (task: Task) => Promise<Task>,
    by?: string,
    requestKey?: RequestKey,
  ): Promise<Task> {
    const { tasks, selection } = this.#deps;
    const alsoOf = (before: Task, after: Task) => selection.adjustSteps(before, after);
    return tasks.move(id, 'adjust', change, by, requestKey, alsoOf);
  }

  /** The hours of the task were adjusted: contacts that the old hours deferred are considered again, the first ones now. */
  reconsiderDeferred(task: Task, now: Instant): Promise<void> {
    return this.#deferred.reconsider(task, now);
  }

  /** The task is not kept open any more: it completes now if it is RUNNING and only waited for further contacts. */
  async completeIfSettled(task: Task, now: Instant): Promise<void> {
    await this.#completion.complete(task, now);
  }

  /** The calls of a task that pauses itself when too many fail. They are read for no other task. */
  async callCounts({ id, pauseWhen }: Task): Promise<CallCounts> {
    if (!pauseWhen) return { calls: 0, failed: 0 };
    const { tally } = await readCounters(this.#deps.database, id);
    return { calls: tally.callCount, failed: tally.failCount };
  }

  /** What the calls of each task add up to. */
  async tallies(taskIds: readonly string[]): Promise<Map<string, Tally>> {
    const counters = await concurrently(taskIds, tasksAtOnce, (id) => readCounters(this.#deps.database, id));
    return new Map(counters.map(({ tally }, i) => [taskIds[i]!, tally]));
  }
}
