/** A task that was forgotten counts as never served. */
const remembered = 1000;

/** In which order this process has served tasks. Its memory costs no write, and other processes have their own. */
export class ServedTasks {
  /** The least recently served first. */
  readonly #served = new Map<string, number>();
  #count = 0;

  note(taskId: string): void {
    this.#served.delete(taskId);
    this.#served.set(taskId, ++this.#count);
    const [oldest] = this.#served.keys();
    if (this.#served.size > remembered) this.#served.delete(oldest!);
  }

  /** The least recently served first; tasks that were never served before them, in random order. */
  inTurn<T>(tasks: readonly T[], idOf: (task: T) => string): T[] {
    return tasks
      .map((task) => ({ task, turn: this.#served.get(idOf(task)) ?? -Math.random() }))
      .sort((a, b) => a.turn - b.turn)
      .map(({ task }) => task);
  }
}
