import { openingFor } from '../../../domain/dialing/may-call.ts';
import { type ServiceHours, withinDatesFrom } from '../../../domain/schedule.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import { status } from '../../../domain/tasks/task-states.ts';
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
  async check(taskId: string, { now, pace }: Wanted): Promise<CheckedTask> {
    const { tasks, intakes, ending } = this.#deps;
    const [found, progress] = await Promise.all([tasks.find(taskId), intakes.progress(taskId, now)]);
    const isOver = found.status === status.running && ending.isOver(found, now);
    const task = isOver ? await ending.stop(found, now) : found;
    const hours = await this.#openingOf(task, now);
    if (hours.isOpen) await pace.join(task);
    return { task, progress, ...hours };
  }

  async #openingOf(task: Task, now: Instant): Promise<Pick<CheckedTask, 'isOpen' | 'opening'>> {
    const { rules, zone, callingHours } = this.#deps;
    const schedule = { ...task, callingHours };
    const opening = openingFor({ schedule, serviceZone: zone, contact: undefined }, now);
    if (task.status !== status.running) return { isOpen: false, opening };
    if (opening === now || !(await rules.hasOwnZones(task.dataSourceId)))
      return { isOpen: opening === now, opening };
    const first = withinDatesFrom(schedule, now, zone);
    return { isOpen: first === now, opening: first ?? opening };
  }
}
