import type { Database, TransactItem } from '../table/database.ts';
import { ifAbsentOrExpired } from '../table/expressions.ts';
import { type Item, type Key, keys } from '../table/keys.ts';
import { unlessLost } from '../table/optimistic.ts';

/**
 * The Idempotency-Key of a request with its caller and path. Store calls take it as an argument,
 * which is `undefined` for a request without a key. Times in epoch seconds.
 */
export type RequestKey = {
  /** The same each time the request is sent, until the effect records expire. */
  id: string;
  now: number;
  expires: number;
  /** The request was completed before. Only its answer is wanted. */
  isDone?: boolean;
};

/** The items of the effect record with this result, for the transaction of the effect. */
export type EffectRecord<T> = (result: T) => TransactItem[];

/**
 * Carries out `effect` once for a request key, however often the request is sent and wherever an
 * earlier one broke off. The effect record is written in the transaction of the effect. A repeat
 * returns the recorded result. Without a request key nothing is recorded.
 */
export const once = async <T>(
  database: Database,
  requestKey: RequestKey | undefined,
  name: string,
  effect: (effectRecord: EffectRecord<T>) => Promise<T>,
): Promise<T> => {
  if (requestKey === undefined) return effect(() => []);
  const key = keys.effect(requestKey.id, name);
  const found = await readRecord(database, key, requestKey);
  if (found !== undefined) return found.result as T;
  try {
    const item = { ...key, ttl: requestKey.expires };
    return await effect((result) => [database.putOf({ ...item, result }, ifAbsentOrExpired(requestKey.now))]);
  } catch (error) {
    // A write of an earlier request with this key may have succeeded in between.
    const landed = await readRecord(database, key, requestKey);
    if (landed === undefined) throw error;
    return landed.result as T;
  }
};

/**
 * An id that is the same each time the request is sent. After the effect record expires, the same
 * key gets a new id.
 */
export const idOnce = (
  database: Database,
  requestKey: RequestKey | undefined,
  name: string,
  newId: () => string,
): Promise<string> =>
  once(database, requestKey, name, async (effectRecord: EffectRecord<string>) => {
    const id = newId();
    const items = effectRecord(id);
    if (items.length > 0) await database.transact(items);
    return id;
  });

/** DynamoDB removes expired items up to days late. Until then they count as absent. */
const readRecord = async (database: Database, key: Key, { now }: RequestKey): Promise<Item | undefined> => {
  const found = await database.get(key);
  return found !== undefined && (found.ttl as number) >= now ? found : undefined;
};

/**
 * For an effect of many writes, each of which carries a mark. Records what is about to be written,
 * so that a repeat can look for it. Without a request key nothing is recorded.
 */
export const noteAhead = async (
  database: Database,
  requestKey: RequestKey | undefined,
  name: string,
  note: object,
): Promise<void> => {
  if (requestKey === undefined) return;
  await unlessLost(() =>
    database.update(keys.effect(requestKey.id, name), {
      UpdateExpression: 'SET notes = list_append(if_not_exists(notes, :none), :note), #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':none': [], ':note': [note], ':ttl': requestKey.expires },
    }),
  );
};

/** The notes of earlier requests with the same key, in their order. */
export const readNotes = async <T>(
  database: Database,
  requestKey: RequestKey | undefined,
  name: string,
): Promise<T[]> => {
  if (requestKey === undefined) return [];
  const found = await readRecord(database, keys.effect(requestKey.id, name), requestKey);
  return (found?.notes ?? []) as T[];
};
