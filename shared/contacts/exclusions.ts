import { ServiceError } from '../platform/rules/errors.ts';
import { backoff } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { type Item, keys, timeKey } from '../platform/table/keys.ts';
import { tryWriteOnce, unlessLost } from '../platform/table/optimistic.ts';
import { dayMs, type Instant, secondMs } from '../platform/time/time.ts';
import { doNotCall } from './rules/data-source.ts';
import { addTogether } from './waiting-contacts.ts';

const key = keys.waitingNumbers(doNotCall.id);
/** Each number writes two items of a transaction, which has at most 100. */
const addedAtMost = 45;
/** The same as for an optimistic write. */
const triesAtMost = 40;
/**
 * The number that waits longest is added by its own process. If that process died, another one adds
 * it after this number of tries.
 */
const patience = 8;
const keptMs = 2 * dayMs;

const waitingIn = (item: Item | undefined): string[] =>
  [...((item?.numbers as Set<string> | undefined) ?? [])].sort();
/** Sorts in the order in which the numbers came. */
const entryOf = (phoneNumber: string, now: Instant) => `${timeKey(now)}#${phoneNumber}`;
const numberIn = (entry: string) => entry.slice(entry.indexOf('#') + 1);

/**
 * Puts numbers on the do-not-call list. The whole service has one such list. Adding a contact
 * writes the last block and page of its list, so two additions at the same time cost one of them a
 * retry.
 *
 * A number is added at once if no other number waits. If it loses to another writer, or if others
 * wait, it waits too: it is added to an item that lists the waiting numbers. This write is never
 * refused because of another one. The process whose number waits longest adds all of them in one
 * transaction, and takes them off the item. The other processes look until their number is gone. So
 * a request is answered when its number is on the list, and every reader of the list sees it.
 *
 * If a process dies, its number may stay in the item, whether it is on the list or not. Then the
 * next process adds it, or finds it there. The item expires two days after the last number came.
 */
export class Exclusions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does nothing if the number is on the list already. */
  async add(phoneNumber: string, now: Instant): Promise<void> {
    const guard = keys.phone(doNotCall.id, phoneNumber);
    const [found, waiting] = await this.#database.batchGet([guard, key]);
    if (found !== undefined) return;
    const isAdded =
      waitingIn(waiting).length === 0 && (await tryWriteOnce(() => this.#addSome([phoneNumber], now)));
    if (!isAdded) await this.#wait(entryOf(phoneNumber, now), now);
  }

  async #wait(entry: string, now: Instant): Promise<void> {
    let item = await changeWaiting(this.#database, 'ADD', [entry], Math.ceil((now + keptMs) / secondMs));
    let hasAdded = false;
    for (let tries = 1; tries <= triesAtMost; tries++) {
      const waiting = waitingIn(item);
      if (!waiting.includes(entry)) return;
      const isItsTurn = hasAdded || waiting[0] === entry || tries % patience === 0;
      const added: string[] = isItsTurn ? await this.#addAll(waiting, now) : [];
      hasAdded = added.length > 0;
      if (!hasAdded) await backoff(2);
      item = hasAdded ? await changeWaiting(this.#database, 'DELETE', added) : await this.#database.get(key);
    }
    throw new ServiceError('TOO_MANY_CHANGES', 'too many concurrent changes; retry later');
  }

  /** @returns the entries whose numbers are on the list now */
  async #addAll(waiting: readonly string[], now: Instant): Promise<string[]> {
    const numbers = [...new Set(waiting.map(numberIn))];
    const guards = await this.#database.batchGet(numbers.map((each) => keys.phone(doNotCall.id, each)));
    const free = numbers.filter((_, at) => guards[at] === undefined);
    let added = 0;
    if (free.length > 0)
      await tryWriteOnce(async () => {
        added = await this.#addSome(free, now);
      });
    const left = new Set(free.slice(added));
    return waiting.filter((entry) => !left.has(numberIn(entry)));
  }

  #addSome(phoneNumbers: readonly string[], now: Instant): Promise<number> {
    const additions = phoneNumbers.slice(0, addedAtMost).map((phoneNumber) => ({
      added: { phoneNumber, fields: {} },
      time: now,
    }));
    return addTogether(this.#database, doNotCall.id, additions, now);
  }
}

const changeWaiting = (
  database: Database,
  verb: 'ADD' | 'DELETE',
  entries: readonly string[],
  ttl?: number,
): Promise<Item | undefined> =>
  unlessLost(() =>
    database.update(key, {
      UpdateExpression: `${ttl === undefined ? '' : 'SET #ttl = :ttl '}${verb} #numbers :entries`,
      ExpressionAttributeNames: { '#numbers': 'numbers', ...(ttl !== undefined && { '#ttl': 'ttl' }) },
      ExpressionAttributeValues: { ':entries': new Set(entries), ...(ttl !== undefined && { ':ttl': ttl }) },
    }),
  );

/** For numbers that are erased. A waiting number of a process that died must not be added later. */
export const forgetWaiting = async (database: Database, numbers: readonly string[]): Promise<void> => {
  const waiting = waitingIn(await database.get(key)).filter((entry) => numbers.includes(numberIn(entry)));
  if (waiting.length > 0) await changeWaiting(database, 'DELETE', waiting);
};
