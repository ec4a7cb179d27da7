/** Runs work on the same key one after the other, work on different keys at once. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => {});
    this.#tails.set(key, settled);
    settled.then(() => {
      if (this.#tails.get(key) === settled) this.#tails.delete(key);
    });
    return mine;
  }
}
