import { AsyncLocalStorage } from 'node:async_hooks';
import type { Condition, Database, Item, TransactItem } from '../table/index.ts';
import { type Key, keys, unlessLost } from '../table/index.ts';

/**
 * A request that may be sent again. `id` is the same each time until its traces expire, in epoch seconds.
 * `isDone`: it was carried out to its end before, and only its answer is wanted.
 */
export type Attempt = { id: string; now: number; expires: number; isDone?: boolean };

const attempts = new AsyncLocalStorage<Attempt>();
let running = 0;

/**
 * Everything `run` does belongs to that request. As long as there is one, Node (before 24) follows every promise of
 * the process, which slows all of them; so not for longer.
 */
export const withinAttempt = async <T>(attempt: Attempt, run: () => Promise<T>): Promise<T> => {
  running++;
  try {
    return await attempts.run(attempt, run);
  } finally {
    running--;
    if (running === 0) attempts.disable();
  }
};

/** An id that is the same each time the request is sent; `undefined` where nobody sends it again. */
export const attemptId = (): string | undefined => attempts.getStore()?.id;

/** Only the answer is wanted of a request that was carried out before. */
export const isDoneBefore = (): boolean => attempts.getStore()?.isDone === true;

/** What lands with the effect, or not at all, and tells a repetition what came of it. */
export type Trace<T> = (result: T) => TransactItem[];

/**
 * Does `effect` once for a request that may be sent again, however often that happens and wherever an
 * earlier one broke off: its transaction takes the trace along, and where there is one, its result is
 * answered. Any other request leaves no trace.
 */
export const once = async <T>(
  database: Database,
  name: string,
  effect: (trace: Trace<T>) => Promise<T>,
): Promise<T> => {
  const attempt = attempts.getStore();
  if (attempt === undefined) return effect(() => []);
  const key = keys.effect(attempt.id, name);
  const trace = () => traceOf(database, key, attempt);
  const found = await trace();
  if (found !== undefined) return found.result as T;
  try {
    const item = { ...key, ttl: attempt.expires };
    return await effect((result) => [database.putOf({ ...item, result }, ifFree(attempt))]);
  } catch (error) {
    // An earlier one that was still on its way may have landed in between.
    const landed = await trace();
    if (landed === undefined) throw error;
    return landed.result as T;
  }
};

/** An id that the request has each time it is sent, until its traces expire: a later one under its key has another. */
export const idOnce = (database: Database, name: string, newId: () => string): Promise<string> =>
  once(database, name, async (trace: Trace<string>) => {
    const id = newId();
    const traces = trace(id);
    if (traces.length > 0) await database.transact(traces);
    return id;
  });

/** What has expired may lie there for days, and counts for nothing. */
const traceOf = async (database: Database, key: Key, { now }: Attempt): Promise<Item | undefined> => {
  const found = await database.get(key);
  return found !== undefined && (found.ttl as number) >= now ? found : undefined;
};

const ifFree = ({ now }: Attempt): Condition => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl < :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': now },
});

/**
 * For effects of many writes that each bear a mark: what is about to be written is noted first, so that a
 * repetition can look for it. Any other request notes nothing.
 */
export const noteAhead = async (database: Database, name: string, note: object): Promise<void> => {
  const attempt = attempts.getStore();
  if (attempt === undefined) return;
  await unlessLost(() =>
    database.update(keys.effect(attempt.id, name), {
      UpdateExpression: 'SET notes = list_append(if_not_exists(notes, :none), :note), #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':none': [], ':note': [note], ':ttl': attempt.expires },
    }),
  );
};

/** What earlier ones of the same request have noted, in their order. */
export const notesOf = async <T>(database: Database, name: string): Promise<T[]> => {
  const attempt = attempts.getStore();
  if (attempt === undefined) return [];
  const found = await traceOf(database, keys.effect(attempt.id, name), attempt);
  return (found?.notes ?? []) as T[];
};
