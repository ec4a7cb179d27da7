import type { ImportRecords } from '../../imports/index.ts';
import type { ReadEntry } from '../../platform/agenda/index.ts';
import type { Database, Kind } from '../../platform/table/index.ts';
import type { Instant } from '../../platform/time/index.ts';
import { type IsTimeUp, removeDataSource, removeTask } from './remains.ts';

/** A deleted task or data source whose items and objects have not all been removed yet. */
export type Removal = { kind: Kind; id: string; notes: ReadEntry['notes'] };

export const removalOf = ({ id: sk, notes }: ReadEntry): Removal => {
  const [kind, id = ''] = sk.split('#');
  return { kind: kind as Kind, id, notes };
};

/**
 * What deleted tasks and data sources have left in the table.
 *
 * A deletion removes the record itself, so that from then on nothing finds the rest, and enters a removal in the agenda in the
 * same transaction. The function for due file work removes the rest in runs, each until its time is up. Items that lead to
 * others are deleted after them, and what is gone already is deleted again without harm. So a run that breaks off, or that is
 * begun twice, changes nothing in the end: the next run finds what is left. The entry goes when nothing is.
 */
export class Removals {
  readonly #database: Database;
  readonly #imports: ImportRecords;

  constructor(database: Database, imports: ImportRecords) {
    this.#database = database;
    this.#imports = imports;
  }

  /** Ends the unfinished imports of a deleted data source: its deletion may have broken off before it did. */
  endImports(dataSourceId: string, now: Instant): Promise<void> {
    return this.#imports.endAllOf(dataSourceId, now);
  }

  /** Removes items until none is left or the time is up. Answers whether none is left. */
  removeItems({ kind, id, notes }: Removal, isTimeUp: IsTimeUp): Promise<boolean> {
    const { dataSourceId, end, keepsNumbers = false } = notes;
    return kind === 'task'
      ? removeTask(this.#database, { id, dataSourceId: dataSourceId as string }, isTimeUp)
      : removeDataSource(
          this.#database,
          this.#imports,
          { id, end: Number(end), keepsNumbers: keepsNumbers === true },
          isTimeUp,
        );
  }
}
