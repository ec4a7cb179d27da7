import { importPrefix, uploadPrefix } from '../../imports/import-objects.ts';
import type { ImportRecords } from '../../imports/import-records.ts';
import type { Worker } from '../../platform/agenda/due-work.ts';
import type { LazyObjects } from '../../platform/objects/objects.ts';
import { log } from '../../platform/observability/log.ts';
import type { Database } from '../../platform/table/database.ts';
import { minuteMs } from '../../platform/time/time.ts';
import { removeDataSource, removeTask } from './remains.ts';

/** Longer than the function may run, so that no other run takes over from a live one. */
const claimMs = 6 * minuteMs;

type Dependencies = { database: Database; records: ImportRecords; objects: LazyObjects };

/**
 * Removes what deleted tasks and data sources have left.
 *
 * A deletion removes the record itself, so that nothing finds the rest any more, and puts a removal
 * on the agenda in the same transaction. The function for due file work removes the rest in runs,
 * each until its time is up: items of the table, then objects of the bucket. Items that lead to
 * others are deleted after them, and deleting an item twice is harmless. So a run may break off or
 * be begun twice: the next run finds what is left. The entry is removed when nothing is left.
 */
export class RemainsRemover {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  worker(): Worker {
    const { database, records } = this.#deps;
    return {
      kind: 'removal',
      claimMs,
      work: async (entry, { now, isTimeUp }) => {
        const [kind, id = ''] = entry.id.split('#');
        const { dataSourceId, end, keepsNumbers = false } = entry.notes;
        if (kind === 'task') {
          if (!(await removeTask(database, { id, dataSourceId: dataSourceId as string }, isTimeUp)))
            return { next: now() };
        } else {
          // The deletion may have broken off before it ended the imports.
          await records.endAllOf(id, now());
          const source = { id, end: Number(end), keepsNumbers: keepsNumbers === true };
          const isEnded =
            (await removeDataSource(database, records, source, isTimeUp)) &&
            (await this.#removeObjects(id, isTimeUp));
          if (!isEnded) return { next: now() };
        }
        log.info('removed', { kind, id });
        return 'done';
      },
    };
  }

  async #removeObjects(dataSourceId: string, isTimeUp: () => boolean): Promise<boolean> {
    const objects = await this.#deps.objects();
    for (const prefix of [uploadPrefix, importPrefix]) {
      if (!(await objects.removeAll(`${prefix}${dataSourceId}/`, isTimeUp))) return false;
    }
    return true;
  }
}
