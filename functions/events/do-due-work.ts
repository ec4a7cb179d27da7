import type { Context } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { doDue } from '../../shared/runtime/due-work.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

type Parts = Pick<Runtime, 'agenda' | 'dialer' | 'erasures' | 'adoptOldWork' | 'now'>;

/** What requests leave to do: ends of tasks, deferred contacts of adjusted tasks, and erasures that broke off. */
export const doDueWork =
  ({ agenda, dialer, erasures, adoptOldWork, now }: Parts) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const workers = [...dialer.workers(), erasures.worker()];
    await Promise.all([
      adoptOldWork(),
      doDue({ agenda, now }, workers, () => context.getRemainingTimeInMillis()),
    ]);
  };

export const handler = onLambda(declared.doDueWork, doDueWork);
