import type { LeasedCall } from '../../calls/rules/call.ts';
import type { RequestKey } from '../../platform/requests/effects.ts';
import { allEnded, backoff, concurrently } from '../../platform/table/concurrency.ts';
import type { Instant } from '../../platform/time/time.ts';
import type { Task } from '../../tasks/rules/task.ts';
import type { CallingRules } from '../calling-rules.ts';
import type { LeasePace } from '../pace.ts';
import type { CandidateLeases } from './candidate-leases.ts';
import type { Candidates, DialedTask, TaskCandidates } from './candidates.ts';
import type { Intakes } from './intakes.ts';

/**
 * At most `limit` calls, each leased until `until`, within the pace of the tasks and of the
 * service. `isOfAny`: the dialer asks for calls of any task.
 */
export type Wanted = {
  limit: number;
  isOfAny: boolean;
  until: Instant;
  now: Instant;
  pace: LeasePace;
  requestKey: RequestKey | undefined;
};

/**
 * `considered`: how many candidates there were, called or not. `busy`: the tasks that had contacts
 * to call, whichever request leased them.
 */
export type RoundResult = { calls: LeasedCall[]; considered: number; busy: Task[] };

type Dependencies = {
  intakes: Intakes;
  candidates: Candidates;
  candidateLeases: CandidateLeases;
  rules: CallingRules;
  newId: () => string;
};

const tasksAtOnce = 16;
/** How often a level is searched again after other requests were faster. */
const roundsAtMost = 12;
/** Enough characters to tell the leases of one contact apart. */
const nonceLength = 10;

/** Leases contacts of one priority level, in rounds of candidates. */
export class LeaseRounds {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async run(tasks: readonly DialedTask[], level: number, wanted: Wanted): Promise<RoundResult> {
    const { candidates, rules } = this.#deps;
    const { limit, now, pace } = wanted;
    const leased: RoundResult = { calls: [], considered: 0, busy: [] };
    let contested = 0;
    let dialed = tasks;
    for (let round = 0; leased.calls.length < limit && round < roundsAtMost; round++) {
      if (round > 0) dialed = await this.#readAgain(tasks, now);
      const paced = dialed.map((each) => ({ ...each, room: pace.roomOf(each.task).calls }));
      const [found, conditions] = await allEnded([
        candidates.next(paced, level, limit - leased.calls.length, now, contested),
        concurrently(dialed, tasksAtOnce, ({ task }) => rules.of(task, now)),
      ]);
      const next = await this.#withChannels(found, pace);
      const outcomes = await concurrently([...next.keys()], tasksAtOnce, async (at) => {
        const { task } = next[at]!;
        const lease = {
          nonce: this.#deps.newId().slice(0, nonceLength),
          until: wanted.until,
          time: now,
          ...(wanted.isOfAny && { isOfAny: true as const }),
          ...(conditions[at]!.isCounting && { isCounted: true as const }),
          channels: pace.channelsOf(task),
        };
        await this.#deps.candidateLeases.noteIntent(wanted.requestKey, next[at]!, lease);
        // A lease that nobody notices would keep its channel, or be part of the answer to a
        // repeated request.
        const isWatched = lease.channels !== undefined || wanted.requestKey !== undefined;
        const terms = { lease, level, rules: conditions[at]!, now, isWatched };
        const outcome = await this.#deps.candidateLeases.lease(next[at]!, terms);
        await pace.giveBack(task, next[at]!.candidates.length - outcome.calls.length - outcome.keptLeased);
        return outcome;
      });
      const calls = outcomes.flatMap(({ calls }) => calls);
      leased.calls.push(...calls);
      leased.busy.push(
        ...next
          .filter((_, at) => outcomes[at]!.calls.length + outcomes[at]!.lost > 0)
          .map(({ task }) => task),
      );
      const considered = next.flatMap((each) => each.candidates).length;
      leased.considered += considered;
      if (considered === calls.length) break;
      if (outcomes.some(({ lost }) => lost > 0)) await backoff(++contested);
    }
    return leased;
  }

  /** As many candidates of each task as there are channels. */
  async #withChannels(found: readonly TaskCandidates[], pace: LeasePace): Promise<TaskCandidates[]> {
    const wanted = found.map(({ task, candidates }) => ({ task, count: candidates.length }));
    const counts = await pace.take(wanted);
    return found.map((each, at) => ({ ...each, candidates: each.candidates.slice(0, counts[at]) }));
  }

  #readAgain(tasks: readonly DialedTask[], now: Instant): Promise<DialedTask[]> {
    return concurrently(tasks, tasksAtOnce, async (dialed) => ({
      ...dialed,
      progress: await this.#deps.intakes.progress(dialed.task.id, now),
    }));
  }
}
