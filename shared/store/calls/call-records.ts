import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { CallRef } from '../../domain/dialing/task-contact.ts';
import { dayMs, type Instant } from '../../domain/time.ts';
import type { Database, Item, TransactItem } from '../table/index.ts';
import { callParts, ifUnchanged, keys, secondKey } from '../table/index.ts';
import { callOfItem, itemOfCall, keyOfCall, type StoredCall } from './call-items.ts';

/** The calls of a task that ended from `from` on and before `to`. */
export type CallRange = { from?: Instant | undefined; to?: Instant | undefined };

/** A page of a task's calls, and where the next page begins. */
export type CallsPage = { calls: StoredCall[]; next: string | null };

/** Records of one part that are read first: a page of 20 needs about five of each part. */
const readFirst = 8;
const readAtMost = 250;
/** Records that one request looks at, at most. */
const seenAtMost = 1000;
const rowsAtOnce = 1000;

type Order = 'newest first' | 'oldest first';

/**
 * The record of every call that was counted. It is written in the transaction of the result, so that a task has as many
 * records as calls. The records of a task lie in several parts, each in the order of the time at which the calls ended.
 * A reader merges the parts. A call is found by its id through its task contact, which knows when each of its calls ended.
 *
 * `keepDays`: older records are no longer shown, and are removed by `removeOld`; 0: they are kept as long as their task.
 */
export class CallRecords {
  readonly #database: Database;
  readonly #keepDays: number;

  constructor(database: Database, keepDays: number) {
    this.#database = database;
    this.#keepDays = keepDays;
  }

  /** To be written with the result, whose task contact refuses a call that was counted before. */
  addOf(call: CallRecord, counted: string | null): TransactItem {
    return this.#database.putOf(itemOfCall({ ...call, counted, version: 1 }));
  }

  /** Refused when the record was changed since it was read. */
  changeOf(call: StoredCall): TransactItem {
    const item = itemOfCall({ ...call, version: call.version + 1 });
    return this.#database.putOf(item, ifUnchanged(call.version));
  }

  /** @throws Lost when the record was changed since it was read */
  async change(call: StoredCall): Promise<void> {
    const item = itemOfCall({ ...call, version: call.version + 1 });
    await this.#database.put(item, ifUnchanged(call.version));
  }

  /** In the order of the references; `undefined` where there is no record, or it is older than records are kept. */
  async read(refs: readonly CallRef[], now: Instant): Promise<(StoredCall | undefined)[]> {
    if (refs.length === 0) return [];
    const items = await this.#database.batchGet(refs.map(keyOfCall));
    return items.map((item) =>
      item === undefined || Number(item.ended) < this.#keptFrom(now) ? undefined : callOfItem(item),
    );
  }

  /**
   * The newest first. `isWanted`: the filter. A page with a filter may be short and still have a next page, since a request
   * looks at a bounded number of records.
   */
  async page(
    taskId: string,
    range: CallRange & { before?: string | undefined; pageSize: number },
    isWanted: (call: StoredCall) => boolean,
    now: Instant,
  ): Promise<CallsPage> {
    const calls: StoredCall[] = [];
    let seen = 0;
    let last: string | undefined;
    for await (const item of this.#merged(taskId, range, 'newest first', now)) {
      if (calls.length === range.pageSize || seen === seenAtMost) return { calls, next: last! };
      seen++;
      last = item.sk;
      const call = callOfItem(item);
      if (isWanted(call)) calls.push(call);
    }
    return { calls, next: null };
  }

  /** The oldest first, in batches. */
  async *scan(taskId: string, range: CallRange, now: Instant): AsyncGenerator<StoredCall[]> {
    let batch: StoredCall[] = [];
    for await (const item of this.#merged(taskId, range, 'oldest first', now)) {
      batch.push(callOfItem(item));
      if (batch.length < rowsAtOnce) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /** Removes records that are older than records are kept. Answers whether none is left. */
  async removeOld(taskId: string, isTimeUp: () => boolean, now: Instant): Promise<boolean> {
    for (let part = 0; part < callParts; part++) {
      for (;;) {
        if (isTimeUp()) return false;
        const old = await this.#database.queryAll({
          KeyConditionExpression: 'pk = :pk AND sk < :to',
          ExpressionAttributeValues: {
            ':pk': keys.callPart(taskId, part),
            ':to': secondKey(this.#keptFrom(now)),
          },
          Limit: rowsAtOnce,
        });
        await this.#database.deleteAll(old);
        if (old.length < rowsAtOnce) break;
      }
    }
    return true;
  }

  #keptFrom(now: Instant): Instant {
    return this.#keepDays === 0 ? 0 : now - this.#keepDays * dayMs;
  }

  /** The records of all parts in one order. */
  async *#merged(
    taskId: string,
    { from = 0, to, before }: CallRange & { before?: string | undefined },
    order: Order,
    now: Instant,
  ): AsyncGenerator<Item> {
    const first = secondKey(Math.max(from, this.#keptFrom(now)));
    // After every record: a sort key begins with ten digits.
    const end = [to === undefined ? ':' : secondKey(to), before ?? ':'].sort()[0]!;
    if (first >= end) return;
    const sign = order === 'newest first' ? -1 : 1;
    const parts = await Promise.all(
      Array.from({ length: callParts }, (_, part) =>
        opened(this.#part(keys.callPart(taskId, part), first, end, order)),
      ),
    );
    for (;;) {
      const next = parts
        .filter(({ head }) => head !== undefined)
        .sort((a, b) => sign * (a.head!.sk < b.head!.sk ? -1 : 1))[0];
      if (next === undefined) return;
      yield next.head!;
      await next.advance();
    }
  }

  /** In pages that grow, so that a short list costs little and a long one few requests. */
  async *#part(pk: string, first: string, end: string, order: Order): AsyncGenerator<Item> {
    let [from, to] = [first, end];
    for (let limit = readFirst; ; limit = Math.min(readAtMost, limit * 2)) {
      // BETWEEN includes both ends. Neither is the whole sort key of a record, except the last record of the page before.
      const items = await this.#database.queryAll({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
        ScanIndexForward: order === 'oldest first',
        Limit: limit,
      });
      const fresh = items.filter(({ sk }) => sk !== from && sk !== to);
      yield* fresh;
      if (items.length < limit) return;
      if (order === 'oldest first') from = items.at(-1)!.sk;
      else to = items.at(-1)!.sk;
    }
  }
}

type OpenPart = { head: Item | undefined; advance: () => Promise<void> };

const opened = async (items: AsyncGenerator<Item>): Promise<OpenPart> => {
  const part: OpenPart = {
    head: undefined,
    advance: async () => {
      const { value, done } = await items.next();
      part.head = done ? undefined : value;
    },
  };
  await part.advance();
  return part;
};
