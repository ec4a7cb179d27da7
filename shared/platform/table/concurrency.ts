import timers from 'node:timers/promises';

const baseMs = 10;
const capMs = 800;

/** Full jitter: a random pause below a bound that doubles with each try. */
export const backoff = (tries: number) =>
  timers.setTimeout(Math.random() * Math.min(capMs, baseMs * 2 ** Math.min(tries, 10)));

/**
 * `Promise.all` for writes. An error is thrown when all promises have ended, so none of them writes
 * after its caller was told of the error.
 */
export const allEnded = async <T extends readonly unknown[] | []>(promises: T) => {
  try {
    return await Promise.all(promises);
  } catch (error) {
    await Promise.allSettled(promises);
    throw error;
  }
};

/**
 * Runs at most `limit` jobs at once. After an error no further job begins, and the error is thrown
 * when the jobs under way have ended.
 * @returns the results in the order of the inputs
 */
export const concurrently = async <In, Out>(
  inputs: readonly In[],
  limit: number,
  job: (input: In) => Promise<Out>,
): Promise<Out[]> => {
  const results = new Array<Out>(inputs.length);
  // A worker that fails leaves its loop. That ends the generator, so the other workers find no
  // further input.
  const queue = (function* () {
    yield* inputs.entries();
  })();
  const worker = async () => {
    for (const [at, input] of queue) results[at] = await job(input);
  };
  await allEnded(Array.from({ length: Math.min(limit, inputs.length) }, worker));
  return results;
};

/**
 * Results in the order of the inputs. Jobs start up to `ahead` inputs before their result is
 * needed. If the reader stops early or a job fails, it ends after the jobs that have started.
 */
export async function* readAhead<In, Out>(
  inputs: Iterable<In>,
  ahead: number,
  job: (input: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const started: Promise<Out>[] = [];
  const start = (input: In) => {
    const result = job(input);
    // The error is thrown when its result is needed; until then it must not count as unhandled.
    result.catch(() => undefined);
    started.push(result);
  };
  try {
    for (const input of inputs) {
      start(input);
      if (started.length > ahead) yield await started.shift()!;
    }
    for (let next = started.shift(); next !== undefined; next = started.shift()) yield await next;
  } finally {
    await Promise.allSettled(started);
  }
}

/**
 * Runs jobs of the same key one after another, in the order they came. Jobs of other keys run at
 * the same time.
 */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const turn = before.then(job);
    const tail = turn.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
