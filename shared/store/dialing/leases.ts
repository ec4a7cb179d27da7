import { byWaiting, priorities } from '../../domain/dialing.ts';
import { isId } from '../../domain/ids.ts';
import type { Task } from '../../domain/task.ts';
import { status } from '../../domain/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { AskedTimes } from '../asked-times.ts';
import { backoff } from '../backoff.ts';
import type { CallingRules } from '../calling-rules.ts';
import { concurrently } from '../concurrently.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { isDoneBefore } from '../once.ts';
import type { Roster, RosterEntry } from '../roster.ts';
import type { Tasks } from '../tasks.ts';
import type { Claims, LeasedCall } from './claims.ts';
import type { Completion } from './completion.ts';
import type { Intakes } from './intakes.ts';
import type { NextLook } from './next-look.ts';
import type { RecallQueue } from './recall-queue.ts';
import type { RepeatedLeases } from './repeated-leases.ts';
import { callsAt, type DialedTask, type WaitingLine } from './waiting-line.ts';

export type LeaseRequest = { limit: number; leaseSeconds: number; taskId?: string | undefined };

type Parts = {
  tasks: Tasks;
  roster: Roster;
  intakes: Intakes;
  line: WaitingLine;
  claims: Claims;
  recalls: RecallQueue;
  completion: Completion;
  nextLook: NextLook;
  rules: CallingRules;
  asked: AskedTimes;
  repeated: RepeatedLeases;
  newId: () => string;
};

/** What one look into some tasks came to: `idle` are those that nobody can be called of now. */
type Looked = { calls: LeasedCall[]; idle: Task[] };

const tasksAtOnce = 16;
/** How often a level is looked through again after other dialers were faster, or contacts were deleted. */
const rounds = 12;
/** How often the roster is read again in one request, where more tasks are due than it gives at a time. */
const readingsAtMost = 10;
/** Tells the leases of one contact apart; never guessed by accident. */
const nonceLength = 10;
const secondMs = 1000;

