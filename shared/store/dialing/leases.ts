import type { LeasedCall } from '../../domain/dialing/call.ts';
import { byWaiting, priorities } from '../../domain/dialing/dialing.ts';
import { isId } from '../../domain/ids.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { status } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { RequestKey } from '../requests/index.ts';
import type { CallingRules } from '../rules/index.ts';
import { backoff, concurrently, KeyedQueue } from '../table/index.ts';
import type { AskedTimes, Roster, RosterEntry, Tasks } from '../tasks/index.ts';
import type { Claims } from './claims.ts';
import type { Completion } from './completion.ts';
import type { Intakes } from './intakes.ts';
import type { NextCheck } from './next-check.ts';
import type { RecallQueue } from './recall-queue.ts';
import type { RepeatedLeases } from './repeated-leases.ts';
import { callsAt, type DialedTask, type WaitingLine } from './waiting-line.ts';

export type LeaseRequest = { limit: number; leaseSeconds: number; taskId?: string | undefined };

type Dependencies = {
  tasks: Tasks;
  roster: Roster;
  intakes: Intakes;
  line: WaitingLine;
  claims: Claims;
  recalls: RecallQueue;
  completion: Completion;
  nextCheck: NextCheck;
  rules: CallingRules;
  asked: AskedTimes;
  repeated: RepeatedLeases;
  newId: () => string;
};

/** So many calls now, each leased until then. */
type LeaseTerms = { limit: number; until: Instant; now: Instant; requestKey: RequestKey | undefined };

/** A task, and whether anybody of it may be called: from `opening` on, if not. */
type CheckedTask = DialedTask & { isOpen: boolean; opening: Instant };

/** What one look into some tasks came to: `idle` are those that nobody can be called of now. */
type Round = { calls: LeasedCall[]; idle: Task[] };

const tasksAtOnce = 16;
/** How often a level is looked through after other dialers were faster, or some could not be called. */
const roundsAtMost = 12;
/** How often the roster is read again in one request, where more tasks are due than it gives at a time. */
const readingsAtMost = 10;
/** Tells the leases of one contact apart; never guessed by accident. */
const nonceLength = 10;
const secondMs = 1000;

