import { type Instant, minuteMs } from '../domain/time.ts';
import { describeError, log } from '../observability/log.ts';
import { count } from '../observability/metrics.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import type { PendingRemoval, Removals } from '../store/removals/index.ts';
import { importPrefix, uploadPrefix } from './import-objects.ts';

/**
 * Longer than any function that writes contacts may run. From then on no writer is left that began before the
 * deletion, so that what was removed stays removed.
 */
const quietMs = 10 * minuteMs;
/** Longer than the function of the sweep may run: the hold of a live run never expires. */
const holdMs = 6 * minuteMs;

type Dependencies = {
  removals: Removals;
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
};

/**
 * Removes what deleted tasks and data sources have left: items of the table, then objects of the bucket. A run stops
 * when its time is up, and the next one goes on where it stopped. Each step may be repeated after a crash.
 */
export class RemovalSweep {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * A removal that fails does not stop the others. `takeOver`: the process knows that no other process is at work.
   * @throws AggregateError at the end, with all errors
   */
  async run(isTimeUp: () => boolean, takeOver = false): Promise<void> {
    const failures: unknown[] = [];
    count('RemovalAgeSeconds', 0);
    for (const removal of await this.#deps.removals.pending()) {
      if (isTimeUp()) break;
      const { kind, id } = removal;
      try {
        await this.#sweep(removal, isTimeUp, takeOver);
      } catch (error) {
        log.error('removal not ended', { kind, id, error: describeError(error) });
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'removals that cannot be ended');
  }

  async #sweep(removal: PendingRemoval, isTimeUp: () => boolean, takeOver: boolean): Promise<void> {
    const { removals, now, newId } = this.#deps;
    const { kind, id, time } = removal;
    count('RemovalAgeSeconds', Math.round((now() - time) / 1000));
    // Without delay: the deletion may have broken off before it ended them.
    if (kind === 'dataSource') await removals.endImports(id, now());
    if (!takeOver && time + quietMs > now()) return;
    const owner = newId();
    const request = {
      owner,
      now: now(),
      until: now() + holdMs,
      dead: takeOver ? ('all' as const) : undefined,
    };
    if (!(await removals.hold(removal, request))) return;
    if ((await removals.removeItems(removal, isTimeUp)) && (await this.#removeObjects(removal, isTimeUp))) {
      await removals.end(removal);
      log.info('removed', { kind, id });
    } else await removals.giveBack(removal, owner, now());
  }

  async #removeObjects({ kind, id }: PendingRemoval, isTimeUp: () => boolean): Promise<boolean> {
    if (kind === 'task') return true;
    const objects = await this.#deps.objects();
    for (const prefix of [uploadPrefix, importPrefix]) {
      if (!(await objects.removeAll(`${prefix}${id}/`, isTimeUp))) return false;
    }
    return true;
  }
}
