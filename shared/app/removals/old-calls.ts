import type { CallRecords } from '../../calls/call-records.ts';
import type { Agenda } from '../../platform/agenda/agenda.ts';
import type { Worker } from '../../platform/agenda/due-work.ts';
import type { Work } from '../../platform/agenda/work.ts';
import { dayMs, type Instant, minuteMs } from '../../platform/time/time.ts';
import type { Tasks } from '../../tasks/tasks.ts';

type Dependencies = {
  agenda: Agenda;
  tasks: Tasks;
  callRecords: CallRecords;
  /** 0: records are kept as long as their tasks. */
  keepCallsDays: number;
};

/** One entry for all tasks. */
export const oldCallsWork: Work = { kind: 'oldCalls', id: 'all' };

/** Longer than the function may run. */
const claimMs = 6 * minuteMs;

/** Removes the records of calls that are older than the service keeps them, once a day. */
export class OldCalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Does nothing if records are kept with their tasks, or the work is on the agenda already. */
  async schedule(now: Instant): Promise<void> {
    const { agenda, keepCallsDays } = this.#deps;
    if (keepCallsDays > 0 && (await agenda.find(oldCallsWork)) === undefined)
      await agenda.add(oldCallsWork, now);
  }

  /** A run that stopped is started again. Tasks without old records cost next to nothing. */
  worker(): Worker {
    const { tasks, callRecords, keepCallsDays } = this.#deps;
    return {
      kind: 'oldCalls',
      claimMs,
      work: async (_entry, { now, isTimeUp }) => {
        const ids = keepCallsDays === 0 ? [] : await tasks.allIds();
        for (const id of ids) if (!(await callRecords.removeOld(id, isTimeUp, now()))) return { next: now() };
        return { next: now() + dayMs };
      },
    };
  }
}
