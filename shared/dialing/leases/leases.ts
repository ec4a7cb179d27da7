import type { LeasedCall, LogCall } from '../../calls/rules/call.ts';
import type { Contacts } from '../../contacts/contacts.ts';
import type { Agenda, Entry } from '../../platform/agenda/agenda.ts';
import type { RequestKey } from '../../platform/requests/effects.ts';
import { isId } from '../../platform/rules/names.ts';
import { allEnded, concurrently, KeyedQueue } from '../../platform/table/concurrency.ts';
import type { Database } from '../../platform/table/database.ts';
import type { ServiceHours } from '../../platform/time/schedule.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';
import { priorities } from '../../tasks/rules/task-settings.ts';
import { status, type TaskStatus } from '../../tasks/rules/task-states.ts';
import type { AskedTimes } from '../../tasks/task-items.ts';
import { callbacksOf, callsOf } from '../../tasks/task-work.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import type { CallingRules } from '../calling-rules.ts';
import {
  bringTaskForward,
  type CheckedEntry,
  type CheckedTask,
  DueTasks,
  ServedTasks,
  TaskChecks,
} from '../due-tasks.ts';
import type { Pace } from '../pace.ts';
import type { Selection } from '../reconsidered.ts';
import type { TaskEnds } from '../results/ends.ts';
import { callbackLevel } from '../rules/dial-state.ts';
import type { TaskContacts } from '../task-contacts.ts';
import { CandidateLeases } from './candidate-leases.ts';
import { Candidates, callsAt } from './candidates.ts';
import { Intakes } from './intakes.ts';
import { LeaseRounds, type RoundResult, type Wanted } from './lease-rounds.ts';
import type { Recalls } from './recalls.ts';

/** `retryAfterSeconds` is 0 if there are enough calls. `taskStatus`: of the task in the request. */
type LeaseAnswer = { calls: LeasedCall[]; retryAfterSeconds: number; taskStatus?: TaskStatus };

/** `next`: when the next contact may be callable, if it is known. */
type Leased = { calls: LeasedCall[]; next: Instant };

type LeaseRequest = { limit: number; leaseSeconds: number; taskId?: string | undefined };

type Dependencies = ServiceHours & {
  database: Database;
  agenda: Agenda;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  selection: Selection;
  rules: CallingRules;
  pace: Pace;
  ends: TaskEnds;
  recalls: Recalls;
  asked: AskedTimes;
  newId: () => string;
  logCall: LogCall;
  /** Minimum of contacts that the cursor moves over at a time. */
  contactsPerMove: number;
};

/** The parts that only lease requests use, made once. */
const withParts = (deps: Dependencies) => {
  const intakes = new Intakes(deps);
  const candidateLeases = new CandidateLeases({ ...deps, intakes });
  const candidates = new Candidates(deps.taskContacts, intakes);
  return {
    ...deps,
    candidateLeases,
    dueTasks: new DueTasks(deps.agenda),
    checks: new TaskChecks({ ...deps, intakes }),
    rounds: new LeaseRounds({ ...deps, intakes, candidates, candidateLeases }),
  };
};

const earliest = (times: readonly (Instant | undefined)[]): Instant =>
  Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));

const noCalls = (): RoundResult => ({ calls: [], considered: 0, busy: [] });

const running = { status: status.running };
const tasksAtOnce = 16;
/** How often one request reads the due tasks, if more tasks are due than one reading gives. */
const readingsAtMost = 10;
/** If a task leased calls within this time, results are still coming in. */
const busyMs = 10 * secondMs;
/** Seconds. An idle dialer asks at least that often, so that a new task is called soon. */
const longestWait = 15;
const shortestWait = 1;

const waitUntil = (next: Instant, now: Instant): number =>
  Math.min(longestWait, Math.max(shortestWait, Math.ceil((next - now) / secondMs)));

