import type { Instant } from '../../domain/time.ts';
import { type Database, type Item, keys, tryWriteOnce } from '../table/index.ts';

/** Written no more often than that by one process. */
const writtenEveryMs = 20_000;

/** The latest of the times that were noted; `null`: no dialer has asked yet. */
export const askedTimeOf = (items: readonly (Item | undefined)[]): Instant | null => {
  const latest = Math.max(...items.map((item) => Number(item?.at ?? 0)));
  return latest === 0 ? null : latest;
};

const remembered = 1000;

/** When a dialer last asked for calls, of one task or of any. */
export class AskedTimes {
  readonly #database: Database;
  readonly #written = new Map<string, Instant>();

  constructor(database: Database) {
    this.#database = database;
  }

  async note(taskId: string | undefined, now: Instant): Promise<void> {
    const last = this.#written.get(taskId ?? '');
    if (last !== undefined && now - last < writtenEveryMs) return;
    // Forgotten, a time is written once more; a process that lives long must not keep one for every task.
    if (this.#written.size >= remembered) this.#written.clear();
    this.#written.set(taskId ?? '', now);
    const key = taskId === undefined ? keys.askedForAny : keys.asked(taskId);
    await tryWriteOnce(() => this.#database.put({ ...key, at: now }));
  }
}