/** Hands out the calls to make now. */
export class Leases {
  readonly #parts: Parts;
  /** Dialers of one process take turns: they would only fight over the same contacts. */
  readonly #turns = new KeyedQueue();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws ServiceError notFound when there is no task of the given id */
  lease({ limit, leaseSeconds, taskId }: LeaseRequest, now: Instant): Promise<LeasedCall[]> {
    const until = now + leaseSeconds * secondMs;
    return this.#turns.run(taskId ?? '', async () => {
      const earlier = await this.#parts.repeated.calls(now);
      const left = isDoneBefore() ? 0 : limit - earlier.length;
      if (left <= 0) return earlier;
      const calls = await (taskId === undefined
        ? this.#fromAny(left, until, now)
        : this.#fromOne(taskId, left, until, now));
      return [...earlier, ...calls];
    });
  }

  async #fromOne(taskId: string, limit: number, until: Instant, now: Instant): Promise<LeasedCall[]> {
    const { tasks, intakes, completion } = this.#parts;
    if (!isId(taskId)) await tasks.find(taskId);
    const [task, standing] = await Promise.all([tasks.find(taskId), intakes.standing(taskId, now)]);
    await this.#parts.asked.note(taskId, now);
    const isClosed = this.#parts.rules.opening(task, now) !== now;
    if (task.status !== status.running || !(await this.#isWorthALook(task, isClosed))) return [];
    const { calls, idle } = await this.#from([{ task, standing, isClosed }], limit, until, now);
    if (!isClosed) await Promise.all(idle.map((one) => completion.settle(one, now)));
    return calls;
  }

  /** Of the tasks that are due for a look, the most urgent first, until there are enough calls. */
  async #fromAny(limit: number, until: Instant, now: Instant): Promise<LeasedCall[]> {
    await this.#parts.asked.note(undefined, now);
    const calls: LeasedCall[] = [];
    for (let reading = 0; reading < readingsAtMost; reading++) {
      const { entries, areAll } = await this.#parts.roster.due(now);
      for (let at = 0; at < entries.length && calls.length < limit; at += tasksAtOnce) {
        const some = entries.slice(at, at + tasksAtOnce);
        calls.push(...(await this.#fromEntries(some, limit - calls.length, until, now)));
      }
      if (areAll || calls.length >= limit) break;
    }
    return calls;
  }

  async #fromEntries(entries: readonly RosterEntry[], limit: number, until: Instant, now: Instant) {
    const { tasks, intakes, roster, rules, nextLook } = this.#parts;
    const found = await Promise.all(
      entries.map(async (entry) => {
        const [task, standing] = await Promise.all([
          tasks.find(entry.taskId),
          intakes.standing(entry.taskId, now),
        ]);
        const opening = rules.opening(task, now);
        const isClosed = opening !== now;
        return { entry, task, standing, opening, isClosed, isOpen: await this.#isWorthALook(task, isClosed) };
      }),
    );
    // The index may still show one that is not running any more.
    const running = found.filter(({ task }) => task.status === status.running);
    const open = running.filter(({ isOpen }) => isOpen);
    const { calls, idle } = await this.#from(open, limit, until, now);
    await Promise.all([
      ...running.filter(({ isOpen }) => !isOpen).map(({ entry, opening }) => roster.postpone(entry, opening)),
      ...open
        .filter(({ task }) => idle.includes(task))
        .map(({ entry, task, opening }) => nextLook.settle(entry, task, now, opening)),
    ]);
    return calls;
  }

  /** Outside the hours of a task, contacts with a time zone of their own may be called. */
  async #isWorthALook({ dataSourceId }: Task, isClosed: boolean): Promise<boolean> {
    return !isClosed || this.#parts.rules.hasOwnZones(dataSourceId);
  }

  async #from(tasks: readonly DialedTask[], limit: number, until: Instant, now: Instant): Promise<Looked> {
    await concurrently(tasks, tasksAtOnce, ({ task, standing }) =>
      this.#parts.recalls.drain(task, standing.dial, limit, now),
    );
    const calls: LeasedCall[] = [];
    const busy = new Set<Task>();
    for (const level of priorities) {
      const some = tasks.filter(callsAt(level));
      if (some.length === 0) continue;
      if (calls.length >= limit) return { calls, idle: [] };
      calls.push(...(await this.#fromLevel(some, level, limit - calls.length, until, now, busy)));
    }
    const idle = calls.length < limit ? tasks.filter(({ task }) => !busy.has(task)) : [];
    return { calls, idle: idle.map(({ task }) => task) };
  }

  async #fromLevel(
    tasks: readonly DialedTask[],
    level: number,
    limit: number,
    until: Instant,
    now: Instant,
    busy: Set<Task>,
  ): Promise<LeasedCall[]> {
    const calls: LeasedCall[] = [];
    let contested = 0;
    let dialed = tasks;
    for (let round = 0; calls.length < limit && round < rounds; round++) {
      if (round > 0) dialed = await this.#anew(tasks, now);
      const [lines, rules] = await Promise.all([
        this.#parts.line.next(dialed, level, limit - calls.length, now, contested),
        concurrently(dialed, tasksAtOnce, ({ task }) => this.#parts.rules.of(task)),
      ]);
      const claimed = await concurrently([...lines.keys()], tasksAtOnce, async (at) => {
        const line = lines[at]!;
        const lease = { nonce: this.#nonce(), until };
        await this.#parts.repeated.note(line, lease);
        const claim = await this.#parts.claims.claim(line, lease, rules[at]!, now);
        if (claim.calls.length + claim.lost > 0) busy.add(line.task);
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
    return concurrently(tasks, tasksAtOnce, async ({ task, isClosed }) => ({
      task,
      isClosed,
      standing: await this.#parts.intakes.standing(task.id, now),
    }));
  }

  #nonce = () => this.#parts.newId().slice(0, nonceLength);
}
