import type { Contact } from '../../domain/contacts/contact.ts';
import { type Numbering, withoutCountry } from '../../domain/contacts/phone-number.ts';
import type { CallCounts } from '../../domain/dialing/brake.ts';
import type { LogCall, ResultAnswer, SentResult } from '../../domain/dialing/call.ts';
import type { ServiceHours } from '../../domain/schedule.ts';
import { endTask, type Task } from '../../domain/tasks/task.ts';
import { status } from '../../domain/tasks/task-states.ts';
import type { Tally } from '../../domain/tasks/task-views.ts';
import type { Instant } from '../../domain/time.ts';
import type { Agenda, Worker } from '../agenda/index.ts';
import type { CallRecords } from '../calls/index.ts';
import type { Contacts } from '../contacts/index.ts';
import { Pace } from '../pace/index.ts';
import type { RequestKey } from '../requests/index.ts';
import { CallingRules } from '../rules/index.ts';
import { concurrently, type Database } from '../table/index.ts';
import { AskedTimes, type ServiceDays, type Tasks, type TaskTimeline } from '../tasks/index.ts';
import { DeferredContacts } from './again/deferred-contacts.ts';
import { RecallQueue } from './again/recall-queue.ts';
import { type Recall, type Recalled, Recalls } from './again/recalls.ts';
import type { Selection } from './again/selection.ts';
import { type Annotation, type AnnotationAnswer, Annotations } from './annotations.ts';
import { CallResults } from './call-results.ts';
import { Brake } from './ends/brake.ts';
import { Closing } from './ends/closing.ts';
import { Completion } from './ends/completion.ts';
import { Ending } from './ends/ending.ts';
import { Candidates } from './leases/candidates.ts';
import { Claims } from './leases/claims.ts';
import { DueTasks } from './leases/due-tasks.ts';
import { LeaseRounds } from './leases/lease-rounds.ts';
import { type LeaseAnswer, type LeaseRequest, Leases } from './leases/leases.ts';
import {
  type Extension,
  type ExtensionAnswer,
  LiveLeases,
  type Release,
  type ReleaseAnswer,
} from './leases/live-leases.ts';
import { CallbackChecks, NextCheck } from './leases/next-check.ts';
import { RepeatedLeases } from './leases/repeated-leases.ts';
import { TaskChecks } from './leases/task-checks.ts';
import { channelsInProgress } from './records/calls-in-progress.ts';
import { Intakes } from './records/intakes.ts';
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

/** Decides which contacts to call and when: what a published task does. */
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
    const { database, agenda, tasks, contacts, taskContacts, callRecords, selection, timeline, days } = deps;
    const { zone, callingHours, logCall = () => {} } = deps;
    const { callsPerNumber = 0, phones = async () => withoutCountry } = deps;
    const rules = new CallingRules(database, { zone, callingHours, callsPerNumber, phones });
    const { stretch = usualStretch } = deps;
    const intakes = new Intakes({ database, agenda, contacts, taskContacts, stretch });
    const completion = new Completion({ database, tasks, contacts, taskContacts, selection });
    const recalls = new RecallQueue(database, tasks, taskContacts);
    const claims = new Claims({ database, taskContacts, intakes, rules, selection, logCall });
    const repeated = new RepeatedLeases({ database, tasks, taskContacts, claims });
    const pace = new Pace({
      database,
      maxConcurrentCalls: deps.maxConcurrentCalls ?? 0,
      inProgress: (task, now) => channelsInProgress(database, taskContacts, task, now),
    });
    this.#deps = deps;
    this.#completion = completion;
    this.#ending = new Ending({ tasks, contacts, zone });
    this.#leases = new Leases({
      tasks,
      agenda,
      dueTasks: new DueTasks(agenda),
      checks: new TaskChecks({ ...{ tasks, intakes, rules, zone, callingHours }, ending: this.#ending }),
      completion,
      recalls,
      pace,
      repeated,
      rounds: new LeaseRounds({
        ...{ intakes, claims, rules, repeated, newId: deps.newId },
        candidates: new Candidates(taskContacts, intakes),
      }),
      nextCheck: new NextCheck({ database, agenda, contacts, taskContacts, intakes, completion }),
      callbackChecks: new CallbackChecks({ database, agenda, taskContacts }),
      asked: new AskedTimes(database),
    });
    const brake = new Brake({ database, tasks });
    this.#results = new CallResults({
      ...{ database, contacts, taskContacts, callRecords, completion, brake, agenda, timeline, days, pace },
      ...{ zone, logCall },
    });
    this.#annotations = new Annotations({ database, contacts, callRecords });
    this.#live = new LiveLeases({ database, taskContacts, agenda, rules, pace, logCall });
    this.#deferred = new DeferredContacts({ database, tasks, agenda, taskContacts });
    this.#closing = new Closing({ database, tasks, taskContacts });
    this.#recalls = new Recalls({ database, tasks, taskContacts, queue: recalls, agenda });
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

  /** The task is not kept open any more: it completes now if it only waited for further contacts. */
  async completeIfSettled(task: Task, now: Instant): Promise<void> {
    if (task.status === status.running) await this.#completion.complete(task, now);
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
