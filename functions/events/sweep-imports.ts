import type { Context } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

/** Enough for one more step of a removal. What a run leaves is removed by the next one. */
const reserveMs = 10_000;

/**
 * Finishes the imports whose runner died, then removes what deleted tasks and data sources have left. An import that
 * cannot be finished does not hold removals back.
 */
export const sweepImports =
  ({ importer, removalSweep }: FileRuntime) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    try {
      await importer.sweep();
    } finally {
      await removalSweep.run(() => context.getRemainingTimeInMillis() < reserveMs);
    }
  };

export const handler = onFileLambda(declared.sweepImports, sweepImports);
