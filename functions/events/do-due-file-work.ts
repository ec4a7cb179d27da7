import type { Context } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { doDue } from '../../shared/runtime/due-work.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

/** Imports whose runner died, and what deleted tasks and data sources have left. */
export const doDueFileWork =
  ({ agenda, importer, remainsRemover, now }: FileRuntime) =>
  (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>, takesOver = false): Promise<void> =>
    doDue(
      { agenda, now },
      [importer.worker(), remainsRemover.worker()],
      () => context.getRemainingTimeInMillis(),
      takesOver,
    );

export const handler = onFileLambda(declared.doDueFileWork, doDueFileWork);