/** Hands out the calls to make now. */
export class Leases {
  readonly #deps: Dependencies;
  /** Dialers of one process take turns: they would only fight over the same contacts. */
  readonly #turns = new KeyedQueue();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError notFound when there is no task of the given id */
  lease(
    { limit, leaseSeconds, taskId }: LeaseRequest,
    now: Instant,
    requestKey?: RequestKey,
  ): Promise<LeasedCall[]> {
    return this.#turns.run(taskId ?? '', async () => {
      const earlier = await this.#deps.repeated.calls(requestKey, now);
      const left = requestKey?.isDone ? 0 : limit - earlier.length;
      if (left <= 0) return earlier;
      const wanted = { limit: left, until: now + leaseSeconds * secondMs, now, requestKey };
      const calls = taskId === undefined ? this.#fromAny(wanted) : this.#fromOne(taskId, wanted);
      return [...earlier, ...(await calls)];
    });
  }

  async #fromOne(taskId: string, wanted: LeaseTerms): Promise<LeasedCall[]> {
    const { tasks, asked, completion } = this.#deps;
    if (!isId(taskId)) await tasks.find(taskId);
    const found = await this.#find(taskId, wanted.now);
    await asked.note(taskId, wanted.now);
    if (!found.isOpen) return [];
    const { calls, idle } = await this.#from([found], wanted);
    await Promise.all(idle.map((task) => completion.completeIdle(task, wanted.now)));
    return calls;
  }

  /** Of the tasks that are due for a look, the most urgent first, until there are enough calls. */
  async #fromAny({ limit, ...wanted }: LeaseTerms): Promise<LeasedCall[]> {
    await this.#deps.asked.note(undefined, wanted.now);
    const calls: LeasedCall[] = [];
    for (let reading = 0; reading < readingsAtMost; reading++) {
      const { entries, areAll } = await this.#deps.roster.due(wanted.now);
      for (let at = 0; at < entries.length && calls.length < limit; at += tasksAtOnce) {
        const some = entries.slice(at, at + tasksAtOnce);
        calls.push(...(await this.#fromEntries(some, { ...wanted, limit: limit - calls.length })));
      }
      if (areAll || calls.length >= limit) break;
    }
    return calls;
  }

  async #fromEntries(entries: readonly RosterEntry[], wanted: LeaseTerms): Promise<LeasedCall[]> {
    const { roster, nextCheck } = this.#deps;
    const { now } = wanted;
    const found = await Promise.all(entries.map(({ taskId }) => this.#find(taskId, now)));
    const { calls, idle } = await this.#from(
      found.filter(({ isOpen }) => isOpen),
      wanted,
    );
    await Promise.all(
      found.map(async ({ task, isOpen, opening }, i) => {
        // The index may still show one that is not running any more.
        if (task.status !== status.running) return;
        if (!isOpen) await roster.postpone(entries[i]!, opening);
        else if (idle.includes(task)) await nextCheck.plan(entries[i]!, task, now);
      }),
    );
    return calls;
  }

  /** Outside the hours of a task, contacts with a time zone of their own may be called: each is looked at. */
  async #find(taskId: string, now: Instant): Promise<CheckedTask> {
    const { tasks, intakes, rules } = this.#deps;
    const [task, progress] = await Promise.all([tasks.find(taskId), intakes.progress(taskId, now)]);
    const opening = rules.opening(task, now);
    const isInHours = opening === now || (await rules.hasOwnZones(task.dataSourceId));
    return { task, progress, isOpen: task.status === status.running && isInHours, opening };
  }

  async #from(tasks: readonly DialedTask[], { limit, ...wanted }: LeaseTerms): Promise<Round> {
    await concurrently(tasks, tasksAtOnce, ({ task, progress }) =>
      this.#deps.recalls.drain(task, progress.dial, limit, wanted.now),
    );
    const calls: LeasedCall[] = [];
    const busy = new Set<Task>();
    for (const level of priorities) {
      const some = tasks.filter(callsAt(level));
      if (some.length === 0) continue;
      if (calls.length >= limit) return { calls, idle: [] };
      const left = { ...wanted, limit: limit - calls.length };
      calls.push(...(await this.#fromLevel(some, level, left, busy)));
    }
    const idle = calls.length < limit ? tasks.filter(({ task }) => !busy.has(task)) : [];
    return { calls, idle: idle.map(({ task }) => task) };
  }

  async #fromLevel(
    tasks: readonly DialedTask[],
    level: number,
    { limit, until, now, requestKey }: LeaseTerms,
    busy: Set<Task>,
  ): Promise<LeasedCall[]> {
    const { line, claims, rules, repeated, newId } = this.#deps;
    const calls: LeasedCall[] = [];
    const refused = new Set<string>();
    let contested = 0;
    let dialed = tasks;
    for (let round = 0; calls.length < limit && round < roundsAtMost; round++) {
      if (round > 0) dialed = await this.#anew(tasks, now);
      const [lines, taskRules] = await Promise.all([
        line.next(dialed, level, limit - calls.length, now, contested),
        concurrently(dialed, tasksAtOnce, ({ task }) => rules.of(task)),
      ]);
      const claimed = await concurrently([...lines.keys()], tasksAtOnce, async (at) => {
        const lease = { nonce: newId().slice(0, nonceLength), until };
        await repeated.note(requestKey, lines[at]!, lease);
        const claim = await claims.claim(lines[at]!, { lease, rules: taskRules[at]!, refused, now });
        if (claim.calls.length + claim.lost > 0) busy.add(lines[at]!.task);
        return claim;
      });
      const inLine = claimed
        .flatMap((claim) => claim.calls)
        .sort((a, b) => byWaiting(a.candidate, b.candidate));
      calls.push(...inLine.map(({ call }) => call));
      if (claimed.every(({ lost, gone }) => lost + gone === 0)) break;
      if (claimed.some(({ lost }) => lost > 0)) await backoff(++contested);
    }
    return calls;
  }

  #anew(tasks: readonly DialedTask[], now: Instant): Promise<DialedTask[]> {
    return concurrently(tasks, tasksAtOnce, async (dialed) => ({
      ...dialed,
      progress: await this.#deps.intakes.progress(dialed.task.id, now),
    }));
  }
}
