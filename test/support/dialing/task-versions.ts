import type { Task } from '../../../shared/tasks/rules/task.ts';

/** The rules of a task that is adjusted while dialers ask: which of them may hold for a request. */
export class TaskVersions {
  readonly #versions: Task[];
  #known = 0;

  constructor(task: Task) {
    this.#versions = [task];
  }

  get latest(): Task {
    return this.#versions.at(-1)!;
  }

  /** The version that surely holds by now. */
  get known(): number {
    return this.#known;
  }

  /** Those that may have held since then. */
  since(version: number): readonly Task[] {
    return this.#versions.slice(version);
  }

  /** It may hold from now on. */
  propose(task: Task): void {
    this.#versions.push(task);
  }

  /** Whether the last one that was proposed holds. */
  settle(isAdjusted: boolean): void {
    if (!isAdjusted) this.#versions.push(this.#versions[this.#known]!);
    this.#known = this.#versions.length - 1;
  }
}
