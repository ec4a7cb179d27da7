import { checkAgain } from '../../../domain/dialing/may-call.ts';
import type { ServiceHours } from '../../../domain/schedule.ts';
import { mayTaskCall, type TaskDecision } from '../../../domain/tasks/may-task-call.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Entry } from '../../agenda/index.ts';
import type { CallingRules } from '../../rules/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { Ending } from '../ends/ending.ts';
import type { Intakes } from '../records/intakes.ts';
import type { DialedTask } from './candidates.ts';
import type { Wanted } from './lease-rounds.ts';

/** A task, and whether its contacts may be called now: from `opening` on, if not. */
export type CheckedTask = DialedTask & { isOpen: boolean; opening: Instant };
export type CheckedEntry = CheckedTask & { entry: Entry };

type Dependencies = ServiceHours & { tasks: Tasks; intakes: Intakes; ending: Ending; rules: CallingRules };

/** Reads tasks for a lease request. */
export class TaskChecks {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Outside the task's hours, contacts with a time zone of their own may be called. Stops a task whose dates are over. */
  async checkOrStop(taskId: string, { now, pace }: Wanted): Promise<CheckedTask> {
    const { tasks, intakes, ending } = this.#deps;
    const [found, progress] = await Promise.all([tasks.find(taskId), intakes.progress(taskId, now)]);
    const decision = await this.#decide(found, now);
    const task = decision.is === 'over' ? await ending.stop(found, now) : found;
    const isOpen = decision.is === 'open';
    if (isOpen) await pace.join(task);
    const { zone } = this.#deps;
    const opens = decision.is === 'closed' ? decision.opens : null;
    return { task, progress, isOpen, opening: opens ?? checkAgain(task, zone, now) };
  }

  /** Whether contacts have zones of their own is read only for a task that is closed by its own hours. */
  async #decide(task: Task, now: Instant): Promise<TaskDecision> {
    const { rules, zone, callingHours } = this.#deps;
    const facts = { task, zone, callingHours, now };
    const decision = mayTaskCall({ ...facts, hasOwnZones: false });
    if (decision.is !== 'closed' || !(await rules.hasOwnZones(task.dataSourceId))) return decision;
    return mayTaskCall({ ...facts, hasOwnZones: true });
  }
}
