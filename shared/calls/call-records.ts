/**
 * Calls that have ended: each call by itself, and how many there were over time. Dialing writes
 * both in the transaction of the result. So a task has as many records as calls, and its counters
 * and its timeline agree.
 *
 * - A *record* is kept as long as its task, or for `KEEP_CALLS_DAYS`. The records of a task lie in
 *   several parts, each in the order in which the calls ended, and a reader merges the parts. A
 *   call is found by its id through its task contact, which knows when each of its calls ended.
 *   Only annotations and erasures change a record, on the version that they have read.
 * - The *timeline* of a task counts a call under its minute in a counter item, at no cost. Past
 *   minutes move from there to the items of their hours and days, in one transaction. So a month is
 *   read from thirty items, and from the minutes that are still gathering.
 * - The *days of the service* are the calls of all tasks, also of deleted ones. A task is entered
 *   on a day before its first call of the day is counted, so a reader finds every task that called
 *   without reading the others. Entries and items of days are kept for good. Days are those of UTC,
 *   and their quarter hours make up the days of any zone.
 *
 * If a process dies between two writes, a day may have an entry without calls, and an export a
 * column without values. No call is lost or counted twice.
 */

import type { Database, TransactItem } from '../platform/table/database.ts';
import { ifUnchanged } from '../platform/table/expressions.ts';
import { callParts, type Item, keys, secondKey } from '../platform/table/keys.ts';
import { optimistic } from '../platform/table/optimistic.ts';
import { dayMs, type Instant } from '../platform/time/time.ts';
import type { CallReason, Outcome } from '../tasks/rules/task-settings.ts';
import type { CallData, CallRecord, CallRef } from './rules/call.ts';

/**
 * Attributes that are written only if they are given. `data` is one JSON string, so that no name
 * can clash with an attribute.
 */
const optional = {
  phone: 'phoneNumber',
  caller: 'callerNumber',
  reason: 'reason',
  callback: 'callbackTime',
  doNotCall: 'doNotCall',
  disposition: 'disposition',
  summary: 'summary',
  recording: 'recordingUrl',
  transcript: 'transcriptUrl',
  provider: 'providerCallId',
  by: 'reportedBy',
  updated: 'updateTime',
} as const satisfies Record<string, keyof CallRecord>;

const keyOfCall = ({ taskId, seq, endTime, nonce }: CallRef) => keys.call(taskId, seq, endTime, nonce);

/** `counted`: the disposition under which the call is counted; empty if it was not declared. */
export type StoredCall = CallRecord & { counted: string | null; version: number };

export const itemOfCall = (call: StoredCall): Item => ({
  ...keyOfCall(call),
  task: call.taskId,
  ds: call.dataSourceId,
  attempt: call.attempt,
  started: call.startTime,
  ended: call.endTime,
  secs: call.duration,
  outcome: call.outcome,
  ...(call.final && { final: true }),
  ...Object.fromEntries(
    Object.entries(optional).flatMap(([attribute, name]) =>
      call[name] === null ? [] : [[attribute, call[name]]],
    ),
  ),
  ...(call.data !== null && { data: JSON.stringify(call.data) }),
  ...(call.counted !== null && { counted: call.counted }),
  ...(call.isErased && { erased: true }),
  v: call.version,
});

export const callOfItem = (item: Item): StoredCall => {
  const [, seq = '', nonce = ''] = item.sk.split('#');
  const given = Object.fromEntries(
    Object.entries(optional).map(([attribute, name]) => [name, item[attribute] ?? null]),
  ) as Pick<CallRecord, (typeof optional)[keyof typeof optional]>;
  return {
    taskId: item.task as string,
    dataSourceId: item.ds as string,
    seq: Number(seq),
    nonce,
    attempt: item.attempt as number,
    startTime: item.started as Instant,
    endTime: item.ended as Instant,
    duration: item.secs as number,
    outcome: item.outcome as Outcome,
    final: item.final === true,
    ...given,
    reason: given.reason as CallReason | null,
    data: item.data === undefined ? null : (JSON.parse(item.data as string) as CallData),
    counted: (item.counted as string | undefined) ?? null,
    isErased: item.erased === true,
    version: item.v as number,
  };
};

/** The calls of a task that ended from `from` on and before `to`. */
export type CallRange = { from?: Instant | undefined; to?: Instant | undefined };

