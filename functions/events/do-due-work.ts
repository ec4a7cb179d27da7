import type { Context } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { doDue } from '../../shared/runtime/due-work.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

/** What requests leave to do: ends of tasks, deferred contacts of adjusted tasks, and erasures that broke off. */
export const doDueWork =
  ({ agenda, dialer, erasures, now }: Pick<Runtime, 'agenda' | 'dialer' | 'erasures' | 'now'>) =>
  (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> =>
    doDue({ agenda, now }, [...dialer.workers(), erasures.worker()], () =>
      context.getRemainingTimeInMillis(),
    );

export const handler = onLambda(declared.doDueWork, doDueWork);
