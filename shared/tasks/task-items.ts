import { createHash } from 'node:crypto';
import { type Database, Lost } from '../platform/table/database.ts';
import { partitionRange, prefixRange } from '../platform/table/expressions.ts';
import { counterGroups, type Item, type Key, keys } from '../platform/table/keys.ts';
import { optimistic, tryWriteOnce } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import type { Task } from './rules/task.ts';
import type { FoundSelected } from './rules/task-views.ts';

/** Milliseconds between two writes of one process. */
const writtenEveryMs = 20_000;

/** The latest of the times that were noted. @returns null if no dialer has asked yet */
export const askedTimeOf = (items: readonly (Item | undefined)[]): Instant | null => {
  const latest = Math.max(...items.map((item) => Number(item?.at ?? 0)));
  return latest === 0 ? null : latest;
};

const remembered = 1000;

/**
 * When a dialer last asked for calls, or extended one: of one task, of any task, or of any task so
 * that this one was looked at.
 */
export class AskedTimes {
  readonly #database: Database;
  readonly #written = new Map<string, Instant>();

  constructor(database: Database) {
    this.#database = database;
  }

  note(taskId: string | undefined, now: Instant): Promise<void> {
    return this.#note(taskId === undefined ? keys.askedForAny : keys.asked(taskId), now);
  }

  /** A request for calls of any task has looked for contacts of this task. */
  noteAmongOthers(taskId: string, now: Instant): Promise<void> {
    return this.#note(keys.askedAmongOthers(taskId), now);
  }

  async #note(key: Key, now: Instant): Promise<void> {
    const name = `${key.pk} ${key.sk}`;
    const last = this.#written.get(name);
    if (last !== undefined && now - last < writtenEveryMs) return;
    // A forgotten time is only written once more. A process that lives long must not keep one for
    // every task.
    if (this.#written.size >= remembered) this.#written.clear();
    this.#written.set(name, now);
    await tryWriteOnce(() => this.#database.put({ ...key, at: now }));
  }
}

/** The counts of results are in the parts of the counter, not in itself. */
const hasParts = ({ isSplit }: Item) => isSplit === true;
const shardOf = ({ sk }: Item) => sk.slice(0, keys.taskCounter('', 0).sk.length);

/**
 * The counter items of a task, with the parts of those that are split. Each is read as a whole, but
 * not all at one instant.
 */
export const readCounterItems = (database: Database, taskId: string): Promise<Item[]> =>
  readWithParts(database, taskId, () =>
    database.queryAll(prefixRange(keys.task(taskId).pk, keys.taskCounterPrefix)),
  );

/**
 * `read` reads the counters, and perhaps neighbours of theirs. A part that is closed was joined to
 * its counter after the counter was read. Then everything is read again, because its counts would
 * be missing.
 */
export const readWithParts = (
  database: Database,
  taskId: string,
  read: () => Promise<Item[]>,
): Promise<Item[]> =>
  optimistic(async () => {
    const items = await read();
    const split = new Set(items.filter(hasParts).map(shardOf));
    if (split.size === 0) return items;
    const groups = Array.from({ length: counterGroups }, (_, group) => keys.counterGroup(taskId, group));
    const found = await Promise.all(groups.map((pk) => database.queryAll(partitionRange(pk))));
    const parts = found.flat().filter((part) => split.has(shardOf(part)));
    if (parts.some(({ isClosed }) => isClosed)) throw new Lost('a counter was joined');
    return [...items, ...parts];
  });

/** Hash of a filter, which may be longer than all other facts of a task. */
const markOf = ({ contactFilter = [] }: Task): string =>
  createHash('sha256')
    .update(JSON.stringify(contactFilter.map(({ field, is, value }) => [field, is, value])))
    .digest('base64url');

/** Stores how many contacts a pre-flight found to match the filter of the task. */
export const putSelectedCount = (
  database: Database,
  task: Task,
  { selected, total, estimated }: FoundSelected,
  listVersion: number,
): Promise<void> =>
  database.put({
    ...keys.selectedCount(task.id),
    selected,
    total,
    estimated,
    listVersion,
    filter: markOf(task),
  });

/**
 * It is an estimate if the list has changed since.
 * @returns undefined if there was no pre-flight with the present filter of the task
 */
export const selectedCountOf = (
  task: Task,
  item: Item | undefined,
  listVersion: number | undefined,
): FoundSelected | undefined => {
  if (item === undefined || item.filter !== markOf(task)) return undefined;
  const { selected, total } = item as unknown as FoundSelected;
  return { selected, total, estimated: item.estimated === true || item.listVersion !== listVersion };
};
