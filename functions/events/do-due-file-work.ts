import type { Context } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { doDue } from '../../shared/app/runtime/due-work.ts';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';

/**
 * Continues imports whose runner died, and removes what deleted tasks and data sources have left,
 * and records of calls that are too old.
 */
export const doDueFileWork =
  ({ agenda, importer, remainsRemover, oldCalls, now }: FileRuntime) =>
  async (
    _event: unknown,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
    takesOver = false,
  ): Promise<void> => {
    await oldCalls.schedule(now());
    await doDue(
      { agenda, now },
      [importer.worker(), remainsRemover.worker(), oldCalls.worker()],
      () => context.getRemainingTimeInMillis(),
      takesOver,
    );
  };

export const handler = onFileLambda(declared.doDueFileWork, doDueFileWork);
