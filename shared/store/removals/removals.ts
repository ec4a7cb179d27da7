import type { Instant } from '../../domain/time.ts';
import { ImportRecords } from '../imports/index.ts';
import type { Database, HoldRequest, Item, Key, Kind } from '../table/index.ts';
import {
  Holds,
  ifPresent,
  isMade,
  keys,
  onlyIf,
  partitionRange,
  setAttributes,
  unlessLost,
} from '../table/index.ts';
import { type IsTimeUp, removeDataSource, removeTask } from './remains.ts';

/** A deleted task or data source whose items and objects have not all been removed yet. */
export type PendingRemoval = { kind: Kind; id: string; time: Instant; item: Item };

const holds = new Holds('runner', 'runUntil');

const keyOf = ({ pk, sk }: Item): Key => ({ pk, sk });

const removalOf = (item: Item): PendingRemoval => {
  const [kind, id = ''] = item.sk.split('#');
  return { kind: kind as Kind, id, time: Number(item.time), item };
};

/** What deleted tasks and data sources have left in the table. */
export class Removals {
  readonly #database: Database;
  readonly #imports: ImportRecords;

  constructor(database: Database) {
    this.#database = database;
    this.#imports = new ImportRecords(database);
  }

  /** The oldest first. */
  async pending(): Promise<PendingRemoval[]> {
    const items = await this.#database.queryAll(partitionRange(keys.removals));
    return items.map(removalOf).sort((a, b) => a.time - b.time);
  }

  /** Whether the caller has the hold on the removal now. */
  async hold({ item }: PendingRemoval, request: HoldRequest): Promise<boolean> {
    const { owner: runner, until: runUntil } = request;
    const hold = onlyIf(setAttributes({ runner, runUntil }), ifPresent, holds.ifFree(request));
    return isMade(() => this.#database.update(keyOf(item), hold));
  }

  /** The next run need not wait until the hold expires. */
  async giveBack({ item }: PendingRemoval, owner: string, now: Instant): Promise<void> {
    const release = onlyIf(setAttributes({ runUntil: now }), ifPresent, holds.ifHeldBy(owner));
    await unlessLost(() => this.#database.update(keyOf(item), release));
  }

  /** Ends the unfinished imports of a deleted data source. */
  endImports(dataSourceId: string, now: Instant): Promise<void> {
    return this.#imports.endAllOf(dataSourceId, now);
  }

  /** Removes items until none is left or the time is up. Answers whether none is left. */
  removeItems({ kind, id, item }: PendingRemoval, isTimeUp: IsTimeUp): Promise<boolean> {
    const { dataSourceId, end } = item;
    return kind === 'task'
      ? removeTask(this.#database, { id, dataSourceId: dataSourceId as string }, isTimeUp)
      : removeDataSource(this.#database, this.#imports, { id, end: Number(end) }, isTimeUp);
  }

  /** Call it when nothing is left. */
  async end({ item }: PendingRemoval): Promise<void> {
    await this.#database.delete(keyOf(item));
  }
}