/**
 * Hands out the calls to make now.
 *
 * A request takes the due tasks of the agenda, or the task that it names: callbacks first, then
 * level by level. Within a level the task that was served least recently comes first. Candidates of
 * a task get a channel of its pace, are leased by one conditional write each, and are then checked
 * once more with exact facts (`LeaseRounds`, `CandidateLeases`).
 *
 * A task without a contact to call is postponed until its next contact is due, its hours open or a
 * channel is free. A task that is not RUNNING is parked. So an idle poll reads only tasks with
 * something to do.
 *
 * Requests of several processes may look at the same tasks. A contact goes to the request whose
 * write comes first, and the others look for further candidates. Requests of one process take
 * turns.
 *
 * When a process dies, leases and channels that no dialer knows of expire. A request that is sent
 * again under its key gets the calls that it had leased.
 */
export class Leases {
  readonly #deps: ReturnType<typeof withParts>;
  /** Requests in one process take turns, because they would only compete for the same contacts. */
  readonly #turns = new KeyedQueue();
  readonly #served = new ServedTasks();

  constructor(deps: Dependencies) {
    this.#deps = withParts(deps);
  }

  /** @throws ServiceError notFound if there is no task with this id */
  lease(request: LeaseRequest, now: Instant, requestKey?: RequestKey): Promise<LeaseAnswer> {
    const { taskId } = request;
    return this.#turns.run(taskId ?? '', async () => {
      const leased = await this.#lease(request, now, requestKey);
      if (taskId === undefined) return leased;
      // Only a RUNNING task has calls. Without any, this request may have found the end of the
      // task.
      const { status: taskStatus } = leased.calls.length > 0 ? running : await this.#deps.tasks.find(taskId);
      return { ...leased, taskStatus };
    });
  }

  async #lease(
    { limit, leaseSeconds, taskId }: LeaseRequest,
    now: Instant,
    requestKey?: RequestKey,
  ): Promise<LeaseAnswer> {
    const earlier = await this.#deps.candidateLeases.earlierCalls(requestKey, now);
    const left = requestKey?.isDone ? 0 : limit - earlier.length;
    if (left <= 0) return { calls: earlier, retryAfterSeconds: earlier.length < limit ? shortestWait : 0 };
    const until = now + leaseSeconds * secondMs;
    const pace = await this.#deps.pace.forRequest({ now, until });
    const isOfAny = taskId === undefined;
    const wanted = { limit: Math.min(left, pace.room.calls), isOfAny, until, now, pace, requestKey };
    const leased = taskId === undefined ? this.#fromAny(wanted) : this.#fromOne(taskId, wanted);
    const { calls, next } = await leased;
    const retryTime = pace.room.calls === 0 ? pace.room.nextTime : next;
    const retryAfterSeconds = calls.length < left ? waitUntil(retryTime, now) : 0;
    return { calls: [...earlier, ...calls], retryAfterSeconds };
  }

  async #fromOne(taskId: string, wanted: Wanted): Promise<Leased> {
    const { tasks, asked, ends } = this.#deps;
    const { limit, now } = wanted;
    if (!isId(taskId)) await tasks.find(taskId);
    const [checked, callbacks] = await allEnded([
      this.#deps.checks.checkOrStop(taskId, wanted),
      this.#deps.agenda.find(callbacksOf({ id: taskId })),
      asked.note(taskId, now),
    ]);
    const isDue = callbacks !== undefined && callbacks.due <= now;
    const first = isDue
      ? await this.#fromCallbacks([callbacks], wanted)
      : { calls: [], next: earliest([callbacks?.due]) };
    const left = { ...wanted, limit: limit - first.calls.length };
    const { considered, busy, ...rest } = checked.isOpen ? await this.#from(checked, left) : noCalls();
    const calls = [...first.calls, ...rest.calls];
    if (calls.length >= limit) return { calls, next: now };
    const { nextTime, calls: room } = wanted.pace.roomOf(checked.task);
    if (checked.isOpen && room === 0) return { calls, next: nextTime };
    if (busy.length > 0) return { calls, next: now };
    if (considered > 0) {
      // The contacts were blocked or deferred, and there may be more of them.
      await ends.completeIdle(checked.task, now);
      return { calls, next: now };
    }
    return { calls, next: Math.min(first.next, await this.#nextOf(checked, now)) };
  }

  /** When to check a task again that has no contact to call. */
  async #nextOf({ task, isOpen, opening }: CheckedTask, now: Instant): Promise<Instant> {
    const { agenda, checks } = this.#deps;
    const entry = task.status === status.running ? await agenda.find(callsOf(task)) : undefined;
    if (entry === undefined) return Number.POSITIVE_INFINITY;
    if (!isOpen) return opening;
    if (entry.due > now) return entry.due;
    return (await checks.postpone(entry, task, now)) ?? Number.POSITIVE_INFINITY;
  }

  /** Reads the due tasks, the most urgent first, until there are enough calls. */
  async #fromAny({ limit, ...wanted }: Wanted): Promise<Leased> {
    const { now } = wanted;
    await this.#deps.asked.note(undefined, now);
    const all: Leased = { calls: [], next: now + longestWait * secondMs };
    for (let reading = 0; reading < readingsAtMost; reading++) {
      const { entries, areAll, next } = await this.#deps.dueTasks.read(now, now + longestWait * secondMs);
      const leased = await this.#fromEntries(entries, { ...wanted, limit: limit - all.calls.length });
      all.calls.push(...leased.calls);
      // Tasks with callbacks may have no other contact to look for.
      const served = [...new Set(leased.calls.map(({ taskId }) => taskId))];
      await concurrently(served, tasksAtOnce, (id) => this.#deps.asked.noteAmongOthers(id, now));
      all.next = Math.min(all.next, next, leased.next);
      if (areAll || all.calls.length >= limit) return all;
    }
    return { ...all, next: now };
  }

  /** Agreed callbacks come before everything else. */
  async #fromEntries(entries: readonly Entry[], wanted: Wanted): Promise<Leased> {
    const isCallback = ({ kind }: Entry) => kind === 'callbacks';
    const first = await this.#fromCallbacks(entries.filter(isCallback), wanted);
    const limit = wanted.limit - first.calls.length;
    if (limit === 0) return first;
    const others = entries.filter((entry) => !isCallback(entry));
    const rest = await this.#fromPriorities(others, { ...wanted, limit });
    return { calls: [...first.calls, ...rest.calls], next: Math.min(first.next, rest.next) };
  }

  async #fromCallbacks(entries: readonly Entry[], wanted: Wanted): Promise<Leased> {
    const all = noCalls();
    const checked: CheckedEntry[] = [];
    const inTurn = this.#served.inTurn(entries, ({ id }) => id);
    for (let at = 0; at < inTurn.length && all.calls.length < wanted.limit; at += tasksAtOnce) {
      const some = await concurrently(inTurn.slice(at, at + tasksAtOnce), tasksAtOnce, async (entry) => ({
        ...(await this.#deps.checks.checkOrStop(entry.id, wanted)),
        entry,
      }));
      checked.push(...some);
      await this.#addLevel(all, some, callbackLevel, wanted);
    }
    const { checks } = this.#deps;
    const times = await concurrently(checked, tasksAtOnce, (each) =>
      this.#postpone(each, all, wanted, () => checks.postponeCallbacks(each.entry, each.task, wanted.now)),
    );
    return { calls: all.calls, next: earliest(times) };
  }

  /** Level by level. Within a level the least recently served tasks come first. */
  async #fromPriorities(entries: readonly Entry[], wanted: Wanted): Promise<Leased> {
    const { checks } = this.#deps;
    const all = noCalls();
    const checked = new Map<string, CheckedEntry>();
    for (const level of priorities) {
      const known = [...checked.values()].filter(callsAt(level)).map(({ entry }) => entry);
      const listed = entries.filter((entry) => entry.level === level);
      const inTurn = this.#served.inTurn([...known, ...listed], ({ id }) => id);
      // Usually each task gives at least one call, so no more tasks are checked first than calls
      // are wanted.
      const first = Math.min(tasksAtOnce, wanted.limit - all.calls.length);
      for (let at = 0, next = first; at < inTurn.length && all.calls.length < wanted.limit; ) {
        const some = inTurn.slice(at, next);
        [at, next] = [next, next + tasksAtOnce];
        const added = await this.#checkAll(
          some.filter(({ id }) => !checked.has(id)),
          wanted,
        );
        for (const each of added) checked.set(each.task.id, each);
        // The agenda may show a lower priority than that of the contacts that the task has by now.
        for (const higher of priorities.filter((each) => each < level))
          await this.#addLevel(all, added, higher, wanted);
        const tasks = some.map(({ id }) => checked.get(id)!);
        await this.#addLevel(all, tasks, level, wanted);
      }
    }
    const times = await concurrently([...checked.values()], tasksAtOnce, (each) =>
      this.#postpone(each, all, wanted, () => checks.postpone(each.entry, each.task, wanted.now)),
    );
    return { calls: all.calls, next: earliest(times) };
  }

  /**
   * Postpones the entry of a task that has no contact to call now. `postponeOpen` does so if the
   * task could be called.
   * @returns its due time, if it has one
   */
  async #postpone(
    checked: CheckedEntry,
    { calls, busy }: RoundResult,
    wanted: Wanted,
    postponeOpen: () => Promise<Instant | undefined>,
  ): Promise<Instant | undefined> {
    const { agenda } = this.#deps;
    const { limit, now, pace } = wanted;
    const { entry, task, isOpen, opening } = checked;
    // When the task runs again, the write that starts it makes the entry due.
    if (task.status !== status.running) return void (await agenda.park(entry));
    if (!isOpen) return (await agenda.postpone(entry, opening)) ? opening : now;
    if (calls.length >= limit) return now;
    if (pace.roomOf(task).calls === 0) return this.#stepAside(checked, wanted);
    if (busy.includes(task)) return now;
    return postponeOpen();
  }

  /**
   * For a task at its limit. While its calls keep ending it is checked with each request, which
   * costs less than postponing its entry with each call. Otherwise the entry is postponed until a
   * channel is free by itself, and the room is read again.
   */
  async #stepAside({ entry, task }: CheckedEntry, { now, pace }: Wanted): Promise<Instant> {
    const { agenda } = this.#deps;
    const { nextTime } = pace.roomOf(task);
    if (pace.lastTimeOf(task) > now - busyMs) return nextTime;
    if (!(await agenda.postpone(entry, nextTime))) return now;
    if (!(await this.#deps.pace.hasRoom(task, now))) return nextTime;
    await bringTaskForward(agenda, task, now);
    return now;
  }

  async #checkAll(entries: readonly Entry[], wanted: Wanted): Promise<CheckedEntry[]> {
    const { limit, now, pace } = wanted;
    return concurrently(entries, tasksAtOnce, async (entry) => {
      const checked = await this.#deps.checks.checkOrStop(entry.id, wanted);
      const { task, progress, isOpen } = checked;
      await allEnded([
        isOpen && this.#deps.asked.noteAmongOthers(task.id, now),
        isOpen && pace.roomOf(task).calls > 0 && this.#deps.recalls.drain(task, progress.dial, limit, now),
      ]);
      return { ...checked, entry };
    });
  }

  async #from(checked: CheckedTask, wanted: Wanted): Promise<RoundResult> {
    const { task, progress } = checked;
    await this.#deps.recalls.drain(task, progress.dial, wanted.limit, wanted.now);
    const all = noCalls();
    for (const level of priorities) await this.#addLevel(all, [checked], level, wanted);
    return all;
  }

  /** Adds the calls of one level, as many as are still wanted. */
  async #addLevel(all: RoundResult, tasks: readonly CheckedTask[], level: number, wanted: Wanted) {
    const hasRoom = ({ task }: CheckedTask) => wanted.pace.roomOf(task).calls > 0;
    const some = tasks
      .filter(({ isOpen }) => isOpen)
      .filter(callsAt(level))
      .filter(hasRoom);
    const limit = wanted.limit - all.calls.length;
    if (some.length === 0 || limit <= 0) return;
    const { calls, considered, busy } = await this.#deps.rounds.run(some, level, {
      ...wanted,
      limit,
    });
    all.calls.push(...calls);
    all.considered += considered;
    all.busy.push(...busy);
    for (const { taskId } of calls) this.#served.note(taskId);
  }
}
