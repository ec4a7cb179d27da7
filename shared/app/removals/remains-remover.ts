import { importPrefix, uploadPrefix } from '../../imports/index.ts';
import type { Worker } from '../../platform/agenda/index.ts';
import type { LazyObjects } from '../../platform/objects/index.ts';
import { log } from '../../platform/observability/index.ts';
import { minuteMs } from '../../platform/time/index.ts';
import { type Removal, type Removals, removalOf } from './removals.ts';

/** Longer than the function may run: no other run takes a removal over from a live one. */
const claimMs = 6 * minuteMs;

type Dependencies = { removals: Removals; objects: LazyObjects };

/**
 * Removes what deleted tasks and data sources have left: items of the table, then objects of the bucket. A run stops
 * when its time is up, and the next one goes on where it stopped. Each step may be repeated after a crash.
 */
export class RemainsRemover {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  worker(): Worker {
    const { removals } = this.#deps;
    return {
      kind: 'removal',
      claimMs,
      work: async (entry, { now, isTimeUp }) => {
        const removal = removalOf(entry);
        if (removal.kind === 'dataSource') await removals.endImports(removal.id, now());
        const isEnded =
          (await removals.removeItems(removal, isTimeUp)) && (await this.#removeObjects(removal, isTimeUp));
        if (!isEnded) return { next: now() };
        log.info('removed', { kind: removal.kind, id: removal.id });
        return 'done';
      },
    };
  }

  async #removeObjects({ kind, id }: Removal, isTimeUp: () => boolean): Promise<boolean> {
    if (kind === 'task') return true;
    const objects = await this.#deps.objects();
    for (const prefix of [uploadPrefix, importPrefix]) {
      if (!(await objects.removeAll(`${prefix}${id}/`, isTimeUp))) return false;
    }
    return true;
  }
}