/** A page of a task's calls, and where the next page begins. */
export type CallsPage = { calls: StoredCall[]; next: string | null };

/** Records of one part that are read first. A page of 20 needs about five of each part. */
const readFirst = 8;
const readAtMost = 250;
/** Maximum of records that one request looks at. */
const seenAtMost = 1000;
const rowsAtOnce = 1000;

type Order = 'newest first' | 'oldest first';

/**
 * `keepDays`: older records are not shown any more, and `removeOld` removes them. 0: they are kept
 * as long as their task.
 */
export class CallRecords {
  readonly #database: Database;
  readonly #keepDays: number;

  constructor(database: Database, keepDays: number) {
    this.#database = database;
    this.#keepDays = keepDays;
  }

  /** Written with the result, whose task contact refuses a call that was counted before. */
  addOf(call: CallRecord, counted: string | null): TransactItem {
    return this.#database.putOf(itemOfCall({ ...call, counted, version: 1 }));
  }

  /** Fails if the record was changed since it was read. */
  changeOf(call: StoredCall): TransactItem {
    const item = itemOfCall({ ...call, version: call.version + 1 });
    return this.#database.putOf(item, ifUnchanged(call.version));
  }

  /** @throws Lost if the record was changed since it was read */
  async change(call: StoredCall): Promise<void> {
    const item = itemOfCall({ ...call, version: call.version + 1 });
    await this.#database.put(item, ifUnchanged(call.version));
  }

  /** In the order of the references. `undefined` without a record, or if it is too old. */
  async read(refs: readonly CallRef[], now: Instant): Promise<(StoredCall | undefined)[]> {
    if (refs.length === 0) return [];
    const items = await this.#database.batchGet(refs.map(keyOfCall));
    return items.map((item) =>
      item === undefined || Number(item.ended) < this.#keptFrom(now) ? undefined : callOfItem(item),
    );
  }

  /**
   * Newest first. `isWanted` is the filter. A page with a filter may be short and still have a next
   * page, because a request looks at a bounded number of records.
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

  /** Oldest first, in batches. */
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

  /** Removes records that are older than records are kept. @returns whether none is left */
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
    // Sorts after every record, because a sort key begins with ten digits.
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

  /** In pages that grow, so that a short list costs little and a long one needs few requests. */
  async *#part(pk: string, first: string, end: string, order: Order): AsyncGenerator<Item> {
    let from = first;
    let to = end;
    for (let limit = readFirst; ; limit = Math.min(readAtMost, limit * 2)) {
      // BETWEEN includes both ends. Neither is a whole sort key of a record, except that of the
      // last record of the page before.
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

/** An export has a column for each of these names. Further names share one column. */
export const namesAtMost = 200;

const namesIn = (item: Item | undefined): string[] => (item?.names as string[] | undefined) ?? [];

/** The names of `data` that calls of the task have used, in the order of their first use. */
export const readDataNames = async (database: Database, taskId: string): Promise<string[]> =>
  namesIn(await database.get(keys.dataNames(taskId)));

/**
 * Stores names of `data`, so that an export knows its columns before its first row. Called before
 * the call is written. `read`: the names that were read. Nothing is written unless one is new.
 */
export const rememberDataNames = async (
  database: Database,
  taskId: string,
  names: readonly string[],
  read: Item | undefined,
): Promise<void> => {
  const key = keys.dataNames(taskId);
  const freshIn = (item: Item | undefined) => {
    const known = namesIn(item);
    return names.filter((name) => !known.includes(name)).slice(0, namesAtMost - known.length);
  };
  if (freshIn(read).length === 0) return;
  await optimistic(async () => {
    const item = await database.get(key);
    const known = namesIn(item).length;
    const fresh = freshIn(item);
    if (fresh.length === 0) return;
    await database.update(key, {
      UpdateExpression: 'SET #names = list_append(if_not_exists(#names, :none), :fresh)',
      ConditionExpression: known === 0 ? 'attribute_not_exists(#names)' : 'size(#names) = :known',
      ExpressionAttributeNames: { '#names': 'names' },
      ExpressionAttributeValues: { ':none': [], ':fresh': fresh, ...(known > 0 && { ':known': known }) },
    });
  });
};
