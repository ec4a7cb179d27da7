import { byWaiting, priorities } from '../../domain/dialing.ts';
import { isId } from '../../domain/ids.ts';
import { openFrom } from '../../domain/schedule.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { backoff } from '../backoff.ts';
import { concurrently } from '../concurrently.ts';
import type { Database } from '../database.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { keys } from '../keys.ts';
import type { Tasks } from '../tasks.ts';
import type { Claims, LeasedCall } from './claims.ts';
import { callsAt, type DialedTask, readDialStates } from './dial-state.ts';
import type { LeaseRecords } from './lease-records.ts';
import type { RecallDrain } from './recall-drain.ts';
import type { Settlement } from './settlement.ts';
import type { WaitingLine } from './waiting-line.ts';

export type LeaseRequest = { limit: number; leaseSeconds: number; taskId?: string | undefined };

type Parts = {
  database: Database;
  tasks: Tasks;
  line: WaitingLine;
  claims: Claims;
  records: LeaseRecords;
  drain: RecallDrain;
  settlement: Settlement;
  newId: () => string;
  /** IANA name of the time zone of daily windows. */
  zone: string;
};

const tasksAtOnce = 8;
/** How often a level is looked through again after other dialers were faster, or contacts were deleted. */
const rounds = 12;
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
  lease(request: LeaseRequest, now: Instant): Promise<LeasedCall[]> {
    return this.#turns.run(request.taskId ?? '', () => this.#lease(request, now));
  }

  async #lease({ limit, leaseSeconds, taskId }: LeaseRequest, now: Instant): Promise<LeasedCall[]> {
    const running = await this.#running(taskId);
    const tasks = running.filter((task) => openFrom(task, now, this.#parts.zone) === now);
    const dialed = await this.#prepared(tasks, limit, now);
    const until = now + leaseSeconds * secondMs;
    const calls: LeasedCall[] = [];
    for (const level of priorities.filter((at) => dialed.some(callsAt(at)))) {
      if (calls.length >= limit) return calls;
      calls.push(...(await this.#leaseLevel(tasks, level, limit - calls.length, until, now)));
    }
    const leasedFrom = new Set(calls.map((call) => call.taskId));
    const idle = calls.length < limit ? tasks.filter(({ id }) => !leasedFrom.has(id)) : [];
    await concurrently(idle, tasksAtOnce, (task) => this.#parts.settlement.settle(task, now));
    return calls;
  }

  /** Brings back into line whoever was lost to a dialer or recalled since. */
  async #prepared(tasks: readonly Task[], limit: number, now: Instant): Promise<DialedTask[]> {
    const { database, records, drain } = this.#parts;
    const [dialed] = await Promise.all([
      readDialStates(database, tasks),
      concurrently(tasks, tasksAtOnce, (task) => records.reclaimExpired(task, now)),
    ]);
    await concurrently(dialed, tasksAtOnce, (task) => drain.drain(task, limit));
    return dialed;
  }

  async #leaseLevel(tasks: readonly Task[], level: number, limit: number, until: Instant, now: Instant) {
    const calls: LeasedCall[] = [];
    let contested = 0;
    for (let round = 0; calls.length < limit && round < rounds; round++) {
      const lines = await this.#parts.line.next(tasks, level, limit - calls.length, now, contested);
      const claimed = await concurrently(lines, tasksAtOnce, ({ task, candidates }) =>
        this.#parts.claims.claim(task, candidates, { nonce: this.#nonce(), until }),
      );
      const inLine = claimed
        .flatMap((claim) => claim.calls)
        .sort((a, b) => byWaiting(a.candidate, b.candidate));
      calls.push(...inLine.map(({ call }) => call));
      if (claimed.every(({ lost, gone }) => lost + gone === 0)) break;
      if (claimed.some(({ lost }) => lost > 0)) await backoff(++contested);
    }
    return calls;
  }

  async #running(taskId: string | undefined): Promise<Task[]> {
    const { database, tasks } = this.#parts;
    if (taskId === undefined) {
      const roster = await database.queryAll({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keys.roster },
      });
      return roster.map(({ task }) => task as Task);
    }
    const entry = isId(taskId) ? await database.get(keys.running(taskId)) : undefined;
    if (entry === undefined) await tasks.find(taskId);
    return entry === undefined ? [] : [entry.task as Task];
  }

  #nonce = () => this.#parts.newId().slice(0, nonceLength);
}
